/** Keeps in Redis which tasks a person may be holding: one sorted set a person, gone when their last claim must be. */
import { asStoreAway, storeCall } from '@triptych/platform';
import type { Redis } from 'ioredis';
import { MAX_CLAIM_MS } from '../core/claim.js';
import type { ClaimIndex, Holder } from '../core/claim-index.js';
import { claimIndex } from './approval-keys.js';
import { placesOf } from './index-page.js';

const keyOf = ({ tenant, subject }: Holder): string => claimIndex(tenant, subject);

export const redisClaimIndex = (redis: Redis): ClaimIndex => ({
  note: async (holder, taskId, now) => {
    const key = keyOf(holder);
    const step = redis
      .multi()
      .zremrangebyscore(key, '-inf', now - MAX_CLAIM_MS)
      .zadd(key, now, taskId)
      .pexpire(key, MAX_CLAIM_MS)
      .zcard(key);
    const [error, count] = (await storeCall(step.exec()))?.at(-1) ?? [];
    if (error) throw asStoreAway(error);
    return Number(count);
  },
  noted: async (holder) => {
    const flat = await storeCall(redis.zrange(keyOf(holder), '0', '-1', 'WITHSCORES'));
    return placesOf(flat).map(({ member, score }) => ({ taskId: member, at: score }));
  },
  forget: async (holder, taskIds) => {
    if (taskIds.length > 0) await storeCall(redis.zrem(keyOf(holder), ...taskIds));
  },
});
