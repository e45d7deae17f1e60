/** Finds the tasks of a tenant, open and past, newest first. */
import { storeCall } from '@triptych/platform';
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
    const here = await Promise.all(taskIds.map((taskId) => this.exists(taskId)));
    const gone = taskIds.filter((_, i) => !here[i]);
    if (gone.length === 0) return;
    for (const index of [openIndex(tenant), pastIndex(tenant)])
      await storeCall(this.redis.zrem(index, ...gone));
  }

  /** A batch that is there and cannot be read keeps its entries: it may be mended. */
  private async exists(taskId: string): Promise<boolean> {
    const name = parseTaskId(taskId);
    return name !== undefined && (await storeCall(this.redis.exists(batchKey(name.batchId)))) > 0;
  }
}
