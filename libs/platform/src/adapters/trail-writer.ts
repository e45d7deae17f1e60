/** Writes records into the trail's streams, for whoever has no script of his own to write them with. */
import { trailText, type TrailNote } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { storeCall } from '../core/store-away.js';
import { timeToMs } from '../core/time-to-ms.js';
import { looseTrail, pendingTrails, threadTrail, TRAIL_TENANTS } from '../core/trail-keys.js';

export interface Announced {
  readonly tenant: string;
  readonly threadId: string;
  /** Unix milliseconds of the store. */
  readonly now: number;
}

/** The thread is about to have a record: to be awaited before that is written. */
export const announceTrail = async (redis: Redis, { tenant, threadId, now }: Announced): Promise<void> => {
  await Promise.all([
    storeCall(redis.sadd(TRAIL_TENANTS, tenant)),
    storeCall(redis.zadd(pendingTrails(tenant), 'GT', now, threadId)),
  ]);
};

const append = (redis: Redis, stream: string, note: TrailNote): Promise<unknown> =>
  storeCall(redis.xadd(stream, '*', 'record', trailText(note)));

/** The same for a step that somebody else takes: announced by now, true when the step is. */
export const trailRiders = async (
  redis: Redis,
  note: TrailNote,
  threadId: string,
): Promise<readonly (readonly [command: 'XADD', ...args: string[]])[]> => {
  const now = timeToMs(await storeCall(redis.time()));
  await announceTrail(redis, { tenant: note.tenant, threadId, now });
  return [['XADD', threadTrail(threadId), '*', 'record', trailText(note)]];
};

/** Kept when this returns: in the stream of the thread that the note names, else in its tenant's own. */
export const writeTrail = async (redis: Redis, note: TrailNote): Promise<void> => {
  const { tenant, subject } = note;
  if (subject.thread === undefined) {
    await storeCall(redis.sadd(TRAIL_TENANTS, tenant));
    await append(redis, looseTrail(tenant), note);
    return;
  }
  const now = timeToMs(await storeCall(redis.time()));
  await announceTrail(redis, { tenant, threadId: subject.thread, now });
  await append(redis, threadTrail(subject.thread), note);
};
