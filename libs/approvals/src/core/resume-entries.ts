/** Writes the one resume of a settled batch: every interrupt once, in the order it was asked. */
import type { ResumeEntry } from '@triptych/protocol';
import type { Batch } from './batch.js';
import type { SettledTask } from './task.js';

/** APR-12: only the hub writes here; an agent reads from it who decided, when, and on what. */
const hubMetadata = ({ decision }: SettledTask): Readonly<Record<string, unknown>> => ({
  decisionId: decision.id,
  actor: decision.by.at(-1),
  decidedAt: decision.at,
  proposalHash: decision.proposalHash,
  payloadHash: decision.payloadHash,
  ...(decision.kind === 'expired' ? { cause: 'expired' } : {}),
});

/** A reason for which the agent's schema has no room still reaches it. */
const unspokenReason = ({ decision }: SettledTask): Readonly<Record<string, unknown>> => {
  const { kind, payload, reason } = decision;
  const spoken = typeof payload === 'object' && payload !== null && 'reason' in payload;
  return kind === 'rejected' && reason !== undefined && !spoken ? { reason } : {};
};

const entryOf = (task: SettledTask): ResumeEntry => {
  const metadata = { hub: { ...hubMetadata(task), ...unspokenReason(task) } };
  const { payload } = task.decision;
  return payload === undefined
    ? { interruptId: task.interruptId, status: 'cancelled', metadata }
    : { interruptId: task.interruptId, status: 'resolved', payload, metadata };
};

export const resumeEntries = ({ facts, tasks }: Batch): ResumeEntry[] =>
  tasks.map((task) => {
    if (task.status !== 'settled') throw new Error(`Batch ${facts.batchId} is not settled.`);
    return entryOf(task);
  });
