/** Changes a batch as a judge says: read, judge, replace if nothing came between, else again. */
import { refuse, type Result } from '@triptych/protocol';
import type { Loaded } from '../core/approval-store.js';
import type { Batch } from '../core/batch.js';
import type { Cause } from '../core/cause.js';
import { isNoChange, withChange, type Change } from '../core/change.js';
import { nextExpiry } from '../core/expire.js';
import { isStuck } from '../core/mend.js';
import type { HeldTask } from '../core/task.js';
import { beside, type Desk } from './desk.js';

/** In each round of a race somebody wins, so this many people would have to be faster. */
const MAX_ROUNDS = 256;
/** The queue has this long to begin a resume before the sweep looks after it. Milliseconds. */
export const DISPATCH_GRACE_MS = 5_000;
const TRY_AGAIN_MS = 250;

export interface Amended extends Loaded {
  /** This change made the batch ready: told once, to the one who made it. */
  readonly becameReady: boolean;
}

export type Judge = (loaded: Loaded) => Result<Change>;

const heldIn = ({ tasks }: Change): readonly HeldTask[] => tasks.filter((task) => task.status === 'held');

/** When the sweep must have looked, for what the change brings about; undefined: that it was told before will do. */
const lookBy = ({ batch, now }: Loaded, change: Change): number | undefined => {
  if (change.status) return now + DISPATCH_GRACE_MS;
  return heldIn(change).length > 0 ? nextExpiry(withChange(batch, change)) : undefined;
};

/** Sweep and sealer are told before the batch is: whoever dies in between leaves at worst a look for nothing. */
const tellAhead = async ({ store }: Desk, loaded: Loaded, change: Change): Promise<void> => {
  const { batch, now } = loaded;
  const at = lookBy(loaded, change);
  await Promise.all([
    store.expectRecord(batch, now),
    ...(at === undefined ? [] : [store.watch(batch, at)]),
    ...(change.status && isStuck(change.status) ? [store.flag(batch)] : []),
  ]);
};

const follow = (desk: Desk, after: Batch, change: Change): void => {
  const closed = change.tasks.filter(({ status }) => status === 'settled').map(({ taskId }) => taskId);
  beside(desk, 'approvals.index-late', desk.store.retire(after, closed));
  // Each hold is of another revision, so that its knock is another one.
  const holds = heldIn(change).map(({ taskId, heldUntil, rev }) =>
    desk.knocks.wakeAt(taskId, heldUntil, rev),
  );
  beside(desk, 'approvals.knock-failed', Promise.all(holds));
  const { status } = change;
  if (status?.state !== 'ready') return;
  beside(desk, 'approvals.knock-failed', desk.knocks.dispatch(after.facts.batchId, status.attempt + 1));
};

/** undefined: something came between. */
const attempt = async (
  desk: Desk,
  loaded: Loaded,
  { change, cause }: { readonly change: Change; readonly cause: Cause },
): Promise<Amended | undefined> => {
  const { batch, now } = loaded;
  await tellAhead(desk, loaded, change);
  if ((await desk.store.replace(batch, change, cause)) !== 'replaced') return undefined;
  const after = { ...withChange(batch, change), version: batch.version + 1 };
  follow(desk, after, change);
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
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const loaded = await desk.store.load(batchId);
    if (!loaded) return refuse('NOT_FOUND');
    const judged = judge(loaded);
    if (!judged.ok) return judged;
    if (isNoChange(judged.value)) return { ok: true, value: { ...loaded, becameReady: false } };
    const amended = await attempt(desk, loaded, { change: judged.value, cause });
    if (amended) return { ok: true, value: amended };
  }
  return refuse('RATE_LIMITED', { retryAfterMs: TRY_AGAIN_MS });
};
