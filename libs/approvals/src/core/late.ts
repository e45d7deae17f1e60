/** Remembers who decided too late, and what: it changes nothing, but the history tells of it. */
import type { Refusal } from '@triptych/protocol';
import { NO_CHANGE, type Change } from './change.js';
import type { DecideCommand } from './command.js';
import { permits, type Matter } from './matter.js';
import { isRepeat } from './repeat.js';
import { remember } from './task.js';

/** Lines of one task about decisions that came too late; a storm of them may not push out what was done. */
export const MAX_LATE = 20;

/** Somebody else's answer, or the time, came first. */
export const isTooLate = ({ code }: Refusal): boolean => code === 'ALREADY_DECIDED' || code === 'EXPIRED';

/** APR-31: only what would have counted in time is a decision that lost. */
export const noteLate = (matter: Matter, command: DecideCommand): Change => {
  const { task, actor, now } = matter;
  if (task.status === 'open' || isRepeat(matter, command) || !permits(matter, command.verb)) return NO_CHANGE;
  const late = task.history.filter(({ action }) => action === 'late');
  const isKnown = late.some(({ by, text }) => by === actor.subject && text === command.verb);
  if (isKnown || late.length >= MAX_LATE) return NO_CHANGE;
  const line = { at: now, by: actor.subject, action: 'late', text: command.verb };
  return {
    tasks: [{ ...task, history: remember(task, line) }],
    news: [{ action: 'late', by: actor.subject, taskId: task.taskId }],
  };
};
