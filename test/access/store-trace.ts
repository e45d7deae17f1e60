/** Reads all that the product keeps, so that a test can tell whether anything was left behind. */
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** Signs of life, and the trail, which is sealed when its time comes: they change by themselves. */
const RESTLESS = /^(?:tt:(?:agents|probe|unread|live|trails?)\b|tt:\{[\w-]+\}:trail$|bull:.*:stalled)/u;

const valueOf = async (redis: Redis, key: string): Promise<unknown> => {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return Object.entries(await redis.hgetall(key)).toSorted(([a], [b]) => (a < b ? -1 : 1));
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return (await redis.smembers(key)).toSorted();
    case 'zset':
      return redis.zrange(key, '0', '-1', 'WITHSCORES');
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return null;
  }
};

export type Trace = Readonly<Record<string, string>>;

/** Every key with a print of what it holds; `except` names threads that are at work meanwhile. */
export const traceOf = async (redis: Redis): Promise<Trace> => {
  const keys = (await redis.keys('*')).filter((key) => !RESTLESS.test(key)).toSorted();
  const prints = keys.map(async (key) => {
    const text = JSON.stringify(await valueOf(redis, key));
    return [key, createHash('sha256').update(text).digest('base64url')] as const;
  });
  return Object.fromEntries(await Promise.all(prints));
};
