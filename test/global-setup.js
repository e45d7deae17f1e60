/** Gives the tests a Redis of their own (REDIS_URL), and the embedded one beside it (EMBEDDED_REDIS_URL). */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureRedis } from '../scripts/redis.mjs';

const aRedis = (mode) =>
  ensureRedis({ mode, dataDir: mkdtempSync(join(tmpdir(), 'triptych-redis-')), log: () => {} });

export default async function setup() {
  // Never the REDIS_URL of the environment: tests flush what they are given.
  const [redis, embedded] = await Promise.all([aRedis('auto'), aRedis('embedded')]);
  process.env.REDIS_URL = redis.url;
  process.env.REDIS_KIND = redis.kind;
  process.env.EMBEDDED_REDIS_URL = embedded.url;
  globalThis.__STARTED__ = [redis, embedded];
}
