/** Finds the batches of a tenant that wait for a person. */
import { storeCall } from '@triptych/platform';
import type { Redis } from 'ioredis';
import type { IndexPlace } from '../core/approval-store.js';
import type { BatchFacts } from '../core/batch.js';
import { flaggedIndex } from './approval-keys.js';
import { pageOf, type Page } from './index-page.js';

export class FlaggedIndex {
  constructor(private readonly redis: Redis) {}

  async flag({ tenant, openedAt, batchId }: BatchFacts): Promise<void> {
    await storeCall(this.redis.zadd(flaggedIndex(tenant), openedAt, batchId));
  }

  async unflag({ tenant, batchId }: BatchFacts): Promise<void> {
    await storeCall(this.redis.zrem(flaggedIndex(tenant), batchId));
  }

  flagged(tenant: string, page: Page): Promise<IndexPlace[]> {
    return pageOf(this.redis, flaggedIndex(tenant), page);
  }
}
