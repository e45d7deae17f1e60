/** Proves that old threads are forgotten whole by the processes as they run, and those that wait are not. */
import { closeRedis, connectRedis, createLog, threadKey, threadTrail, writeTrail } from '@triptych/platform';
import { AMELIA, MO, Product, TOVE, until } from '@triptych/testkit';
import { trailText, type TaskView, type ThreadSummary } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { verifies } from '../spec/verifies.js';
import { quickAgent, type QuickAgent } from './quick-agent.js';
import { trailOf } from './trail-of.js';

const JOURNEY_MS = 180_000;
const LONG_AGO = String(Date.now() - 3 * 86_400_000);

let agent: QuickAgent;
let product: Product;
let redis: Redis;
beforeAll(async () => {
  const finishing = ({ threadId, runId }: { threadId: string; runId: string }) => [
    { type: 'RUN_STARTED', threadId, runId },
    { type: 'RUN_FINISHED', threadId, runId },
  ];
  agent = await quickAgent({ hello: finishing });
  product = await Product.start({ AGENTS_FILE: agent.agentsFile, THREAD_TTL_DAYS: '1' });
  redis = await connectRedis(product.redisUrl(), 'commands', { log: createLog({ level: 'silent' }) });
}, JOURNEY_MS);
afterAll(async () => {
  await closeRedis(redis);
  await product.stop();
  await agent.stop();
}, JOURNEY_MS);

const run = async (threadId: string, content: string): Promise<void> => {
  const messages = [{ id: `m-${threadId}`, role: 'user', content }];
  const body = { threadId, runId: 'r', messages, tools: [], context: [] };
  const token = await product.token(AMELIA);
  await (await product.fetch('/v1/agents/quick/run', { token, body })).text();
};

/** As if nothing had happened to it since. */
const age = async (threadId: string): Promise<void> => {
  const member = JSON.stringify(['default', AMELIA.sub, threadId]);
  await redis.hset(threadKey(threadId, 'thread'), 'updatedAt', LONG_AGO);
  await redis.zadd('tt:idle', LONG_AGO, member);
};

const statusOf = async (threadId: string): Promise<number> =>
  (await product.fetch(`/v1/threads/${threadId}`, { token: await product.token(AMELIA) })).status;

describe('threads that nothing happened to for long', () => {
  verifies(
    'RUN-26',
    'are gone for everyone; one that waits for a person stays',
    async () => {
      await run('waiting', 'ask');
      await run('old', 'hello');
      await run('young', 'hello');
      const screen = await product.screen('customer', AMELIA);
      await screen.subscribe('old');
      await age('waiting');
      await age('old');
      await until(async () => (await statusOf('old')) === 404);
      expect([await statusOf('waiting'), await statusOf('young')]).toEqual([200, 200]);
      const { items } = await product.json<{ items: ThreadSummary[] }>('/v1/threads', {
        token: await product.token(MO),
      });
      expect(items.map(({ threadId }) => threadId).toSorted()).toEqual(['waiting', 'young']);
      expect(await redis.keys(threadKey('old', '*'))).toEqual([]);
      await screen.until('old', ({ run: shown }) => shown === undefined);
      const tasks = await product.json<{ items: TaskView[] }>('/v1/approvals?threadId=waiting', {
        token: await product.token(TOVE),
      });
      expect(tasks.items).toHaveLength(1);
    },
    JOURNEY_MS,
  );

  verifies(
    'AUD-10',
    'leave their trail behind, also what of it was not sealed yet',
    async () => {
      await run('told', 'hello');
      const note = {
        ...{ tenant: 'default', action: 'task.told', actor: { id: 'hub', via: 'system' } as const },
        subject: { thread: 'told' },
      };
      // The thread is forgotten before the sealer hears of the record.
      await redis.xadd(threadTrail('told'), '*', 'record', trailText(note));
      await age('told');
      await until(async () => (await statusOf('told')) === 404);
      expect(await redis.xlen(threadTrail('told'))).toBe(1);
      await writeTrail(redis, note);
      const sealed = async () => (await trailOf(product, { thread: 'told' })).length;
      await until(async () => (await sealed()) === 2);
      expect(await redis.xlen(threadTrail('told'))).toBe(0);
    },
    JOURNEY_MS,
  );
});
