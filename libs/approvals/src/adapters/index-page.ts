/** Reads a page of an index that is walked newest first. */
import { storeCall } from '@triptych/platform';
import type { Redis } from 'ioredis';
import type { IndexPlace } from '../core/approval-store.js';

export interface Page {
  readonly after?: IndexPlace;
  readonly limit: number;
}

/** The text of a pair list `[member, score, …]` as places. */
export const placesOf = (flat: readonly string[]): IndexPlace[] =>
  flat.flatMap((member, i) => (i % 2 === 0 ? [{ member, score: Number(flat[i + 1]) }] : []));

const isAfter = (place: IndexPlace, after: IndexPlace | undefined): boolean =>
  !after || place.score < after.score || (place.score === after.score && place.member < after.member);

export const pageOf = async (redis: Redis, key: string, { after, limit }: Page): Promise<IndexPlace[]> => {
  const places: IndexPlace[] = [];
  // Tasks of one batch share a score, so the page begins within the score where the last one ended.
  for (let offset = 0; places.length < limit; offset += limit) {
    const max = after?.score ?? '+inf';
    const flat = await storeCall(
      redis.zrevrangebyscore(key, max, '-inf', 'WITHSCORES', 'LIMIT', offset, limit),
    );
    const found = placesOf(flat);
    places.push(...found.filter((place) => isAfter(place, after)));
    if (found.length < limit) break;
  }
  return places.slice(0, limit);
};
