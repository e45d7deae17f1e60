/** Opens one task per interrupt of a run, with what was asked frozen and the policy's ruling pinned; or its client's calls. */
import { readArguments, type Question, type Ruling } from '@triptych/access';
import type { Interrupt, Proposal, TaskEvent } from '@triptych/protocol';
import { wordsOn, type AnsweredBefore } from './answered-before.js';
import { asksForApproval, offersEdit, readSchema, type AnswerSchema } from './answer-schema.js';
import type { Batch } from './batch.js';
import { wellFormed } from './canonical.js';
import { batchIdOf, taskIdOf } from './ids.js';
import { instantOf } from './instant.js';
import { proposalHashOf } from './proposal-hash.js';
import { frontendOf, isForPeople, putBy, type Put } from './put-questions.js';
import { HUB, type OpenTask, type Takes } from './task.js';

export interface SeenCall {
  readonly name: string;
  readonly argsText: string;
  readonly subagentRunId?: string;
  /** It had its result before anybody was asked. */
  readonly isAnswered?: true;
}

/** A run that ended by asking people. */
export interface EndedRun {
  readonly threadId: string;
  readonly tenant: string;
  readonly agentId: string;
  readonly owner: string;
  readonly requesters: readonly string[];
  readonly runId: string;
  readonly interrupts: readonly Interrupt[];
  /** Calls of its client's own tools that wait for an answer; then there are no interrupts. */
  readonly calls?: readonly string[];
  readonly toolCalls: ReadonlyMap<string, SeenCall>;
  /** Names of the subagents, outermost first, by subagentRunId. */
  readonly subagentPaths?: ReadonlyMap<string, readonly string[]>;
}

/** The same at the moment its questions open. */
export interface InterruptedRun extends EndedRun {
  /** What was asked under the same ids before, and answered. */
  readonly answered?: ReadonlyMap<string, AnsweredBefore>;
  /** Unix milliseconds, by the store's clock. */
  readonly now: number;
}

/** What opens a batch beside the run itself. */
export interface Opener {
  /** The hash tag of the thread's keys. */
  readonly tag: string;
  readonly rulingOn: (question: Question) => Ruling;
  /** How long a client has to answer its tools' calls. */
  readonly frontendTtlMs: number;
}

/** The policy has no word for urgency yet: all tasks are alike. */
const PRIORITY = 50;
const DECISIONS: ReadonlySet<string> = new Set(['tool_call', 'confirmation']);

const proposalOf = (call: SeenCall | undefined): Proposal => {
  if (!call) return {};
  const toolName = wellFormed(call.name);
  const { argsText, ...read } = readArguments(call.argsText);
  return argsText === undefined ? { toolName, ...read } : { toolName, argsText: wellFormed(argsText) };
};

interface ReadInterrupt {
  readonly kind: OpenTask['kind'];
  readonly takes: Takes;
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Why nobody can answer by this schema, and its text. */
  readonly unreadable?: string;
  readonly refusedSchema?: string;
}

/** What operators are shown of a schema that is not used, in characters; it may be larger than anybody reads. */
const MAX_SCHEMA_TEXT = 65_536;

const NONE: Takes = { approve: false, reject: false, edit: false, respond: false };

const takesOf = (kind: OpenTask['kind'], schema: AnswerSchema | undefined): Takes => {
  if (kind === 'question') return { ...NONE, respond: true };
  if (!schema) return { ...NONE, approve: true, reject: true };
  const fits = (payload: unknown): boolean => schema.errorsOf(payload).length === 0;
  return {
    approve: fits({ approved: true }),
    reject: fits({ approved: false }) || fits({ approved: false, reason: 'No.' }),
    edit: offersEdit(schema),
    respond: false,
  };
};

const readInterrupt = ({ reason, responseSchema }: Interrupt): ReadInterrupt => {
  const byReason = DECISIONS.has(reason) ? 'decision' : 'question';
  if (responseSchema === undefined) return { kind: byReason, takes: takesOf(byReason, undefined) };
  const reading = readSchema(responseSchema);
  if (!reading.ok) {
    const refusedSchema = wellFormed(JSON.stringify(responseSchema).slice(0, MAX_SCHEMA_TEXT));
    return { kind: byReason, takes: NONE, unreadable: reading.why, refusedSchema };
  }
  const kind = asksForApproval(reading.schema) ? 'decision' : byReason;
  return { kind, takes: takesOf(kind, reading.schema), schema: responseSchema };
};

interface Deadlines {
  readonly expiresAt: number;
  readonly agentDeadline?: number;
  readonly unreadable?: string;
}

/** APR-13: an unreadable deadline is not "never": the policy's own time applies, and the history says so. */
const deadlinesOf = ({ expiresAt }: Interrupt, ruling: Ruling, now: number): Deadlines => {
  const own = now + ruling.ttlMs;
  if (expiresAt === undefined) return { expiresAt: own };
  const agentDeadline = instantOf(expiresAt);
  if (agentDeadline === undefined) return { expiresAt: own, unreadable: wellFormed(expiresAt).slice(0, 100) };
  return { expiresAt: Math.min(own, agentDeadline), agentDeadline };
};

