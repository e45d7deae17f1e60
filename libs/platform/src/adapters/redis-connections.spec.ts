/** Proves how connections behave when Redis goes away, and what is asked of it at the start. */
import { randomUUID } from 'node:crypto';
import { StoreAway } from '@triptych/protocol';
import { freePort } from '@triptych/testkit';
import type { Redis } from 'ioredis';
import { startEmbeddedRedis } from '../../../../test/redis/embedded-redis.js';
import { hasRedisServer, startOwnRedis } from '../../../../test/redis/own-redis.js';
import { startTcpProxy } from '../../../../test/redis/tcp-proxy.js';
import { verifies } from '../../../../test/spec/verifies.js';
import { bootCheck } from './boot-check.js';
import { createLog } from './logger.js';
import { closeRedis, connectRedis } from './redis-connections.js';
import { storeCall } from '../core/store-away.js';
import { ensureSecret } from './secrets.js';

const url = process.env['REDIS_URL'] as string;
const quiet = createLog({ level: 'silent' });
const open: Redis[] = [];
const connect = async (at: string, log = quiet): Promise<Redis> => {
  const redis = await connectRedis(at, 'commands', { log });
  open.push(redis);
  return redis;
};
/** `once` of Node would reject at the errors of a lost connection. */
const told = (redis: Redis, name: string): Promise<void> =>
  new Promise((resolve) => redis.once(name, () => resolve()));

afterEach(async () => {
  await Promise.all(open.splice(0).map(closeRedis));
});

describe('connections', () => {
  if (hasRedisServer()) {
    verifies('PLT-8', 'a command fails at once while Redis is away, and none is queued', async () => {
      const own = await startOwnRedis();
      const redis = await connect(own.url);
      const closed = told(redis, 'close');
      await own.kill();
      await closed;
      const rejected = storeCall(redis.incr('count')).catch((error: unknown) => error);
      const turn = new Promise((resolve) => setImmediate(resolve, 'still waiting'));
      expect(await Promise.race([rejected, turn])).toBeInstanceOf(StoreAway);
      const ready = told(redis, 'ready');
      await own.start();
      await ready;
      expect(await redis.get('count')).toBeNull();
      await own.stop();
    });

    verifies('PLT-10', 'an absence is one line, and so is the return', async () => {
      const own = await startOwnRedis();
      const events: unknown[] = [];
      const destination = { write: (line: string) => void events.push(JSON.parse(line).event) };
      const redis = await connect(own.url, createLog({ level: 'info', destination }));
      const errors: Error[] = [];
      redis.on('error', (error) => errors.push(error));
      await own.kill();
      while (errors.length < 3) await told(redis, 'reconnecting');
      const ready = told(redis, 'ready');
      await own.start();
      await ready;
      expect(events).toEqual(['redis.away', 'redis.back']);
      await own.stop();
    });
  }

  verifies('PLT-9', 'a command whose reply was cut off is not sent again', async () => {
    const proxy = await startTcpProxy(url);
    const direct = await connect(url);
    const redis = await connect(proxy.url);
    const key = `test:${randomUUID()}`;
    proxy.freeze();
    proxy.onRequest((bytes) => {
      if (bytes.includes(key)) proxy.cut();
    });
    const ready = told(redis, 'ready');
    await expect(storeCall(redis.incr(key))).rejects.toBeInstanceOf(StoreAway);
    await ready;
    await redis.ping();
    expect(Number(await direct.get(key))).toBeLessThanOrEqual(1);
    await direct.del(key);
    await proxy.stop();
  });

  verifies('PLT-17', 'a start waits for Redis only so long', async () => {
    const nowhere = `redis://127.0.0.1:${await freePort()}`;
    await expect(connectRedis(nowhere, 'commands', { log: quiet, waitMs: 50 })).rejects.toBeInstanceOf(
      StoreAway,
    );
  });

  verifies('PLT-11', 'the facts come from the server, real or embedded', async () => {
    expect(await bootCheck(await connect(url))).toMatchObject({ usable: true });
    const embedded = await startEmbeddedRedis();
    expect(await bootCheck(await connect(embedded.url))).toMatchObject({ usable: true, embedded: true });
    await embedded.stop();
  });

  verifies('PLT-12', 'many processes that start at once share one secret', async () => {
    const name = randomUUID();
    const hubs = await Promise.all([1, 2, 3, 4].map(() => connect(url)));
    const secrets = await Promise.all(hubs.map((redis) => ensureSecret(redis, name)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]?.length).toBeGreaterThanOrEqual(43);
    await hubs[0]?.del(`tt:secret:${name}`);
  });
});
