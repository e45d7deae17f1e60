/** Writes into a task's history who is about to be shown what is redacted, and why; never the value. */
import { ok, refuse, type Result } from '@triptych/protocol';
import { barrierTo, refusalOf } from './barrier.js';
import type { Change } from './change.js';
import { mayBeRevealed, type Matter } from './matter.js';
import { remember } from './task.js';

export interface RevealAsked {
  readonly pointer: string;
  readonly reason: string;
}

/** The history must keep room for what was done. */
export const MAX_REVEALS = 50;

export const noteReveal = (matter: Matter, { pointer, reason }: RevealAsked): Result<Change> => {
  const { task, actor, now } = matter;
  const barrier = barrierTo(matter, 'reveal');
  if (barrier) return refusalOf(barrier);
  if (!mayBeRevealed(matter)) return refuse('NOT_FOUND');
  if (task.history.filter(({ action }) => action === 'reveal').length >= MAX_REVEALS)
    return refuse('PAYLOAD_TOO_LARGE', { details: { limit: 'MAX_REVEALS' } });
  const history = remember(task, { at: now, by: actor.subject, action: 'reveal', pointer, text: reason });
  const news = [{ action: 'revealed', by: actor.subject, taskId: task.taskId }];
  return ok({ tasks: [{ ...task, history }], news });
};
