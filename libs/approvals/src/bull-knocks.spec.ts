/** Knocks on real queues: what a worker is told, and how often. */
import { once } from 'node:events';
import { closeRedis, connectRedis, createLog, threadTag } from '@triptych/platform';
import { Queue, Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../test/spec/verifies.js';
import { bullKnocks, RESUME_QUEUE, TIMER_QUEUE, type BullKnocks } from './adapters/bull-knocks.js';
import { batchIdOf, taskIdOf } from './core/ids.js';

const DATABASE = ownDatabase();
const log = createLog({ level: 'silent' });

describe('knocks through BullMQ', () => {
  let redis: Redis;
  let knocks: BullKnocks;
  const queues: Queue[] = [];
  const queue = (name: string): Queue => {
    const made = new Queue(name, { connection: redis });
    queues.push(made);
    return made;
  };
  beforeAll(async () => {
    redis = await connectRedis(`${process.env['REDIS_URL']}/${DATABASE}`, 'queue', { log });
    await redis.flushdb();
    knocks = bullKnocks(redis);
  });
  afterAll(async () => {
    await Promise.all([knocks.close(), ...queues.map((made) => made.close())]);
    await closeRedis(redis);
  });

  const batchId = batchIdOf(threadTag('thread: 7'), '123');
  const taskId = taskIdOf(batchId, 'i:1');

  verifies(
    'APR-26',
    'the same knock is one job, another attempt another, and both say ids only',
    async () => {
      for (const attempt of [1, 1, 2]) await knocks.dispatch(batchId, attempt);
      const jobs = await queue(RESUME_QUEUE).getJobs(['waiting']);
      expect(jobs).toHaveLength(2);
      for (const attempt of [1, 2])
        expect(jobs.map(({ data }) => data as unknown)).toContainEqual({ batchId, attempt });
      for (const { id } of jobs) expect(id).toMatch(/^rs-[0-9a-f]{16}-[12]$/);
    },
  );

  verifies(
    'APR-26',
    'QT-01 QT-08: a timer waits for its time, a past one does not, and a moved deadline is another job',
    async () => {
      const later = Date.now() + 86_400_000 * 30;
      const now = Date.now();
      const expire = { id: taskId, kind: 'expire', at: later };
      await knocks.wakeAt(expire, now);
      await knocks.wakeAt(expire, now);
      await knocks.wakeAt({ ...expire, at: later + 1_000 }, now);
      await knocks.wakeAt({ ...expire, kind: 'remind' }, now);
      await knocks.wakeAt({ id: `${taskId}x`, kind: 'expire', at: 0 }, now);
      const timers = queue(TIMER_QUEUE);
      const delayed = await timers.getJobs(['delayed']);
      for (const { id, data } of delayed) {
        expect(id).toMatch(/^tm-[0-9a-f]{16}-\d+$/u);
        expect(data).toEqual({ id: taskId });
      }
      for (const job of delayed) expect(job.delay).toBeGreaterThan(86_400_000 * 29);
      expect(await timers.getJobCounts('waiting', 'delayed')).toMatchObject({ waiting: 1, delayed: 3 });
    },
  );

  verifies('APR-26', 'a worker hears of the batch', async () => {
    const connection = await connectRedis(`${process.env['REDIS_URL']}/${DATABASE}`, 'queue', { log });
    const heard: unknown[] = [];
    const worker = new Worker(RESUME_QUEUE, async (job: Job) => heard.push(job.data), { connection });
    await once(worker, 'drained');
    expect(heard).toContainEqual({ batchId, attempt: 1 });
    await worker.close();
    await closeRedis(connection);
  });
});
