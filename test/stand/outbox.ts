/** What the outboxes of threads say became of their tasks and batches. */
import { threadKey } from '@triptych/platform';
import type { Redis } from 'ioredis';

export interface OutboxLine {
  readonly kind: 'task' | 'batch';
  readonly action: string;
  readonly by: string;
  readonly batchId: string;
  readonly taskId?: string;
}

export const outboxOf = async (redis: Redis, threadId: string): Promise<readonly OutboxLine[]> => {
  const entries = await redis.xrange(threadKey(threadId, 'outbox'), '-', '+');
  return entries.map(([, [, line]]) => JSON.parse(line ?? '') as OutboxLine);
};
