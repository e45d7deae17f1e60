/** Knocks for lanes through BullMQ: a destination's id only, and nothing is lost with the queue. */
import { createHash } from 'node:crypto';
import { Queue, type ConnectionOptions, type JobsOptions } from 'bullmq';
import type { NotifyKnocks } from '../core/notify-knocks.js';

export const NOTIFY_QUEUE = 'hub-notify';

export interface NotifyJob {
  readonly destination: string;
}

export interface BullNotify extends NotifyKnocks {
  close(): Promise<void>;
}

const FAILED_KEPT_S = 7 * 24 * 3_600;
const SETTINGS: JobsOptions = {
  attempts: 20,
  backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 },
  removeOnComplete: true,
  removeOnFail: { age: FAILED_KEPT_S },
};

const short = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 16);

export const bullNotify = (connection: ConnectionOptions, prefix?: string): BullNotify => {
  const options = { connection, defaultJobOptions: SETTINGS, ...(prefix === undefined ? {} : { prefix }) };
  const queue = new Queue<NotifyJob>(NOTIFY_QUEUE, options);
  return {
    work: async (destination, at, now) => {
      const jobId = `nt-${short(destination)}-${Math.floor(at)}`;
      await queue.add('work', { destination }, { jobId, delay: Math.max(0, Math.ceil(at - now)) });
    },
    close: () => queue.close(),
  };
};
