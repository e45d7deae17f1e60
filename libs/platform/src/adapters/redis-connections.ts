/** Opens connections to Redis, with the habits that each role needs. */
import { Redis, type RedisOptions } from 'ioredis';
import { StoreAway, isStoreAway } from '@triptych/protocol';
import type { Log } from '../core/log.js';
import { nextDelay } from '../core/next-delay.js';
import { asStoreAway } from '../core/store-away.js';
import { reportConnection } from './report-connection.js';

export type RedisRole = 'commands' | 'subscriber' | 'queue';

export interface ConnectOptions {
  readonly log: Log;
  /** How long a start may wait for a Redis that is not there yet. */
  readonly waitMs?: number;
}

/** A start waits this long: the launcher brings Redis back within 2 s, a rescheduled one may need more. */
const CONNECT_WAIT_MS = 30_000;
/** A reply that takes longer will not help its caller any more; Redis answers in milliseconds. */
const COMMAND_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;
/** A peer that does not answer our goodbye is gone. */
const DISCONNECT_TIMEOUT_MS = 250;
/** Readers are late while we wait, so look often. */
const RECONNECT = { baseMs: 50, capMs: 1_000 };

const shared: RedisOptions = {
  lazyConnect: true,
  connectTimeout: CONNECT_TIMEOUT_MS,
  keepAlive: KEEP_ALIVE_MS,
  disconnectTimeout: DISCONNECT_TIMEOUT_MS,
  retryStrategy: (attempt) => nextDelay(attempt, Math.random, RECONNECT),
};

// PLT-9: a command that was cut off may have been carried out; the client must never send it again by itself.
const neverTwice: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  commandTimeout: COMMAND_TIMEOUT_MS,
};

const optionsOf: Record<RedisRole, RedisOptions> = {
  commands: { ...shared, ...neverTwice },
  // The reader of the log subscribes again itself, because it must also read what it missed.
  subscriber: { ...shared, ...neverTwice, autoResubscribe: false },
  // BullMQ blocks on its connection and waits out every absence.
  queue: { ...shared, maxRetriesPerRequest: null },
};

const becomesReady = (redis: Redis, waitMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      redis.off('ready', ready);
      reject(new StoreAway(`Redis did not answer within ${waitMs} ms.`));
    }, waitMs);
    const ready = (): void => {
      clearTimeout(timer);
      resolve();
    };
    redis.once('ready', ready);
  });

/** A connection that is ready; it reconnects for ever with back-off. Rejects with `StoreAway` if none came about. */
export const connectRedis = async (url: string, role: RedisRole, options: ConnectOptions): Promise<Redis> => {
  const redis = new Redis(url, optionsOf[role]);
  reportConnection(redis, options.log.with({ role }));
  const ready = becomesReady(redis, options.waitMs ?? CONNECT_WAIT_MS);
  // The first attempt may fail while later ones succeed: `ready` is the answer, the report has the reason.
  redis.connect().catch((error: unknown) => options.log.debug('redis.connect-failed', { role, error }));
  try {
    await ready;
    return redis;
  } catch (error) {
    redis.disconnect();
    throw error;
  }
};

/** Closes a connection after the replies under way; one that is away is given up at once. */
export const closeRedis = async (redis: Redis): Promise<void> => {
  if (redis.status !== 'ready') return redis.disconnect();
  const ended = new Promise<void>((resolve) => redis.once('end', () => resolve()));
  try {
    await redis.quit();
    await ended;
  } catch (error) {
    // It went away while we said goodbye.
    redis.disconnect();
    if (!isStoreAway(asStoreAway(error))) throw error;
  }
};
