/** Says how urgent a task is: the longer it waits for its deadline, the more. */
import type { Task } from './task.js';

/** At the deadline, and ever after. */
const MOST_URGENT = 100;

export type Aging = Pick<Task, 'priority' | 'createdAt' | 'dueAt' | 'expiresAt'>;

/** Not rounded: tasks a second apart have an order too. */
export const urgencyAt = ({ priority, createdAt, dueAt, expiresAt }: Aging, now: number): number => {
  const whole = (dueAt ?? expiresAt) - createdAt;
  const waited = whole > 0 ? Math.min(Math.max((now - createdAt) / whole, 0), 1) : 1;
  return priority + (MOST_URGENT - priority) * waited;
};

/** APR-80: as it is shown. What is settled waits no longer. */
export const priorityAt = (task: Task, now: number): number =>
  Math.floor(urgencyAt(task, task.status === 'settled' ? Math.min(now, task.decision.at) : now));
