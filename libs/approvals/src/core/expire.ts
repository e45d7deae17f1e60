/** Ends what nobody answered in time: the hub abandons it, and never approves. */
import type { Batch } from './batch.js';
import { openTasks } from './batch.js';
import { changeTo, type Change } from './change.js';
import { frontendDeadline, lapseCalls } from './frontend-calls.js';
import { settled } from './settle.js';
import { HUB, type Task } from './task.js';

export const expired = (task: Task, now: number): Task =>
  settled(task, { kind: 'expired', by: [HUB], at: now });

/** undefined: nothing is due. */
export const expireDue = (batch: Batch, now: number): Change | undefined => {
  const due = openTasks(batch).filter((task) => task.expiresAt <= now);
  if (due.length === 0) return lapseCalls(batch, now);
  const tasks = due.map((task) => expired(task, now));
  const news = tasks.map(({ taskId }) => ({ action: 'expired', by: HUB, taskId }));
  return changeTo(batch, now, { tasks, news });
};

/** When the next open task or call of a batch falls due; undefined: none is open. */
export const nextExpiry = (batch: Batch): number | undefined => {
  const calls = frontendDeadline(batch);
  const times = [
    ...openTasks(batch).map(({ expiresAt }) => expiresAt),
    ...(calls === undefined ? [] : [calls]),
  ];
  return times.length === 0 ? undefined : Math.min(...times);
};
