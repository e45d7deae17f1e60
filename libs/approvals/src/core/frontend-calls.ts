/** Calls of a client's own tools: their client answers them with its next run, within a time. */
import type { Message } from '@triptych/protocol';
import type { Batch } from './batch.js';
import { shortNameOf } from './canonical.js';
import type { Change } from './change.js';
import { HUB } from './task.js';

/** The calls that are their client's to answer, while they wait for it. */
export const callsWaiting = ({ facts, status }: Batch): readonly string[] =>
  status.state === 'open' ? (facts.frontend?.calls ?? []).map(({ toolCallId }) => toolCallId) : [];

/** When the wait for the client ends; undefined: none is waited for. */
export const frontendDeadline = (batch: Batch): number | undefined =>
  callsWaiting(batch).length > 0 ? batch.facts.frontend?.until : undefined;

/** APR-47: the thread is free again; what is missing, the next run is told. undefined: it is not time yet. */
export const lapseCalls = (batch: Batch, now: number): Change | undefined => {
  const until = frontendDeadline(batch);
  if (until === undefined || now < until) return undefined;
  return { tasks: [], status: { state: 'done', at: now }, news: [{ action: 'expired', by: HUB }] };
};

/** Whether nobody has answered, and nobody can any more: the next run begins with what the hub says instead. */
export const isUnanswered = ({ facts, status }: Batch): boolean =>
  facts.frontend !== undefined && status.state === 'done' && status.runId === undefined;

/** What an agent is told of a call whose client said nothing in time. */
export const lapsedAnswer = ({ facts }: Batch, toolCallId: string): Message => ({
  id: `hub-${shortNameOf([facts.batchId, toolCallId, 'expired'])}`,
  role: 'tool',
  toolCallId,
  content: JSON.stringify({ error: 'expired' }),
  error: 'expired',
});
