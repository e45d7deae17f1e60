/** Says what stands between a person and an action now; the same answer guards the deed and fills `may`. */
import { forbidden } from '@triptych/access';
import { ok, refuse, type MayNotReason, type Result } from '@triptych/protocol';
import { denialTo, mends, votingGroups, type Guarded, type Matter } from './matter.js';
import { addsWeight } from './quorum.js';
import { liveClaim, type HeldTask, type OpenTask, type SettledTask } from './task.js';

export type Barrier =
  | { readonly code: 'ALREADY_DECIDED'; readonly task: HeldTask | SettledTask }
  | { readonly code: 'EXPIRED' }
  | { readonly code: 'FORBIDDEN'; readonly because: string; readonly why?: MayNotReason }
  | { readonly code: 'CLAIM_LOST'; readonly by: string; readonly until: number };

const CASTS: ReadonlySet<Guarded> = new Set(['approve', 'reject', 'respond', 'edit', 'cancel']);
const VOTES: ReadonlySet<Guarded> = new Set(['approve', 'respond']);
/** They need the task to be undecided; a comment does not. */
const NEEDS_OPEN: ReadonlySet<Guarded> = new Set([
  ...CASTS,
  'claim',
  'release',
  'heartbeat',
  'takeover',
  'undo',
  'assign',
  'extend',
]);

const isOver = ({ task, now }: Matter, action?: Guarded): Barrier | undefined => {
  switch (task.status) {
    case 'open':
      return now < task.expiresAt ? undefined : { code: 'EXPIRED' };
    case 'held':
      return action === 'undo' && now < task.heldUntil ? undefined : { code: 'ALREADY_DECIDED', task };
    case 'settled':
      return task.decision.kind === 'expired' ? { code: 'EXPIRED' } : { code: 'ALREADY_DECIDED', task };
  }
};

const forbid = (because: string, why?: MayNotReason): Barrier => ({
  code: 'FORBIDDEN',
  because,
  ...(why ? { why } : {}),
});

const forbidding = (matter: Matter, action: Guarded): Barrier | undefined => {
  const denied = denialTo(matter, action);
  if (denied) return forbid(denied.because, denied.mayNot);
  const { actor, task } = matter;
  if (action === 'undo' && task.status !== 'held') return forbid('there is no answer that can be taken back');
  if (VOTES.has(action) && !addsWeight(task, { by: actor.subject, groups: votingGroups(matter) }))
    return forbid('somebody has voted for each of your groups', 'group');
  return undefined;
};

/** They are done to the task, not with it: a claim fences nobody from them. */
const BESIDE_CLAIM: ReadonlySet<Guarded> = new Set(['takeover', 'comment', 'reveal', 'assign', 'extend']);

/** Whoever mends is not fenced by a claim: it may be what was left behind. */
const fenced = (matter: Matter, action: Guarded): Barrier | undefined => {
  const { task, actor, now } = matter;
  const claim = liveClaim(task, now);
  if (!claim || claim.by === actor.subject) return undefined;
  if (BESIDE_CLAIM.has(action)) return undefined;
  if (action === 'cancel' && mends(matter)) return undefined;
  return { code: 'CLAIM_LOST', by: claim.by, until: claim.until };
};

/** The order is the contract's (§5): what happened first, then who asks, then who holds it. */
export const barrierTo = (matter: Matter, action: Guarded): Barrier | undefined =>
  (NEEDS_OPEN.has(action) ? isOver(matter, action) : undefined) ??
  forbidding(matter, action) ??
  fenced(matter, action);

/** The barrier as the caller is told of it: a candidate, who may read all of the task. */
export const refusalOf = (barrier: Barrier): Result<never> => {
  switch (barrier.code) {
    case 'ALREADY_DECIDED': {
      const { kind, by, at } = barrier.task.decision;
      return refuse('ALREADY_DECIDED', { details: { kind, by, at } });
    }
    case 'CLAIM_LOST':
      return refuse('CLAIM_LOST', { details: { by: barrier.by, until: barrier.until } });
    case 'FORBIDDEN':
      return forbidden(barrier.because, barrier.why && { why: barrier.why });
    case 'EXPIRED':
      return refuse('EXPIRED');
  }
};

/** The task while it can still be acted on. */
export const stillOpen = (matter: Matter): Result<OpenTask> => {
  const over = isOver(matter);
  if (over) return refusalOf(over);
  return matter.task.status === 'open' ? ok(matter.task) : refuse('EXPIRED');
};
