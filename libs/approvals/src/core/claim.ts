/** Lends a task to one person for a while, so that two do not work on it at once. */
import { ok, refuse, type Result } from '@triptych/protocol';
import { barrierTo, refusalOf, stillOpen } from './barrier.js';
import { NO_CHANGE, type Change } from './change.js';
import type { Matter } from './matter.js';
import { HUB, liveClaim, remember, type Claim, type OpenTask } from './task.js';

/** A claim nobody renews lapses after this; a page sends a heartbeat well within it. Milliseconds. */
export const CLAIM_MS = 5 * 60_000;
/** However busy its holder, a claim ends here, so that nobody sits on a task. Milliseconds. */
export const MAX_CLAIM_MS = 30 * 60_000;

type ClaimAction = 'claim' | 'release' | 'heartbeat' | 'takeover';

const taken = (
  matter: Matter,
  task: OpenTask,
  { action, text }: { action: ClaimAction; text?: string },
): Change => {
  const { actor, now } = matter;
  const claim: Claim = { by: actor.subject, until: now + CLAIM_MS, maxUntil: now + MAX_CLAIM_MS };
  const line = { at: now, by: actor.subject, action, ...(text === undefined ? {} : { text }) };
  const next: OpenTask = { ...task, claim, rev: task.rev + 1, history: remember(task, line) };
  const news = [{ action: 'claimed', by: actor.subject, taskId: task.taskId }];
  return { tasks: [next], news, notAfter: task.expiresAt };
};

/** The task, if this person may do this to it now. */
const permitted = (matter: Matter, action: ClaimAction): Result<OpenTask> => {
  const open = stillOpen(matter);
  if (!open.ok) return open;
  const barrier = barrierTo(matter, action);
  return barrier ? refusalOf(barrier) : open;
};

/** Claiming what one already holds is a success and changes nothing. */
export const claim = (matter: Matter): Result<Change> => {
  const open = permitted(matter, 'claim');
  if (!open.ok) return open;
  if (liveClaim(open.value, matter.now)) return ok(NO_CHANGE);
  return ok(taken(matter, open.value, { action: 'claim' }));
};

export const release = (matter: Matter): Result<Change> => {
  const open = permitted(matter, 'release');
  if (!open.ok) return open;
  const { claim: held, ...rest } = open.value;
  if (held?.by !== matter.actor.subject) return ok(NO_CHANGE);
  const line = { at: matter.now, by: matter.actor.subject, action: 'release' };
  const next: OpenTask = { ...rest, rev: rest.rev + 1, history: remember(rest, line) };
  return ok({ tasks: [next], news: [{ action: 'released', by: line.by, taskId: rest.taskId }] });
};

/** Renews a claim that is still held; one that lapsed must be claimed again. `rev` stays. */
export const heartbeat = (matter: Matter): Result<Change> => {
  const open = permitted(matter, 'heartbeat');
  if (!open.ok) return open;
  const held = liveClaim(open.value, matter.now);
  if (!held) return refuse('CLAIM_LOST');
  const until = Math.min(matter.now + CLAIM_MS, held.maxUntil);
  const next: OpenTask = { ...open.value, claim: { ...held, until } };
  return ok({
    tasks: [next],
    news: [{ action: 'renewed', by: held.by, taskId: next.taskId }],
    notAfter: held.until,
  });
};

/** `rev` stays: until somebody else claims it, its holder may come back and go on. */
export const lapsed = ({ claim: held, ...task }: OpenTask, now: number): OpenTask => {
  const line = { at: now, by: HUB, action: 'lapse', ...(held ? { text: held.by } : {}) };
  return { ...task, history: remember(task, line) };
};

export interface TakeoverCommand {
  readonly rev: number;
  readonly reason: string;
}

/** Takes a claim away from its holder, who from then on hears CLAIM_LOST. */
export const takeover = (matter: Matter, { rev, reason }: TakeoverCommand): Result<Change> => {
  const open = permitted(matter, 'takeover');
  if (!open.ok) return open;
  if (liveClaim(open.value, matter.now)?.by === matter.actor.subject) return ok(NO_CHANGE);
  if (rev !== open.value.rev) return refuse('STALE_REVISION');
  return ok(taken(matter, open.value, { action: 'takeover', text: reason }));
};
