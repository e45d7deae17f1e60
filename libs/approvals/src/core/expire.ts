/** Ends what has come due: answers stand that can no longer be taken back, what nobody answered is abandoned. */
import type { Batch } from './batch.js';
import { openTasks } from './batch.js';
import { changeTo, type Change } from './change.js';
import { frontendDeadline, lapseCalls } from './frontend-calls.js';
import { standing } from './hold.js';
import { settled } from './settle.js';
import { HUB, type HeldTask, type OpenTask, type Task } from './task.js';

export const expired = (task: Task, now: number): Task =>
  settled(task, { kind: 'expired', by: [HUB], at: now });

/** undefined: nothing is due. */
export const expireDue = (batch: Batch, now: number): Change | undefined => {
  const stood = standing(batch, now);
  const late = batch.tasks.filter((task) => task.status === 'open' && task.expiresAt <= now);
  const tasks = [...stood, ...late.map((task) => expired(task, now))];
  if (tasks.length === 0) return lapseCalls(batch, now);
  const newsOf =
    (action: string) =>
    ({ taskId }: Task) => ({ action, by: HUB, taskId });
  const news = [...stood.map(newsOf('decided')), ...late.map(newsOf('expired'))];
  return changeTo(batch, now, { tasks, news });
};

const dueAt = (task: OpenTask | HeldTask): number =>
  task.status === 'held' ? task.heldUntil : task.expiresAt;

/** When the next task or call of a batch falls due; undefined: nothing is open. */
export const nextExpiry = (batch: Batch): number | undefined => {
  const calls = frontendDeadline(batch);
  const times = [...openTasks(batch).map(dueAt), ...(calls === undefined ? [] : [calls])];
  return times.length === 0 ? undefined : Math.min(...times);
};
