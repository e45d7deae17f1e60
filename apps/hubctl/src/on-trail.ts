/** Reaches the trail that a deployment keeps: in its Redis, with checkpoints in its data. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CheckpointFiles,
  erase,
  RedisSealedTrail,
  RedisTrailStore,
  verifyTrail,
  type ChainVerdict,
  type FoundRecord,
} from '@triptych/audit';
import {
  closeRedis,
  connectRedis,
  createLog,
  publishedKeys,
  writeTrail,
  type Environment,
} from '@triptych/platform';
import type { Redis } from 'ioredis';
import { checkpointsIn, jwksIn } from './verify-files.js';

/** Records in one reply. */
const CHUNK = 2_000;
/** Somebody waits at a terminal. */
const WAIT_MS = 5_000;

export interface VerifyAsked {
  /** Absent: each there is. */
  readonly tenant: string | undefined;
  /** Files to take instead of what the deployment has. */
  readonly checkpoints: string | undefined;
  readonly jwks: string | undefined;
}

/** `npm start` notes where its own Redis listens. */
const redisUrlIn = ({ REDIS_URL: url }: Environment, dataDir: string): string => {
  const noted = join(dataDir, 'redis', 'instance.json');
  if (url) return url;
  if (!existsSync(noted)) throw new Error('REDIS_URL must be set');
  const { port } = JSON.parse(readFileSync(noted, 'utf8')) as { readonly port: number };
  return `redis://127.0.0.1:${port}`;
};

class Trail {
  private readonly sealed: RedisSealedTrail;

  constructor(
    private readonly redis: Redis,
    private readonly dataDir: string,
  ) {
    this.sealed = new RedisSealedTrail(redis);
  }

  async verify({
    tenant,
    checkpoints,
    jwks,
  }: VerifyAsked): Promise<readonly (readonly [string, ChainVerdict])[]> {
    const book = new CheckpointFiles(join(this.dataDir, 'audit'));
    const keys = jwks === undefined ? { keys: [...(await publishedKeys(this.redis))] } : await jwksIn(jwks);
    const verdicts: [string, ChainVerdict][] = [];
    for await (const name of tenant === undefined ? new RedisTrailStore(this.redis).tenants() : [tenant]) {
      const lines = checkpoints === undefined ? book.read(name) : checkpointsIn(checkpoints);
      const records = this.records(name);
      verdicts.push([name, await verifyTrail({ records, checkpoints: lines, jwks: keys })]);
    }
    return verdicts;
  }

  erase(asked: {
    readonly tenant: string;
    readonly subject: string;
    readonly by: string;
  }): Promise<string | undefined> {
    return erase({ trail: this.sealed, write: (note) => writeTrail(this.redis, note) }, asked);
  }

  private async *records(tenant: string): AsyncIterable<readonly FoundRecord[]> {
    for (let at = 0; ;) {
      const chunk = await this.sealed.after(tenant, at, CHUNK);
      if (chunk.length === 0) return;
      yield chunk;
      // One more step even where an entry was put in that has no place of its own.
      at = Math.max(at + 1, chunk.at(-1)?.seq ?? 0);
    }
  }
}

export const onTrail = async <T>(env: Environment, ask: (trail: Trail) => Promise<T>): Promise<T> => {
  const dataDir = env['DATA_DIR'] || '.data';
  const log = createLog({ level: 'silent' });
  const redis = await connectRedis(redisUrlIn(env, dataDir), 'commands', { log, waitMs: WAIT_MS });
  try {
    return await ask(new Trail(redis, dataDir));
  } finally {
    await closeRedis(redis);
  }
};
