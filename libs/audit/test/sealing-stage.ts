/** Lets sealers loose on a Redis of their own, and looks at what they have sealed. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeRedis, connectRedis, createLog, threadTrail, writeTrail } from '@triptych/platform';
import { ownDatabase } from '@triptych/testkit';
import type { Redis } from 'ioredis';
import { auditKeys } from '../src/adapters/audit-keys.js';
import { CheckpointFiles } from '../src/adapters/checkpoint-files.js';
import { RedisSealedTrail } from '../src/adapters/redis-sealed-trail.js';
import { RedisTrailStore } from '../src/adapters/redis-trail-store.js';
import { checkpointIn, type Checkpoint } from '../src/core/checkpoint.js';
import { boxesOf, openRecord, sealedIn, type OpenedRecord } from '../src/core/opened-record.js';
import { Sealer } from '../src/shell/sealer.js';
import { verifyTrail } from '../src/shell/verify-trail.js';
import { each, noteOf, Notary } from './notary.js';

export const TENANT = 'acme';
const log = createLog({ level: 'silent' });

export const nthOf = ({ after }: OpenedRecord): number => (after as { payload: { nth: number } }).payload.nth;

export class SealingStage {
  /** A sealer looks at every tenant there is. */
  private readonly database = ownDatabase();
  readonly url = `${process.env['REDIS_URL']}/${this.database}`;
  readonly keys = auditKeys(TENANT);
  redis!: Redis;
  folder = '';
  book!: CheckpointFiles;
  notary = new Notary();
  told: string[] = [];

  /** The same database on whatever stands before it. */
  connect(server = String(process.env['REDIS_URL'])): Promise<Redis> {
    return connectRedis(`${server}/${this.database}`, 'commands', { log });
  }

  async begin(): Promise<void> {
    this.redis = await this.connect();
  }

  async empty(): Promise<void> {
    await this.redis.flushdb();
    this.folder = mkdtempSync(join(tmpdir(), 'triptych-sealer-'));
    this.book = new CheckpointFiles(this.folder);
    this.notary = new Notary();
    this.told = [];
  }

  clear(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  end(): Promise<void> {
    return closeRedis(this.redis);
  }

  sealerOn(connection: Redis = this.redis, checkpoints = this.book): Sealer {
    return new Sealer({
      store: new RedisTrailStore(connection),
      book: checkpoints,
      signer: this.notary,
      threadOf: (thread) => Promise.resolve({ tenant: TENANT, owner: `owner of ${thread}` }),
      report: (event) => void this.told.push(event),
      writer: randomUUID(),
    });
  }

  write(nth: number, thread?: string, tenant = TENANT): Promise<void> {
    return writeTrail(this.redis, noteOf(nth, { tenant, subject: thread === undefined ? {} : { thread } }));
  }

  /** Many at once, as a busy minute leaves them. */
  async writeMany(count: number, thread = 't'): Promise<void> {
    await this.write(0, thread);
    const step = this.redis.pipeline();
    for (let nth = 1; nth < count; nth++)
      step.xadd(threadTrail(thread), '*', 'record', JSON.stringify(noteOf(nth, { subject: { thread } })));
    await step.exec();
  }

  async sealed(tenant = TENANT): Promise<readonly OpenedRecord[]> {
    const trail = new RedisSealedTrail(this.redis);
    const kept = await trail.after(tenant, 0, 100_000);
    const records = kept.flatMap(({ text }) => sealedIn(text) ?? []);
    const keys = new Set(records.flatMap((record) => boxesOf(record).map(({ key }) => key)));
    const secrets = await trail.secrets(tenant, [...keys]);
    return records.map((record) => openRecord(record, secrets));
  }

  async linesIn(checkpoints = this.book): Promise<string[]> {
    const lines: string[] = [];
    for await (const line of checkpoints.read(TENANT)) lines.push(line);
    return lines;
  }

  async checkpointsIn(): Promise<readonly Checkpoint[]> {
    return (await this.linesIn()).map((line) => checkpointIn(line)!);
  }

  async verdict() {
    return verifyTrail({
      records: each([await new RedisSealedTrail(this.redis).after(TENANT, 0, 100_000)]),
      checkpoints: each(await this.linesIn()),
      jwks: this.notary.jwks,
    });
  }

  /** As if the lease of whoever died had run out. */
  forgetWriter(): Promise<number> {
    return this.redis.del(this.keys.lead);
  }

  /** Each thread's records once, in the order in which they were written. */
  async expectEachOnce(expected: Readonly<Record<string, number>>): Promise<void> {
    const found: Record<string, number[]> = {};
    for (const record of await this.sealed())
      (found[record.subject.thread ?? 'loose'] ??= []).push(nthOf(record));
    const whole = Object.entries(expected).map(([thread, count]) => [
      thread,
      Array.from({ length: count }, (_, nth) => nth),
    ]);
    expect(found).toEqual(Object.fromEntries(whole));
  }
}