interface Unread {
  readonly argsText?: string;
  readonly schema?: string;
  readonly deadline?: string;
  readonly isAnswered?: boolean | undefined;
  readonly before?: AnsweredBefore | undefined;
}

const unreadIn = ({ argsText }: Proposal, read: ReadInterrupt, deadlines: Deadlines): Unread => ({
  ...(argsText === undefined ? {} : { argsText }),
  ...(read.unreadable === undefined ? {} : { schema: read.unreadable }),
  ...(deadlines.unreadable === undefined ? {} : { deadline: deadlines.unreadable }),
});

/** What of a question could not be read or came too late, for whoever wonders why nobody may answer it. */
const warnings = ({ argsText, schema, deadline, isAnswered, before }: Unread, at: number): TaskEvent[] => {
  const line = (action: string, text: string): TaskEvent => ({ at, by: HUB, action, text });
  return [
    ...(argsText === undefined
      ? []
      : [line('arguments-unreadable', 'The arguments are not exact JSON; nobody approves them.')]),
    ...(schema === undefined ? [] : [line('schema-refused', `The response schema is not used: ${schema}.`)]),
    ...(deadline === undefined
      ? []
      : [line('expiry-unreadable', `"${deadline}" is no time; the rule's own applies.`)]),
    ...(isAnswered ? [line('asked-afterwards', 'The call had its result before anybody was asked.')] : []),
    ...(before ? [line('answered-before', wellFormed(wordsOn(before)))] : []),
  ];
};

const pathOf = (
  end: InterruptedRun,
  interrupt: Interrupt,
  call: SeenCall | undefined,
): readonly string[] | undefined => {
  const subagent = interrupt.subagentRunId ?? call?.subagentRunId;
  return subagent === undefined ? undefined : end.subagentPaths?.get(subagent);
};

const questionOf = (end: InterruptedRun, { interrupt, source }: Put, proposal: Proposal): Question => ({
  agentId: end.agentId,
  tenant: end.tenant,
  source,
  reason: interrupt.reason,
  at: end.now,
  ...proposal,
  ...(interrupt.responseSchema === undefined ? {} : { responseSchema: interrupt.responseSchema }),
});

const openTask = (end: InterruptedRun, put: Put, { tag, rulingOn }: Opener): OpenTask => {
  const { interrupt, source } = put;
  const call = interrupt.toolCallId === undefined ? undefined : end.toolCalls.get(interrupt.toolCallId);
  const proposal = proposalOf(call);
  const read = readInterrupt(interrupt);
  const ruling = rulingOn(questionOf(end, put, proposal));
  const { now } = end;
  const deadlines = deadlinesOf(interrupt, ruling, now);
  const subagentPath = pathOf(end, interrupt, call);
  const before = end.answered?.get(interrupt.id);
  const unread = { ...unreadIn(proposal, read, deadlines), isAnswered: call?.isAnswered, before };
  const asked = {
    reason: wellFormed(interrupt.reason),
    proposal,
    ...(interrupt.message === undefined ? {} : { message: wellFormed(interrupt.message) }),
    ...(interrupt.toolCallId === undefined ? {} : { toolCallId: wellFormed(interrupt.toolCallId) }),
    ...(read.schema === undefined ? {} : { responseSchema: read.schema }),
  };
  return {
    ...asked,
    taskId: taskIdOf(batchIdOf(tag, end.runId), interrupt.id),
    interruptId: interrupt.id,
    source,
    ...(subagentPath === undefined ? {} : { subagentPath }),
    ...(read.refusedSchema === undefined ? {} : { refusedSchema: read.refusedSchema }),
    kind: read.kind,
    takes: read.takes,
    ruling,
    priority: PRIORITY,
    createdAt: now,
    rev: 1,
    proposalHash: proposalHashOf(asked),
    ...(ruling.dueMs === undefined ? {} : { dueAt: now + ruling.dueMs }),
    expiresAt: deadlines.expiresAt,
    ...(deadlines.agentDeadline === undefined ? {} : { agentDeadline: deadlines.agentDeadline }),
    votes: [],
    history: [{ at: now, by: HUB, action: 'open' }, ...warnings(unread, now)],
    status: 'open',
  };
};

export const openBatch = (end: InterruptedRun, opener: Opener): Batch => {
  const ids = new Set(end.interrupts.map(({ id }) => id));
  // The door of the log refuses equal ids within one run; one click would answer two questions.
  if (ids.size !== end.interrupts.length) throw new Error(`Run ${end.runId} names one interrupt twice.`);
  const { threadId, tenant, agentId, owner, runId, requesters, now } = end;
  const tasks = putBy(end)
    .map((put) => openTask(end, put, opener))
    .filter(isForPeople);
  return {
    facts: {
      batchId: batchIdOf(opener.tag, runId),
      threadId,
      tenant,
      agentId,
      owner,
      runId,
      requesters,
      taskIds: tasks.map(({ taskId }) => taskId),
      openedAt: now,
      ...frontendOf(end, tasks, now + opener.frontendTtlMs),
    },
    status: { state: 'open' },
    tasks,
    version: 1,
  };
};
