/** Calls of a client's own tools: their client answers them with its next run, within a time, unless a rule asks people. */
import type { ToolMessage } from '@triptych/protocol';
import { callsWaiting, type Batch } from './batch.js';
import { changeTo, type Change } from './change.js';
import { HUB } from './task.js';
import { lapsedAnswer } from './tool-messages.js';

/** Nobody else answers: the run that brings the answers closes the batch, and none of them is kept here. */
export const isClientsAlone = ({ facts }: Batch): boolean =>
  facts.frontend !== undefined && facts.taskIds.length === 0;

/** When the wait for the client ends; undefined: none is waited for. */
export const frontendDeadline = (batch: Batch): number | undefined =>
  callsWaiting(batch).length > 0 ? batch.facts.frontend?.until : undefined;

/** What is kept of the answers to some calls while people answer others. */
const withAnswers = (batch: Batch, answers: readonly ToolMessage[]): readonly ToolMessage[] => [
  ...(batch.answers ?? []),
  ...answers,
];

/** What is kept once the client is waited for no longer. */
export const withLapsed = (batch: Batch): readonly ToolMessage[] =>
  withAnswers(
    batch,
    callsWaiting(batch).map((call) => lapsedAnswer(batch, call)),
  );

/** APR-46: no client is waited for any more. undefined: it is not time yet. */
export const lapseCalls = (batch: Batch, now: number): Change | undefined => {
  const until = frontendDeadline(batch);
  if (until === undefined || now < until) return undefined;
  const news = [{ action: 'expired', by: HUB }];
  // What is missing then, the thread's next run is told.
  if (isClientsAlone(batch)) return { tasks: [], status: { state: 'done', at: now }, news };
  return changeTo(batch, now, { tasks: [], answers: withLapsed(batch), news });
};

/** APR-49: the answers of the client, all that are missing at once; the batch goes on when people have answered too. */
export const takeAnswers = (
  batch: Batch,
  {
    answers,
    by,
    now,
  }: { readonly answers: readonly ToolMessage[]; readonly by: string; readonly now: number },
): Change =>
  changeTo(batch, now, {
    tasks: [],
    answers: withAnswers(batch, answers),
    news: [{ action: 'answered', by }],
  });

/** Whether nobody has answered, and nobody can any more: the next run begins with what the hub says instead. */
export const isUnanswered = ({ facts, status }: Batch): boolean =>
  facts.frontend !== undefined && status.state === 'done' && status.runId === undefined;
