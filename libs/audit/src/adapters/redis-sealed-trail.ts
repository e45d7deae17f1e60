/** Reads a tenant's chain from Redis, and forgets the keys of subjects. */
import { readFileSync } from 'node:fs';
import { storeCall } from '@triptych/platform';
import type { Redis } from 'ioredis';
import { START, type Head } from '../core/chain.js';
import type { Secrets } from '../core/opened-record.js';
import type { Kept, SealedTrail } from '../core/sealed-trail.js';
import { auditKeys } from './audit-keys.js';

interface WithScript {
  triptychDropKey(key: string, subject: string): Promise<number>;
}

type Entry = [id: string, fields: string[]];

/** Fields by name: whoever tampered with an entry may have left some out. */
const keptIn = ([id, fields]: Entry): Kept => {
  const named = new Map(
    fields.flatMap((name, nth) => (nth % 2 === 0 ? [[name, fields[nth + 1] ?? ''] as const] : [])),
  );
  return {
    seq: Number.parseInt(id, 10),
    text: named.get('r') ?? '',
    hash: named.get('h') ?? '',
    sealedAt: Number(named.get('t')),
  };
};

export class RedisSealedTrail implements SealedTrail {
  constructor(private readonly redis: Redis) {
    const lua = readFileSync(new URL('./drop-key.lua', import.meta.url), 'utf8');
    redis.defineCommand('triptychDropKey', { numberOfKeys: 1, lua });
  }

  async head(tenant: string): Promise<Head> {
    const [seq, hash] = await storeCall(this.redis.hmget(auditKeys(tenant).head, 'seq', 'hash'));
    return seq && hash ? { seq: Number(seq), hash } : START;
  }

  async after(tenant: string, seq: number, limit: number): Promise<readonly Kept[]> {
    const { chain } = auditKeys(tenant);
    return (await storeCall(this.redis.xrange(chain, `(${seq}-0`, '+', 'COUNT', limit))).map(keptIn);
  }

  async before(tenant: string, seq: number, limit: number): Promise<readonly Kept[]> {
    const { chain } = auditKeys(tenant);
    return (await storeCall(this.redis.xrevrange(chain, `(${seq}-0`, '-', 'COUNT', limit))).map(keptIn);
  }

  async secrets(tenant: string, keys: readonly string[]): Promise<Secrets> {
    if (keys.length === 0) return new Map();
    const fields = keys.map((key) => `k:${key}`);
    const found = await storeCall(this.redis.hmget(auditKeys(tenant).keys, ...fields));
    return new Map(
      found.flatMap((secret, nth) =>
        secret === null ? [] : [[keys[nth] ?? '', Buffer.from(secret, 'base64url')] as const],
      ),
    );
  }

  async keyOf(tenant: string, subject: string): Promise<string | undefined> {
    return (await storeCall(this.redis.hget(auditKeys(tenant).keys, `s:${subject}`))) ?? undefined;
  }

  async dropKey(tenant: string, subject: string): Promise<void> {
    const script = this.redis as unknown as WithScript;
    await storeCall(script.triptychDropKey(auditKeys(tenant).keys, subject));
  }
}
