/** Moves the time by which a task should be answered; the time at which it ends stays. */
import { ok, refuse, type Result } from '@triptych/protocol';
import { barrierTo, refusalOf, stillOpen } from './barrier.js';
import { NO_CHANGE, type Change } from './change.js';
import type { Matter } from './matter.js';
import { remember, type OpenTask } from './task.js';

export interface ExtendCommand {
  readonly rev: number;
  /** Unix milliseconds. */
  readonly dueAt: number;
}

/** APR-40: nobody is promised more time than there is. */
export const extend = (matter: Matter, { rev, dueAt }: ExtendCommand): Result<Change> => {
  const barrier = barrierTo(matter, 'extend');
  if (barrier) return refusalOf(barrier);
  const open = stillOpen(matter);
  if (!open.ok) return open;
  const task = open.value;
  if (task.dueAt === dueAt) return ok(NO_CHANGE);
  if (rev !== task.rev) return refuse('STALE_REVISION');
  if (dueAt <= matter.now || dueAt > task.expiresAt)
    return refuse('INVALID_INPUT', {
      message: 'dueAt must be in the future, and no later than expiresAt.',
      details: { pointer: '/dueAt' },
    });
  const { subject: by } = matter.actor;
  const line = { at: matter.now, by, action: 'extend' };
  const next: OpenTask = { ...task, dueAt, rev: task.rev + 1, history: remember(task, line) };
  return ok({
    tasks: [next],
    news: [{ action: 'extended', by, taskId: task.taskId }],
    notAfter: task.expiresAt,
  });
};
