/** Finds the batches whose time has come: one sorted set of all tenants, written ahead of each step. */
import { DueSet } from '@triptych/platform';
import type { Redis } from 'ioredis';
import type { Taken } from '../core/approval-store.js';
import type { Batch } from '../core/batch.js';
import { BUSY_INDEX } from './approval-keys.js';

/** Whoever took a batch looks at it within this; else it is given to the next. Milliseconds. */
const TAKEN_MS = 10_000;

const memberOf = (batchId: string, openedAt: number): string => `${batchId}@${openedAt}`;

export class DueIndex {
  private readonly set: DueSet;

  constructor(redis: Redis) {
    this.set = new DueSet(redis, { key: BUSY_INDEX, takenMs: TAKEN_MS, ahead: true });
  }

  watch({ facts: { batchId, openedAt } }: Batch, at: number): Promise<void> {
    return this.set.watch(memberOf(batchId, openedAt), at);
  }

  async takeDue(limit: number): Promise<readonly Taken[]> {
    const taken = await this.set.takeDue(limit);
    return taken.map(({ member, mark }) => {
      const [batchId = '', openedAt] = member.split('@');
      return { batchId, openedAt: Number(openedAt), mark };
    });
  }

  settle({ batchId, openedAt, mark }: Taken, again: number | undefined): Promise<void> {
    return this.set.settle({ member: memberOf(batchId, openedAt), mark }, again);
  }
}
