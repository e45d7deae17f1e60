/** Lists what a person may do with a task now, by the barriers that guard the doing. */
import type { MayNotReason, TaskAction } from '@triptych/protocol';
import { barrierTo, type Barrier } from './barrier.js';
import { mayBeRevealed, type Guarded, type Matter } from './matter.js';
import { liveClaim, type Task } from './task.js';

const ACTIONS = [
  'claim',
  'release',
  'takeover',
  'assign',
  'comment',
  'extend',
  'approve',
  'reject',
  'respond',
  'edit',
  'cancel',
  'undo',
  'reveal',
] as const satisfies readonly (Guarded & TaskAction)[];
type Offered = (typeof ACTIONS)[number];

/** Whether the action makes sense for this task as it stands, whoever asks. */
const applies = (matter: Matter, action: Offered, redacted: boolean): boolean => {
  const { task, actor, now } = matter;
  const holder = liveClaim(task, now)?.by;
  switch (action) {
    case 'claim':
      return holder !== actor.subject;
    case 'release':
      return holder === actor.subject;
    case 'takeover':
      return holder !== undefined && holder !== actor.subject;
    case 'approve':
      return (task.edit ? task.takes.edit : task.takes.approve) && !hasApproved(task, actor.subject);
    case 'reject':
    case 'respond':
    case 'edit':
      return task.takes[action];
    case 'undo':
      return task.status === 'held';
    case 'reveal':
      return redacted && mayBeRevealed(matter);
    case 'assign':
    case 'comment':
    case 'extend':
    case 'cancel':
      return true;
  }
};

const hasApproved = (task: Task, subject: string): boolean =>
  task.votes.some(({ by, verb }) => by === subject && verb === 'approve');

const reasonOf = (barrier: Barrier): MayNotReason | undefined => {
  if (barrier.code === 'CLAIM_LOST') return 'claimed';
  return barrier.code === 'FORBIDDEN' ? barrier.why : undefined;
};

export interface Offer {
  readonly may: readonly TaskAction[];
  readonly mayNot: Readonly<Partial<Record<TaskAction, MayNotReason>>>;
}

/** `redacted`: reviewers are shown less of the proposal than there is. */
export const offerTo = (matter: Matter, redacted = false): Offer => {
  const judged = ACTIONS.filter((action) => applies(matter, action, redacted)).map((action) => ({
    action,
    barrier: barrierTo(matter, action),
  }));
  const barred = judged.flatMap(({ action, barrier }) => {
    const reason = barrier && reasonOf(barrier);
    return reason === undefined ? [] : [[action, reason] as const];
  });
  return {
    may: judged.filter(({ barrier }) => barrier === undefined).map(({ action }) => action),
    mayNot: Object.fromEntries(barred),
  };
};
