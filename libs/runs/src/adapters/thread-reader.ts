/** Reads what Redis knows of a thread and its run at one moment of the store's clock. */
import type { Redis } from 'ioredis';
import { asStoreAway, storeCall, timeToMs } from '@triptych/platform';
import { StoreAway } from '@triptych/protocol';
import type { ThreadId } from '@triptych/protocol';
import type { RunRecord, ThreadRecord } from '../core/run-record.js';
import { keysOf } from './run-keys.js';
import { recordFrom, threadFrom } from './stored-thread.js';

export interface Loaded {
  /** The store's clock, Unix milliseconds. */
  readonly now: number;
  readonly thread?: ThreadRecord;
  /** The record of the asked runId. */
  readonly record?: RunRecord;
  /** The fields of the run hash. */
  readonly run: Readonly<Record<string, string>>;
}

const valueOf = <T>(reply: [Error | null, unknown] | undefined): T => {
  if (!reply) throw new StoreAway('pipeline answered short');
  if (reply[0]) throw asStoreAway(reply[0]);
  return reply[1] as T;
};

export const loadThread = async (redis: Redis, threadId: ThreadId, runId = ''): Promise<Loaded> => {
  const keys = keysOf(threadId);
  const pipeline = redis.pipeline().time().hgetall(keys.thread).hgetall(keys.run).hget(keys.runs, runId);
  const replies = await storeCall(pipeline.exec());
  const run = valueOf<Record<string, string>>(replies?.[2]);
  const thread = threadFrom(valueOf<Record<string, string>>(replies?.[1]), run);
  const record = recordFrom(valueOf<string | null>(replies?.[3]));
  return {
    now: timeToMs(valueOf(replies?.[0])),
    run,
    ...(thread ? { thread } : {}),
    ...(record ? { record } : {}),
  };
};
