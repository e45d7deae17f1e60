/** A small bank for the tests of approvals: its policy, its people, and runs of its agent that ended in questions. */
import { parsePolicyText, rulingFor, type Actor, type Policy, type Role } from '@triptych/access';
import { threadTag } from '@triptych/platform';
import type { Interrupt, Result } from '@triptych/protocol';
import type { Batch } from '../src/core/batch.js';
import type { Matter } from '../src/core/matter.js';
import { openBatch, type InterruptedRun, type SeenCall } from '../src/core/open-batch.js';
import type { Task } from '../src/core/task.js';

const POLICY = `
surfaces:
  customer: {}
  reviewer:
    tools: { "*": { args: [""], result: [""], redact: ["/taxId"] } }
approvals:
  rules:
    - id: two-groups
      match: { reason: "tool_call", tool: "openMandate" }
      groups: [advisors, compliance]
      quorum: 2
      distinctGroups: true
    - id: large-transfer
      match: { reason: "tool_call", tool: "transfer", args: { "/amount": { gte: 1000 } } }
      groups: [advisors]
      quorum: 2
      forbid: [requester, editor]
      limits: { reviewer: { "/amount": { lte: 5000 } } }
      reasonRequired: [reject]
      dueMs: 60000
    - id: transfer
      match: { reason: "tool_call", tool: "transfer" }
      groups: [advisors]
      forbid: [requester]
      ttlMs: 3600000
    - id: held
      match: { reason: "confirmation", agent: "careful" }
      onAllExpired: hold
      ttlMs: 3600000
    - id: confirmations
      match: { reason: "confirmation" }
      ttlMs: 3600000
    - id: pair
      match: { reason: "bank:pair" }
      quorum: 2
    - id: questions
      match: { reason: "input_required" }
      audience: customer
    - id: payouts
      match: { source: frontend_tool, tool: payOut, args: { /amount: { gt: 0 } } }
      groups: [advisors]
    - id: taxed
      match: { reason: "bank:tax", args: { "/taxId": { eq: "12-*" } } }
    - id: slip
      match: { reason: "bank:slip" }
      undoMs: 60000
      ttlMs: 3600000
    - id: slips
      match: { reason: "bank:slips" }
      quorum: 2
      undoMs: 60000
    - id: brief
      match: { reason: "bank:brief" }
      undoMs: 150
    - id: patient
      match: { reason: "bank:wait" }
      groups: [advisors]
      dueMs: 600000
      remindMs: [300000, 60000, 900000]
      escalate: [{ afterMs: 1200000, to: [board] }, { afterMs: 600000, to: [leads, advisors] }]
      ttlMs: 3600000
    - id: open-to-all
      match: { reason: "bank:all" }
      escalate: [{ afterMs: 600000, to: [leads] }]
      ttlMs: 3600000
    - id: chatty
      match: { reason: "bank:chat" }
      groups: [advisors]
      chat: true
      undoMs: 60000
    - id: typed
      match: { reason: "bank:ask" }
`;

export const policyFrom = (text: string): Policy => {
  const policy = parsePolicyText(text, 'policy.yaml');
  if (!policy.ok) throw new Error(policy.why);
  return policy.value;
};

export const policy: Policy = policyFrom(POLICY);

/** The hour at which the bank's tests happen; Unix milliseconds. */
export const NOON = 1_750_000_000_000;

export const person = (subject: string, roles: readonly Role[], groups: readonly string[] = []): Actor => ({
  subject,
  tenant: 'bank',
  roles,
  groups,
  issuedAt: 0,
  expiresAt: Number.MAX_SAFE_INTEGER,
});

export const rita = person('rita', ['reviewer'], ['advisors']);
export const rolf = person('rolf', ['reviewer'], ['advisors']);
export const cora = person('cora', ['reviewer'], ['compliance']);
export const sven = person('sven', ['supervisor'], ['advisors']);
export const olga = person('olga', ['operator']);
export const carl = person('carl', ['customer']);
/** The same person, by a button in a chat. */
export const inChat = (actor: Actor): Actor => ({ ...actor, through: { via: 'slack' } });
export const stranger: Actor = { ...person('rita', ['reviewer'], ['advisors']), tenant: 'other' };

export const APPROVAL_SCHEMA = {
  type: 'object',
  properties: {
    approved: { type: 'boolean' },
    reason: { type: 'string' },
    editedArgs: { type: 'object', properties: { amount: { type: 'number' } } },
  },
  required: ['approved'],
};

const THREAD = 'thread-1';

let counted = 0;
/** Ids that no other test has. */
export const fresh = (name: string): string => `${name}-${process.pid}-${Date.now()}-${(counted += 1)}`;

export interface Asked extends Partial<Omit<InterruptedRun, 'interrupts' | 'calls' | 'toolCalls'>> {
  readonly interrupts: readonly Interrupt[];
  /** Those of its client's own tools that it left unanswered. */
  readonly pending?: readonly string[];
  readonly calls?: Readonly<Record<string, SeenCall>>;
}

export const interruptedRun = ({ interrupts, pending = [], calls = {}, ...rest }: Asked): InterruptedRun => ({
  threadId: THREAD,
  tenant: 'bank',
  agentId: 'teller',
  owner: 'carl',
  requesters: ['carl'],
  runId: 'run-1',
  now: NOON,
  ...rest,
  interrupts,
  calls: pending,
  toolCalls: new Map(Object.entries(calls)),
});

export const opened = (asked: Asked): Batch =>
  openBatch(interruptedRun(asked), {
    tag: threadTag(asked.threadId ?? THREAD),
    rulingOn: (question) => rulingFor(policy, question),
    frontendTtlMs: 900_000,
  });

/** One tool call that waits for a yes: `transfer` of an amount. */
export const transferOf = (amount: number, over: Partial<Asked> = {}): Asked => ({
  interrupts: [{ id: 'i1', reason: 'tool_call', toolCallId: 'c1', responseSchema: APPROVAL_SCHEMA }],
  calls: { c1: { name: 'transfer', argsText: JSON.stringify({ amount, to: 'ann', taxId: '12-34' }) } },
  ...over,
});

export const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.refusal.code);
  return result.value;
};

export const only = (batch: Batch): Task => {
  const [task] = batch.tasks;
  if (!task) throw new Error('the batch has no task');
  return task;
};

export const matterOf = (batch: Batch, actor: Actor, over: Partial<Matter> = {}): Matter => ({
  batch,
  task: only(batch),
  actor,
  now: NOON + 1,
  ...over,
});

export const ruleOnTransfer = (args: unknown) =>
  rulingFor(policy, {
    agentId: 'teller',
    tenant: 'bank',
    source: 'interrupt',
    reason: 'tool_call',
    toolName: 'transfer',
    args,
    at: NOON,
  });
