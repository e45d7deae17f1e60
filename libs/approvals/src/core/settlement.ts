/** Says what the end of a resumed run makes of its batch. */
import type { Batch, BatchStatus, Failed } from './batch.js';
import { failureClassOf, type ResumeEnd } from './failure-classes.js';

/** About ten minutes of a growing back-off; after that somebody should look at the agent. */
export const MAX_ATTEMPTS = 8;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 5 * 60_000;

export const retryDelay = (attempt: number): number =>
  Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, attempt - 1));

/** However long an agent asks for, it is tried again within this. Milliseconds. */
const MAX_PATIENCE_MS = 3_600_000;
/** Characters kept of what is said about a failure. */
export const MAX_MESSAGE = 500;

type UnderWay = Extract<BatchStatus, { readonly state: 'dispatching' | 'running' }>;

const failedBy = ({ attempt, runId }: UnderWay, { code, message }: ResumeEnd): Failed => ({
  attempt,
  runId,
  ...(code === undefined ? {} : { code }),
  ...(message === undefined ? {} : { message: message.slice(0, MAX_MESSAGE) }),
});

const sentAgain = (
  { attempt, runId }: UnderWay,
  { sent, retryAfterMs = 0 }: ResumeEnd,
  now: number,
): BatchStatus => {
  const patience = Math.max(retryDelay(attempt), Math.min(retryAfterMs, MAX_PATIENCE_MS));
  // A resume that was never sent left no run behind, so that its name is free and whoever waits for it still may.
  return { state: 'ready', attempt, notBefore: now + patience, ...(sent ? {} : { runId }) };
};

/** As a word of its own, so that `a` is not found in every sentence. */
const names = (text: string, id: string): boolean =>
  id.length > 1 &&
  text.split(/[\s"'`(),;]+/u).some((word) => word === id || word.replace(/[.:!?]$/u, '') === id);

/** APR-55: the questions that are put once more: those the agent names, else all that were answered. */
const askedAgain = ({ tasks }: Batch, { named = [], message = '' }: ResumeEnd): readonly string[] => {
  const answered = tasks.filter(({ decision }) => decision?.payload !== undefined);
  const meant = answered.filter(
    ({ interruptId }) => named.includes(interruptId) || names(message, interruptId),
  );
  return (meant.length > 0 ? meant : answered).map(({ taskId }) => taskId);
};

const refusedPayload = (batch: Batch, failed: Failed, end: ResumeEnd): BatchStatus => {
  const reopens = askedAgain(batch, end);
  return { state: 'retry_wait', ...failed, ...(reopens.length > 0 ? { reopens } : {}) };
};

interface Ended {
  readonly end: ResumeEnd;
  readonly now: number;
}

/** APR-16: a resume that may have been received is never sent again on a guess. */
const afterFailure = (batch: Batch, was: UnderWay, { end, now }: Ended): BatchStatus => {
  const failed = failedBy(was, end);
  const kind = failureClassOf(end);
  switch (kind) {
    case 'not-taken':
    case 'repeatable':
      return was.attempt < MAX_ATTEMPTS ? sentAgain(was, end, now) : { state: 'retry_wait', ...failed };
    case 'payload-refused':
      return refusedPayload(batch, failed, end);
    case 'orphaned':
    case 'agent-expired':
      return { state: 'blocked', why: kind, ...failed };
    case 'sets-differ':
    case 'said-failed':
      return { state: 'retry_wait', ...failed };
    case 'unclear':
      return { state: 'unknown', ...failed };
  }
};

/** undefined: this batch has no run that could end. */
export const statusAfter = (batch: Batch, end: ResumeEnd, now: number): BatchStatus | undefined => {
  const { status } = batch;
  if (status.state !== 'dispatching' && status.state !== 'running') return undefined;
  switch (end.outcome) {
    case 'success':
    case 'interrupt':
    case 'cancelled':
      return { state: 'done', at: now, runId: status.runId };
    case 'error':
    case 'lost':
      return afterFailure(batch, status, { end, now });
  }
};
