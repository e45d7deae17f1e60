/** Knocks through BullMQ: ids only, and nothing is lost with the queue. */
import { createHash } from 'node:crypto';
import { Queue, type ConnectionOptions, type JobsOptions } from 'bullmq';
import type { ApprovalKnocks } from '../core/approval-knocks.js';

export const RESUME_QUEUE = 'hub-resume';
export const TIMER_QUEUE = 'hub-timer';

export interface ResumeJob {
  readonly batchId: string;
  readonly attempt: number;
}
export interface TimerJob {
  readonly id: string;
}

/** How a queue stands; nothing in it decides anything. */
interface QueueStanding {
  readonly queue: string;
  readonly waiting: number;
  /** Not due yet. */
  readonly later: number;
  readonly failed: number;
  /** When the one that waits longest was due; Unix milliseconds. */
  readonly oldestAt?: number;
}

export interface BullKnocks extends ApprovalKnocks {
  standing(): Promise<readonly QueueStanding[]>;
  close(): Promise<void>;
}

/** Failed knocks are kept for who wants to know why; their work was done by the sweep. Seconds. */
const FAILED_KEPT_S = 7 * 24 * 3_600;
const SETTINGS: JobsOptions = {
  attempts: 20,
  backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 },
  removeOnComplete: true,
  removeOnFail: { age: FAILED_KEPT_S },
};

const standingOf = async (queue: Queue): Promise<QueueStanding> => {
  const { waiting = 0, active = 0, delayed = 0, failed = 0 } = await queue.getJobCounts();
  const [oldest] = await queue.getJobs(['waiting'], 0, 0, true);
  return {
    queue: queue.name,
    waiting: waiting + active,
    later: delayed,
    failed,
    ...(oldest === undefined ? {} : { oldestAt: oldest.timestamp + (oldest.opts.delay ?? 0) }),
  };
};

/** Queue job ids may hold no colon and not be digits alone, so our ids go in by their hash. */
const short = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 16);

export const bullKnocks = (connection: ConnectionOptions, prefix?: string): BullKnocks => {
  const options = { connection, defaultJobOptions: SETTINGS, ...(prefix === undefined ? {} : { prefix }) };
  const resumes = new Queue<ResumeJob>(RESUME_QUEUE, options);
  const timers = new Queue<TimerJob>(TIMER_QUEUE, options);
  return {
    dispatch: async (batchId, attempt) => {
      await resumes.add('dispatch', { batchId, attempt }, { jobId: `rs-${short(batchId)}-${attempt}` });
    },
    wakeAt: async ({ id, kind, at }, now) => {
      const jobId = `tm-${short(`${id} ${kind}`)}-${at}`;
      await timers.add(kind, { id }, { jobId, delay: Math.max(0, at - now) });
    },
    standing: () => Promise.all([standingOf(timers), standingOf(resumes)]),
    close: async () => {
      await Promise.all([resumes.close(), timers.close()]);
    },
  };
};
