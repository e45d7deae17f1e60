/** Plans the resume of a batch that is ready, and says what its end makes of the batch. */
import type { RunErrorCode } from '@triptych/protocol';
import type { Batch, BatchStatus } from './batch.js';
import { withChange, type Change } from './change.js';
import { expired } from './expire.js';
import { HUB, type Task } from './task.js';

/** About ten minutes of a growing back-off; after that somebody should look at the agent. */
export const MAX_ATTEMPTS = 8;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 5 * 60_000;

export const retryDelay = (attempt: number): number =>
  Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, attempt - 1));

/** An expired interrupt can only be abandoned, even where it was answered in time (AG-UI 1.0). */
const isTooLate = (task: Task, now: number): boolean =>
  task.status === 'settled' &&
  task.decision.payload !== undefined &&
  task.agentDeadline !== undefined &&
  task.agentDeadline <= now;

const isHeld = ({ tasks }: Batch): boolean =>
  tasks.every((task) => task.status === 'settled' && task.decision.kind === 'expired') &&
  tasks.some(({ ruling }) => ruling.onAllExpired === 'hold');

/** A name that was asked for but could not be had for this long is given up: the answer matters more. Milliseconds. */
const NAME_PATIENCE_MS = 30_000;

/** undefined: the batch does not wait to be sent, or not yet. */
export const planDispatch = (batch: Batch, now: number, freshRunId: string): Change | undefined => {
  const { status } = batch;
  if (status.state !== 'ready' || now < status.notBefore) return undefined;
  const tasks = batch.tasks.filter((task) => isTooLate(task, now)).map((task) => expired(task, now));
  const lapsed = tasks.map(({ taskId }) => ({ action: 'expired', by: HUB, taskId }));
  if (tasks.length > 0 && isHeld(withChange(batch, { tasks, news: [] })))
    return {
      tasks,
      status: { state: 'blocked', why: 'all-expired' },
      news: [...lapsed, { action: 'blocked', by: HUB }],
    };
  const named = now - status.notBefore < NAME_PATIENCE_MS ? status.runId : undefined;
  const next: BatchStatus = { state: 'dispatching', attempt: status.attempt + 1, runId: named ?? freshRunId };
  return { tasks, status: next, news: [...lapsed, { action: next.state, by: HUB }] };
};

/** How a resumed run ended. */
export interface ResumeEnd {
  readonly outcome: 'success' | 'interrupt' | 'cancelled' | 'error' | 'lost';
  /** The resume may have reached the agent. */
  readonly sent: boolean;
  /** The agent takes the same resume twice without harm. */
  readonly idempotent: boolean;
  readonly code?: string;
  /** What the conversation tells of a call's result. */
  readonly resultOf?: (toolCallId: string) => string | undefined;
}

/** The agent itself said that it failed; every other end leaves open how far it came. */
const saidByAgent = ({ outcome, code }: ResumeEnd): boolean =>
  outcome === 'error' && !(code ?? '').startsWith('hub/');

/** Ends before the agent had its say: the line broke, or it fell silent. */
const CUT_SHORT: ReadonlySet<string> = new Set<RunErrorCode>([
  'hub/upstream-truncated',
  'hub/runner-lost',
  'hub/agent-unavailable',
  'hub/timeout-first-event',
  'hub/timeout-idle',
  'hub/timeout-total',
]);
const isCutShort = ({ outcome, code }: ResumeEnd): boolean => outcome === 'lost' || CUT_SHORT.has(code ?? '');

/**
 * APR-16: a resume that may have been received is sent again by itself only if the agent bears it and had no say. What
 * it answered once, that it failed or what no hub may take, it would answer again.
 */
const afterFailure = (
  { attempt, runId }: { readonly attempt: number; readonly runId: string },
  end: ResumeEnd,
  now: number,
): BatchStatus => {
  const code = end.code === undefined ? {} : { code: end.code };
  const mayRepeat = !end.sent || (end.idempotent && isCutShort(end));
  // A resume that was never sent left no run behind, so that its name is free and whoever waits for it still may.
  const again = end.sent ? {} : { runId };
  if (mayRepeat && attempt < MAX_ATTEMPTS)
    return { state: 'ready', attempt, notBefore: now + retryDelay(attempt), ...again };
  return { state: mayRepeat || saidByAgent(end) ? 'retry_wait' : 'unknown', attempt, runId, ...code };
};

/** undefined: this batch has no run that could end. */
export const statusAfter = ({ status }: Batch, end: ResumeEnd, now: number): BatchStatus | undefined => {
  if (status.state !== 'dispatching' && status.state !== 'running') return undefined;
  switch (end.outcome) {
    case 'success':
    case 'interrupt':
    case 'cancelled':
      return { state: 'done', at: now, runId: status.runId };
    case 'error':
    case 'lost':
      return afterFailure(status, end, now);
  }
};
