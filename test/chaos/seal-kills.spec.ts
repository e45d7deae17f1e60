/** Kills the worker again and again while records are written, and looks at what is sealed. */
import { spawnSync } from 'node:child_process';
import { writeTrail } from '@triptych/platform';
import { Product, until } from '@triptych/testkit';
import { Redis } from 'ioredis';
import { RedisSealedTrail } from '../../libs/audit/src/index.js';
import { verifies } from '../spec/verifies.js';

const STORY_MS = 240_000;
const TENANT = 'default';
const THREADS = 10;
const EACH = 120;
const KILLS = 4;

/** Of no thread is what the worker says of itself: which policy is in force. */
interface Sealed {
  readonly subject: { readonly thread?: string };
  readonly at: number;
  readonly seq: number;
}

verifies(
  'AUD-15',
  'a worker that is killed while it seals has another seal the rest: each record once, in its thread’s order',
  async () => {
    const product = await Product.start();
    const redis = new Redis(product.redisUrl());
    try {
      await product.losesNothing();
      const write = async (thread: string): Promise<void> => {
        for (let nth = 0; nth < EACH; nth++)
          await writeTrail(redis, {
            ...{ tenant: TENANT, actor: { id: 'mo', via: 'api' }, action: 'test.step' },
            ...{ subject: { thread }, after: { nth } },
          });
      };
      const written = Promise.all(Array.from({ length: THREADS }, (_, n) => write(`thread-${n}`)));
      const trail = new RedisSealedTrail(redis);
      for (let kill = 0; kill < KILLS; kill++) {
        const { seq } = await trail.head(TENANT);
        await until(async () => (await trail.head(TENANT)).seq > seq || seq >= THREADS * EACH);
        await product.returned('worker', await product.kill('worker'));
      }
      await written;
      const sealed = async () =>
        (await trail.after(TENANT, 0, 10_000)).map(({ text }) => JSON.parse(text) as Sealed);
      const ofThreads = (all: readonly Sealed[]) => all.filter(({ subject }) => subject.thread !== undefined);
      await until(async () => ofThreads(await sealed()).length >= THREADS * EACH);
      const records = await sealed();
      expect(records.map(({ seq }) => seq)).toEqual(records.map((_, n) => n + 1));
      expect(ofThreads(records)).toHaveLength(THREADS * EACH);
      for (let n = 0; n < THREADS; n++) {
        const own = records.filter(({ subject }) => subject.thread === `thread-${n}`);
        expect(own).toHaveLength(EACH);
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
