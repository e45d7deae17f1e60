/** The stores that every promise of the log is tried on: a real Redis and the embedded one. */
import { randomBytes } from 'node:crypto';
import { closeRedis, connectRedis, createLog } from '@triptych/platform';
import { startEmbeddedRedis } from '../../../test/redis/embedded-redis.js';
import { redisEventLog } from '../src/adapters/redis-event-log.js';
import type { LogStore } from '../src/contract.js';

const log = createLog({ level: 'silent' });

const storeAt = async (url: string, stop: () => Promise<void>): Promise<LogStore> => {
  const closers: (() => Promise<void>)[] = [];
  const connect = async (role: 'commands' | 'subscriber') => {
    const redis = await connectRedis(url, role, { log });
    closers.push(() => closeRedis(redis));
    return redis;
  };
  return {
    redis: await connect('commands'),
    open: async (logKeep) => {
      const events = redisEventLog({
        redis: await connect('commands'),
        subscriber: await connect('subscriber'),
        newEpoch: () => randomBytes(4).toString('hex'),
        log,
        logKeep,
      });
      closers.unshift(async () => events.close());
      return events;
    },
    close: async () => {
      for (const close of closers) await close();
      await stop();
    },
  };
};

export const LOG_STORES: readonly (readonly [name: string, start: () => Promise<LogStore>])[] = [
  ['redis-server', () => storeAt(process.env['REDIS_URL'] as string, async () => undefined)],
  [
    'the embedded server',
    async () => {
      const embedded = await startEmbeddedRedis();
      return storeAt(embedded.url, () => embedded.stop());
    },
  ],
];
