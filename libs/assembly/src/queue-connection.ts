/** Says how BullMQ reaches Redis: its own connections, which wait out every absence. */
import type { ConnectionOptions } from 'bullmq';

const REDIS_PORT = 6379;

export const queueConnection = (redisUrl: string): ConnectionOptions => {
  const url = new URL(redisUrl);
  return {
    host: url.hostname,
    port: Number(url.port || REDIS_PORT),
    ...(url.username ? { username: decodeURIComponent(url.username) } : {}),
    ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
    ...(url.pathname.length > 1 ? { db: Number(url.pathname.slice(1)) } : {}),
    ...(url.protocol === 'rediss:' ? { tls: {} } : {}),
    // BullMQ's workers block on their connection and must not give up.
    maxRetriesPerRequest: null,
  };
};
