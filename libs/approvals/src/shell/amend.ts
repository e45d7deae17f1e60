/** Changes a batch as a judge says: read, judge, replace if nothing came between, else again. */
import { refuse, type Result } from '@triptych/protocol';
import type { Loaded } from '../core/approval-store.js';
import type { Batch } from '../core/batch.js';
import type { Cause } from '../core/cause.js';
import { asksAnew, isNoChange, withChange, type Change } from '../core/change.js';
import { applyDue, DISPATCH_GRACE_MS, nextLook } from '../core/due.js';
import { isUnanswered } from '../core/frontend-calls.js';
import { isStuck } from '../core/mend.js';
import { HUB } from '../core/task.js';
import { forgetEnded } from './claims.js';
import { beside, type Desk } from './desk.js';
import { knockDues } from './knock-dues.js';

/** In each round of a race somebody wins, so this many people would have to be faster. */
const MAX_ROUNDS = 256;
const TRY_AGAIN_MS = 250;

export interface Amended extends Loaded {
  /** It was this that made the batch ready: told once, to the one who made it. */
  readonly becameReady: boolean;
}

export type Judge = (loaded: Loaded) => Result<Change>;

/** Sweep and sealer are told before the batch is: whoever dies in between leaves at worst a look for nothing. */
const tellAhead = async ({ store }: Desk, { batch, now }: Loaded, change: Change): Promise<void> => {
  const { status } = change;
  const after = withChange(batch, change);
  // What ends without a run lets go of its thread after the change: the sweep sees to it where nobody did.
  const next = isUnanswered(after) ? now + DISPATCH_GRACE_MS : nextLook(after, now);
  const isSooner = status !== undefined || (next ?? Infinity) < (nextLook(batch, now) ?? Infinity);
  await Promise.all([
    store.expectRecord(batch, now),
    ...(asksAnew(batch, change) ? [store.announce(after)] : []),
    ...(next !== undefined && isSooner ? [store.watch(batch, next)] : []),
    ...(status && isStuck(status) ? [store.flag(batch.facts)] : []),
  ]);
};

const follow = (
  desk: Desk,
  { batch: before, now }: Loaded,
  { change, after }: { readonly change: Change; readonly after: Batch },
): void => {
  const closed = change.tasks.filter(({ status }) => status === 'settled').map(({ taskId }) => taskId);
  beside(desk, 'approvals.index-late', desk.store.retire(after, closed));
  knockDues(desk, { batch: after, now }, before);
  if (isUnanswered(after)) beside(desk, 'approvals.release-late', desk.store.release(after));
  const { status } = change;
  if (status?.state !== 'ready') return;
  beside(desk, 'approvals.knock-failed', desk.knocks.dispatch(after.facts.batchId, status.attempt + 1));
};

/** One try. undefined: something came between. */
export const amendOnce = async (
  desk: Desk,
  loaded: Loaded,
  { change, cause }: { readonly change: Change; readonly cause: Cause },
): Promise<Amended | undefined> => {
  const { batch, now } = loaded;
  await tellAhead(desk, loaded, change);
  if ((await desk.store.replace(batch, change, cause)) !== 'replaced') return undefined;
  const after = { ...withChange(batch, change), version: batch.version + 1 };
  follow(desk, loaded, { change, after });
  forgetEnded(desk, batch, change);
  return { now, batch: after, becameReady: change.status?.state === 'ready' };
};

export interface Amending {
  readonly batchId: string;
  /** Who answers for it in the trail. */
  readonly cause: Cause;
}

export const amend = async (
  desk: Desk,
  { batchId, cause }: Amending,
  judge: Judge,
): Promise<Result<Amended>> => {
  let becameReady = false;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const loaded = await desk.store.load(batchId);
    if (!loaded) return refuse('NOT_FOUND');
    const due = applyDue(loaded.batch, loaded.now);
    if (!isNoChange(due)) {
      // APR-71: whoever comes by sees to what fell due, in the hub's name, before they are heard themselves.
      becameReady ||= (await amendOnce(desk, loaded, { change: due, cause: HUB }))?.becameReady ?? false;
      continue;
    }
    const judged = judge(loaded);
    if (!judged.ok) return judged;
    if (isNoChange(judged.value)) return { ok: true, value: { ...loaded, becameReady } };
    const amended = await amendOnce(desk, loaded, { change: judged.value, cause });
    if (amended) return { ok: true, value: { ...amended, becameReady: becameReady || amended.becameReady } };
  }
  return refuse('RATE_LIMITED', { retryAfterMs: TRY_AGAIN_MS });
};
