/** Says how BullMQ reaches Redis: its own connections, which wait out every absence. */
import type { ConnectionOptions } from 'bullmq';

export const queueConnection = (redisUrl: string | undefined): ConnectionOptions => {
  const url = new URL(redisUrl ?? 'redis://127.0.0.1:6379');
  return {
    host: url.hostname,
    port: Number(url.port || 6379),
    ...(url.username ? { username: decodeURIComponent(url.username) } : {}),
    ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
    ...(url.pathname.length > 1 ? { db: Number(url.pathname.slice(1)) } : {}),
    ...(url.protocol === 'rediss:' ? { tls: {} } : {}),
    // BullMQ's workers block on their connection and must not give up.
    maxRetriesPerRequest: null,
  };
};
