/** Tells those who are to answer that the time to do so is near, or over. */
import { HUB, remember, type OpenTask } from './task.js';

/** undefined: none is to come. Those that would come before the question itself never do. */
export const nextReminder = (task: OpenTask): number | undefined => {
  const { dueAt, createdAt, remindedAt = createdAt, ruling } = task;
  if (dueAt === undefined) return undefined;
  const times = ruling.remindMs.map((before) => dueAt - before).filter((at) => at > remindedAt);
  return times.length === 0 ? undefined : Math.min(...times);
};

/** Of several whose time has passed one is enough. */
export const reminded = (task: OpenTask, now: number): OpenTask => ({
  ...task,
  remindedAt: now,
  history: remember(task, { at: now, by: HUB, action: 'remind' }),
});

/** Once for each due time: where it is moved, what passes is another. */
export const nextBreach = ({ dueAt, overdueAt }: OpenTask): number | undefined =>
  dueAt === overdueAt ? undefined : dueAt;

export const overdue = (task: OpenTask, now: number): OpenTask => ({
  ...task,
  ...(task.dueAt === undefined ? {} : { overdueAt: task.dueAt }),
  history: remember(task, { at: now, by: HUB, action: 'overdue' }),
});
