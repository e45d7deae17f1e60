/** Finds the tasks of a tenant, open and past, newest first. */
import { asStoreAway, storeCall } from '@triptych/platform';
import type { Redis } from 'ioredis';
import type { IndexPlace } from '../core/approval-store.js';
import type { Batch } from '../core/batch.js';
import { parseTaskId } from '../core/ids.js';
import { batchKey, openIndex, pastIndex } from './approval-keys.js';
import { pageOf, type Page } from './index-page.js';

export class InboxIndex {
  constructor(private readonly redis: Redis) {}

  async enter({ facts: { tenant, taskIds, openedAt } }: Batch): Promise<void> {
    if (taskIds.length === 0) return;
    await storeCall(this.redis.zadd(openIndex(tenant), ...taskIds.flatMap((taskId) => [openedAt, taskId])));
    await storeCall(this.redis.zrem(pastIndex(tenant), ...taskIds));
  }

  tasksOf(tenant: string, page: Page & { readonly index: 'open' | 'past' }): Promise<IndexPlace[]> {
    return pageOf(this.redis, page.index === 'open' ? openIndex(tenant) : pastIndex(tenant), page);
  }

  async retire({ facts: { tenant, openedAt } }: Batch, taskIds: readonly string[]): Promise<void> {
    if (taskIds.length === 0) return;
    await storeCall(this.redis.zadd(pastIndex(tenant), ...taskIds.flatMap((taskId) => [openedAt, taskId])));
    await storeCall(this.redis.zrem(openIndex(tenant), ...taskIds));
  }

  async forget(tenant: string, taskIds: readonly string[]): Promise<void> {
    const there = await this.thereOf(taskIds.flatMap((taskId) => parseTaskId(taskId)?.batchId ?? []));
    const gone = taskIds.filter((taskId) => !there.has(parseTaskId(taskId)?.batchId ?? ''));
    if (gone.length === 0) return;
    for (const index of [openIndex(tenant), pastIndex(tenant)])
      await storeCall(this.redis.zrem(index, ...gone));
  }

  /** A batch that is there and cannot be read keeps its entries: it may be mended. */
  private async thereOf(named: readonly string[]): Promise<ReadonlySet<string>> {
    const batchIds = [...new Set(named)];
    const step = this.redis.pipeline();
    for (const batchId of batchIds) step.exists(batchKey(batchId));
    const replies = (batchIds.length > 0 && (await storeCall(step.exec()))) || [];
    return new Set(
      batchIds.filter((_, nth) => {
        const [error, count] = replies[nth] ?? [];
        if (error) throw asStoreAway(error);
        return Number(count) > 0;
      }),
    );
  }
}
