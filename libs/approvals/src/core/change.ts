/** What a judgement changes in a batch, as values: the store makes all of it true or none. */
import type { ToolMessage } from '@triptych/protocol';
import { isWaiting, type Batch, type BatchStatus } from './batch.js';
import type { SettledTask, Task } from './task.js';

/** One line for the thread's outbox: ids and verbs, never what was decided on. */
export interface News {
  readonly action: string;
  readonly by: string;
  readonly taskId?: string;
}

export interface Change {
  /** The tasks as they shall be. */
  readonly tasks: readonly Task[];
  readonly status?: BatchStatus;
  /** All answers to the client's calls as they shall be. */
  readonly answers?: readonly ToolMessage[];
  readonly news: readonly News[];
  /** The change is void from this moment on (Unix ms), by the store's clock. */
  readonly notAfter?: number;
}

export const NO_CHANGE: Change = { tasks: [], news: [] };

export const isNoChange = (change: Change): boolean =>
  change.tasks.length === 0 && change.status === undefined && change.answers === undefined;

export const withChange = (batch: Batch, change: Change): Batch => ({
  ...batch,
  status: change.status ?? batch.status,
  ...(change.answers ? { answers: change.answers } : {}),
  tasks: batch.tasks.map((task) => change.tasks.find(({ taskId }) => taskId === task.taskId) ?? task),
});

/** Whether something is asked anew that was settled, and has left the index of what is open. */
export const asksAnew = ({ tasks }: Batch, change: Change): boolean => {
  const settled = new Set(tasks.filter(({ status }) => status === 'settled').map(({ taskId }) => taskId));
  return change.tasks.some(({ taskId, status }) => status !== 'settled' && settled.has(taskId));
};

/** Two changes, the second judged on top of the first, as one. */
export const joined = (first: Change, second: Change): Change => {
  const later = new Set(second.tasks.map(({ taskId }) => taskId));
  const status = second.status ?? first.status;
  const answers = second.answers ?? first.answers;
  const deadlines = [first.notAfter, second.notAfter].filter((at) => at !== undefined);
  return {
    tasks: [...first.tasks.filter(({ taskId }) => !later.has(taskId)), ...second.tasks],
    ...(status ? { status } : {}),
    ...(answers ? { answers } : {}),
    news: [...first.news, ...second.news],
    ...(deadlines.length > 0 ? { notAfter: Math.min(...deadlines) } : {}),
  };
};

/** The name under which somebody waits for the batch's answers. */
const wishedRunId = ({ tasks }: Batch): { readonly runId?: string } => {
  const runId = tasks.flatMap((task) => (task.status === 'held' ? [task.runId] : [])).find((id) => id);
  return runId === undefined ? {} : { runId };
};

/** What a batch becomes when its last task is settled. */
const completed = (tasks: readonly Task[], now: number, wished: { readonly runId?: string }): BatchStatus => {
  const settled = tasks.filter((task): task is SettledTask => task.status === 'settled');
  const allExpired = settled.every((task) => task.decision.kind === 'expired');
  const held = settled.some((task) => task.ruling.onAllExpired === 'hold');
  return allExpired && held
    ? { state: 'blocked', why: 'all-expired' }
    : { state: 'ready', attempt: 0, notBefore: now, ...wished };
};

/** The change that puts these tasks in place, with all that follows for their batch. */
export const changeTo = (batch: Batch, now: number, change: Change): Change => {
  const after = withChange(batch, change);
  // APR-14: readiness is emitted once, by the change that settles what was open last.
  if (batch.status.state !== 'open' || isWaiting(after)) return change;
  const status = completed(after.tasks, now, wishedRunId(batch));
  return { ...change, status, news: [...change.news, { action: status.state, by: 'hub' }] };
};
