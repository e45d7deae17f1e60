/** Does with a batch what an operator decides who answers for it by name. */
import { ok, refuse, type BatchState, type Result } from '@triptych/protocol';
import { openTasks, type Batch, type BatchStatus } from './batch.js';
import { NO_CHANGE, type Change } from './change.js';
import { withLapsed } from './frontend-calls.js';
import { reopened, reopening } from './reopen.js';
import { settled } from './settle.js';
import { remember, unheld, type Task } from './task.js';

/** Nothing more happens to such a batch by itself. */
export const STUCK_STATES: readonly BatchState[] = ['retry_wait', 'unknown', 'blocked'];

export const isStuck = ({ state }: { readonly state: BatchState }): boolean => STUCK_STATES.includes(state);

export interface Mender {
  readonly by: string;
  /** Unix milliseconds. */
  readonly now: number;
  readonly reason?: string;
  /** The attempt that came to nothing, as whoever decides saw it. */
  readonly attempt?: number;
}

export type Mend = (batch: Batch, mender: Mender) => Result<Change>;

const noted = ({ tasks }: Batch, action: string, { by, now, reason }: Mender): readonly Task[] => {
  const line = { at: now, by, action, ...(reason === undefined ? {} : { text: reason }) };
  return tasks.map((task) => ({ ...task, history: remember(task, line) }));
};

const unanswered = (batch: Batch): Result<never> =>
  refuse('RESUME_REQUIRED', { details: { open: openTasks(batch).map(({ interruptId }) => interruptId) } });

/** APR-29: the answers stay what they were. */
const goingAgain = (batch: Batch, attempt: number, mender: Mender): Change => ({
  tasks: noted(batch, 'retry', mender),
  status: { state: 'ready', attempt, notBefore: mender.now },
  news: [{ action: 'retry', by: mender.by }],
});

const STALE = { message: 'Another attempt was made since you looked.' };

/** Asking again for what is under way, or over, is a success and changes nothing. */
export const retry: Mend = (batch, mender) => {
  const { status } = batch;
  const last = 'attempt' in status ? status.attempt : undefined;
  // APR-100: a repeated wish is not a second one.
  if (isStuck(status) && mender.attempt !== undefined && mender.attempt !== last)
    return refuse('STALE_REVISION', { ...STALE, details: { attempts: last ?? 0 } });
  switch (status.state) {
    case 'retry_wait':
    case 'unknown':
      return ok(goingAgain(batch, status.attempt, mender));
    case 'blocked':
      return ok(goingAgain(batch, 0, mender));
    case 'open':
      return unanswered(batch);
    case 'ready':
    case 'dispatching':
    case 'running':
    case 'done':
      return ok(NO_CHANGE);
  }
};

/** APR-59: every question is put once more, except what its agent itself takes no longer. */
const askingAgain: Mend = (batch, { by, now, reason }) => {
  const why = { by, now, action: 'reopen', ...(reason === undefined ? {} : { text: reason }) } as const;
  const change = reopening(
    batch,
    batch.tasks.map((task) => reopened(task, why)),
    why,
  );
  return change.status?.state === 'open' ? ok(change) : refuse('EXPIRED');
};

export const reopen: Mend = (batch, mender) => {
  switch (batch.status.state) {
    case 'ready':
    case 'retry_wait':
    case 'unknown':
    case 'blocked':
      return askingAgain(batch, mender);
    case 'open':
      return ok(NO_CHANGE);
    case 'dispatching':
    case 'running':
      return refuse('THREAD_BUSY');
    case 'done':
      return refuse('ALREADY_DECIDED');
  }
};

const isAbandoned = (task: Task): boolean => task.status === 'settled' && task.decision.payload === undefined;

const abandoned = (task: Task, { by, now, reason }: Mender): Task => {
  const verdict = { kind: 'cancelled', by: [by], at: now, reason } as const;
  return settled(task.status === 'held' ? { ...unheld(task), status: 'settled' } : task, verdict);
};

/** APR-60: its agent hears of every question that nobody answers it. Calls of a client are no longer waited for. */
const abandoning = (batch: Batch, mender: Mender): Change => {
  const { by, now } = mender;
  const cancelled = { action: 'cancel', by };
  if (batch.tasks.length === 0) return { tasks: [], status: { state: 'done', at: now }, news: [cancelled] };
  const tasks = batch.tasks.filter((task) => !isAbandoned(task)).map((task) => abandoned(task, mender));
  const decided = tasks.map(({ taskId }) => ({ action: 'decided', by, taskId }));
  return {
    ...{ tasks, status: { state: 'ready', attempt: 0, notBefore: now }, news: [...decided, cancelled] },
    ...(batch.facts.frontend ? { answers: withLapsed(batch) } : {}),
  };
};

export const cancel: Mend = (batch, mender) => {
  const isDone = batch.tasks.every(isAbandoned);
  switch (batch.status.state) {
    case 'open':
    case 'retry_wait':
    case 'unknown':
    case 'blocked':
      return ok(abandoning(batch, mender));
    case 'ready':
      return ok(isDone ? NO_CHANGE : abandoning(batch, mender));
    case 'dispatching':
    case 'running':
      return isDone ? ok(NO_CHANGE) : refuse('THREAD_BUSY');
    case 'done':
      return isDone ? ok(NO_CHANGE) : refuse('ALREADY_DECIDED');
  }
};

const declaredDone = (batch: Batch, { by, now }: Mender): BatchStatus => {
  const { status } = batch;
  return {
    ...{ state: 'done', at: now, by },
    ...('runId' in status && status.runId !== undefined ? { runId: status.runId } : {}),
    ...(status.state === 'blocked' && status.why === 'orphaned' ? { orphaned: true } : {}),
  };
};

/** APR-61: nothing is sent any more; whatever was to be done has been, or is done elsewhere. */
export const markDone: Mend = (batch, mender) => {
  switch (batch.status.state) {
    case 'ready':
    case 'retry_wait':
    case 'unknown':
    case 'blocked':
      return ok({
        tasks: noted(batch, 'mark-done', mender),
        status: declaredDone(batch, mender),
        news: [{ action: 'mark-done', by: mender.by }],
      });
    case 'open':
      return unanswered(batch);
    case 'dispatching':
    case 'running':
      return refuse('THREAD_BUSY');
    case 'done':
      return ok(NO_CHANGE);
  }
};
