/** Pages through an index of threads, newest first, without repeating or skipping one. */
import type { Redis } from 'ioredis';
import { storeCall } from '@triptych/platform';
import type { ThreadRecord } from '../core/run-record.js';
import { IDLE_INDEX, threadsIndex } from './run-keys.js';

export type IdleName = Pick<ThreadRecord, 'tenant' | 'owner'> & { readonly threadId: string };

/** Says all that is needed to take the thread out of its lists, also when its record is gone. */
export const idleMember = ({ tenant, owner, threadId }: IdleName): string =>
  JSON.stringify([tenant, owner, threadId]);

export const namedBy = (member: string): IdleName => {
  const [tenant, owner, threadId] = JSON.parse(member) as [string, string, string];
  return { tenant, owner, threadId };
};

/** Lists a thread at the time of its last change. */
export const indexThread = async (redis: Redis, thread: ThreadRecord): Promise<void> => {
  const { tenant, owner, updatedAt, threadId } = thread;
  await storeCall(redis.zadd(IDLE_INDEX, updatedAt, idleMember(thread)));
  await storeCall(redis.zadd(threadsIndex(tenant), updatedAt, threadId));
  await storeCall(redis.zadd(threadsIndex(tenant, owner), updatedAt, threadId));
};

interface Place {
  readonly score: number;
  readonly member: string;
}

/** Threads that changed in the same millisecond; more would make a page stop at them. */
const MAX_TIES = 500;

export const cursorOf = ({ score, member }: Place): string =>
  Buffer.from(`${score} ${member}`).toString('base64url');

const placeIn = (cursor: string): Place | undefined => {
  const [, score, member] = /^(\d+) (.+)$/su.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return score === undefined || member === undefined ? undefined : { score: Number(score), member };
};

/** Redis orders equal scores by member, downwards when read in reverse. */
const isAfter = (place: Place, last: Place): boolean =>
  place.score < last.score ||
  (place.score === last.score && Buffer.compare(Buffer.from(place.member), Buffer.from(last.member)) < 0);

export const placesAfter = async (
  redis: Redis,
  index: string,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<readonly Place[]> => {
  const last = cursor === undefined ? undefined : placeIn(cursor);
  const count = last ? limit + MAX_TIES : limit;
  const max = last ? String(last.score) : '+inf';
  const rows = await storeCall(redis.zrevrangebyscore(index, max, '-inf', 'WITHSCORES', 'LIMIT', 0, count));
  const places = Array.from({ length: rows.length / 2 }, (_, nth) => ({
    member: String(rows[2 * nth]),
    score: Number(rows[2 * nth + 1]),
  }));
  return (last ? places.filter((place) => isAfter(place, last)) : places).slice(0, limit);
};
