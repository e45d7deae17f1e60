/** Kills the worker again and again while records are written, and looks at what is sealed. */
import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { writeTrail } from '@triptych/platform';
import { Product, until } from '@triptych/testkit';
import { Redis } from 'ioredis';
import { AuditReader, isRecord, RedisSealedTrail } from '../../libs/audit/src/index.js';
import { verifies } from '../spec/verifies.js';

const STORY_MS = 240_000;
const TENANT = 'default';
const THREADS = 10;
const KILLS = 4;
/** Between two records of a thread, ms. */
const PACE_MS = 50;
/** More than are written in the time there is, and all that one page looks at. */
const MANY = 20_000;

/** What the worker says of itself may be sealed before any of ours. */
const FEW = 100;
const ACTION = 'test.step';
const isOurs = ({ text }: { readonly text: string }): boolean => text.includes(ACTION);

interface Writer {
  readonly thread: string;
  written: number;
}

/** Record after record until it is over, each with its place in its thread. */
const write = async (redis: Redis, writer: Writer, { signal }: AbortController): Promise<void> => {
  while (!signal.aborted) {
    await writeTrail(redis, {
      ...{ tenant: TENANT, actor: { id: 'mo', via: 'api' }, action: ACTION },
      ...{ subject: { thread: writer.thread }, after: { nth: writer.written } },
    });
    writer.written += 1;
    await pause(PACE_MS);
  }
};

verifies(
  'AUD-15',
  'a worker that is killed while it seals has another seal the rest: each record once, in its thread’s order',
  async () => {
    const product = await Product.start();
    const redis = new Redis(product.redisUrl());
    try {
      await product.losesNothing();
      const trail = new RedisSealedTrail(redis);
      const writers = Array.from({ length: THREADS }, (_, n): Writer => ({ thread: `t-${n}`, written: 0 }));
      const written = () => writers.reduce((sum, writer) => sum + writer.written, 0);
      const sealed = async () =>
        (await new AuditReader(trail).page(TENANT, { limit: MANY })).items.filter(isRecord).toReversed();
      // Of no thread is what the worker says of itself: which policy is in force.
      const sealedOfThreads = async () =>
        (await sealed()).filter(({ subject }) => subject.thread !== undefined).length;

      /** Kills the worker once it seals, and tells how many records it left to another. */
      const round = async (): Promise<number> => {
        const over = new AbortController();
        const writing = Promise.all(writers.map((writer) => write(redis, writer, over)));
        try {
          const { seq } = await trail.head(TENANT);
          await until(async () => (await trail.after(TENANT, seq, FEW)).some(isOurs));
          const killed = await product.kill('worker');
          const soFar = written();
          const left = soFar - (await sealedOfThreads());
          await product.returned('worker', killed);
          return left;
        } finally {
          over.abort();
          await writing;
        }
      };
      const left: number[] = [];
      for (let kill = 0; kill < KILLS; kill++) left.push(await round());
      expect(left.filter((count) => count > 0).length).toBeGreaterThan(0);

      await until(async () => (await sealedOfThreads()) >= written());
      const records = await sealed();
      expect(records.map(({ seq }) => seq)).toEqual(records.map((_, n) => n + 1));
      expect(await sealedOfThreads()).toBe(written());
      for (const { thread, written: count } of writers) {
        const own = records.filter(({ subject }) => subject.thread === thread);
        expect(own.map(({ after }) => after)).toEqual(Array.from({ length: count }, (_, nth) => ({ nth })));
        expect(own.map(({ at }) => at)).toEqual(own.map(({ at }) => at).toSorted((a, b) => a - b));
      }
      const env = { ...process.env, REDIS_URL: product.redisUrl(), DATA_DIR: product.dataDir };
      const verified = spawnSync(process.execPath, ['scripts/hubctl.mjs', 'audit', 'verify'], {
        env,
        encoding: 'utf8',
      });
      expect([verified.status, verified.stdout]).toEqual([
        0,
        expect.stringContaining(`records 1 to ${records.length}`),
      ]);
    } finally {
      redis.disconnect();
      await product.stop();
    }
  },
  STORY_MS,
);
