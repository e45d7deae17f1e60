/** Adds what a person has to say to a task's history. */
import { ok, refuse, type Result } from '@triptych/protocol';
import { barrierTo, refusalOf } from './barrier.js';
import type { Change } from './change.js';
import type { Matter } from './matter.js';
import { remember } from './task.js';

/** A task is no chat room; the history must keep room for what was done. */
const MAX_COMMENTS = 100;

export const comment = (matter: Matter, text: string): Result<Change> => {
  const { task, actor, now } = matter;
  const barrier = barrierTo(matter, 'comment');
  if (barrier) return refusalOf(barrier);
  if (task.history.filter(({ action }) => action === 'comment').length >= MAX_COMMENTS)
    return refuse('PAYLOAD_TOO_LARGE', { details: { limit: 'MAX_COMMENTS' } });
  const history = remember(task, { at: now, by: actor.subject, action: 'comment', text });
  const news = [{ action: 'commented', by: actor.subject, taskId: task.taskId }];
  return ok({ tasks: [{ ...task, history }], news });
};
