/** Puts questions to people once more whose answers came to nothing; what was said before stays in their history. */
import { openTasks, type Batch } from './batch.js';
import { changeTo, withChange, type Change } from './change.js';
import { expired } from './expire.js';
import { HUB, remember, type Task, type Vote } from './task.js';

export interface Reopening {
  readonly by: string;
  /** Unix milliseconds. */
  readonly now: number;
  readonly action: 'reopen' | 'void';
  readonly text?: string;
  /** The agent's own words, for operators. */
  readonly said?: string;
}

/** The rule's time begins anew, but what the agent itself takes no longer cannot be asked again. */
const deadlineOf = ({ ruling, agentDeadline = Infinity }: Task, now: number): number =>
  Math.min(now + ruling.ttlMs, agentDeadline);

/** `votes`: those that still count. */
export const reopened = (task: Task, reopening: Reopening, votes: readonly Vote[] = []): Task => {
  const { now, by, action, text, said } = reopening;
  const expiresAt = deadlineOf(task, now);
  if (expiresAt <= now) return task.decision?.kind === 'expired' ? task : expired(task, now);
  const { decision: _decision, claim: _claim, dueAt: _due, overdueAt: _overdue, ...rest } = task;
  const line = {
    ...{ at: now, by, action },
    ...(text === undefined ? {} : { text }),
    ...(said === undefined ? {} : { said }),
  };
  return {
    ...rest,
    status: 'open',
    rev: task.rev + 1,
    votes,
    expiresAt,
    remindedAt: now,
    ...(task.ruling.dueMs === undefined ? {} : { dueAt: now + task.ruling.dueMs }),
    history: remember(task, line),
  };
};

/** These tasks take the place of the ones they were; their batch is open again if any of them is. */
export const reopening = (batch: Batch, tasks: readonly Task[], { by, now, action }: Reopening): Change => {
  const moved = tasks.filter((task) => !batch.tasks.includes(task));
  const news = moved.map(({ taskId, status }) => ({
    action: status === 'open' ? action : 'expired',
    by: status === 'open' ? by : HUB,
    taskId,
  }));
  const asked: Batch = { ...batch, status: { state: 'open' } };
  const change = { tasks: moved, news };
  if (openTasks(withChange(asked, change)).length === 0) return changeTo(asked, now, change);
  return { ...change, status: asked.status, news: [...news, { action: 'open', by }] };
};

/** Its agent could not use an answer, and nobody has been asked again yet. */
export const isRefused = ({ status }: Batch): boolean =>
  status.state === 'retry_wait' && status.reopens !== undefined;

/** APR-55: what the agent could not use is asked again; undefined: nothing of this batch is. */
export const reopenRefused = (batch: Batch, now: number): Change | undefined => {
  const { status } = batch;
  if (status.state !== 'retry_wait' || !status.reopens) return undefined;
  const { reopens, message } = status;
  const why: Reopening = {
    ...{ by: HUB, now, action: 'reopen', text: 'The agent could not use the answer.' },
    ...(message === undefined ? {} : { said: message }),
  };
  const tasks = batch.tasks.filter(({ taskId }) => reopens.includes(taskId));
  return reopening(
    batch,
    tasks.map((task) => reopened(task, why)),
    why,
  );
};
