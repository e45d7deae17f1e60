/** Proves that everything is sealed exactly once, wherever sealers die and however many there are, and vouched for. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  closeRedis,
  connectRedis,
  createLog,
  looseTrail,
  threadTrail,
  TRAIL_TENANTS,
  writeTrail,
} from '@triptych/platform';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { startTcpProxy, type TcpProxy } from '../../../../test/redis/tcp-proxy.js';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { each, noteOf, Notary } from '../../test/notary.js';
import { auditKeys } from '../adapters/audit-keys.js';
import { CheckpointFiles } from '../adapters/checkpoint-files.js';
import { RedisSealedTrail } from '../adapters/redis-sealed-trail.js';
import { RedisTrailStore } from '../adapters/redis-trail-store.js';
import { CHECKPOINT_AFTER_MS, checkpointIn, checkpointLine, type Checkpoint } from '../core/checkpoint.js';
import { openRecord, boxesOf, sealedIn, type OpenedRecord } from '../core/opened-record.js';
import { Sealer } from './sealer.js';
import { verifyTrail } from './verify-trail.js';

/** A sealer looks at every tenant there is. */
const DATABASE = ownDatabase();
const url = `${process.env['REDIS_URL']}/${DATABASE}`;
const log = createLog({ level: 'silent' });
const CRASH_MS = 120_000;
const TENANT = 'acme';
const keys = auditKeys(TENANT);

let redis: Redis;
let folder: string;
let book: CheckpointFiles;
let notary: Notary;
let told: string[];
const proxies: TcpProxy[] = [];
beforeAll(async () => {
  redis = await connectRedis(url, 'commands', { log });
});
beforeEach(async () => {
  await redis.flushdb();
  folder = mkdtempSync(join(tmpdir(), 'triptych-sealer-'));
  book = new CheckpointFiles(folder);
  notary = new Notary();
  told = [];
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  for (const proxy of proxies.splice(0)) await proxy.stop();
});
afterAll(() => closeRedis(redis));

const sealerOn = (connection: Redis, checkpoints = book): Sealer =>
  new Sealer({
    store: new RedisTrailStore(connection),
    book: checkpoints,
    signer: notary,
    ownerOf: (thread) => Promise.resolve(`owner of ${thread}`),
    report: (event) => void told.push(event),
    writer: randomUUID(),
  });

const write = (nth: number, thread?: string): Promise<void> =>
  writeTrail(redis, noteOf(nth, { tenant: TENANT, subject: thread === undefined ? {} : { thread } }));
/** Many at once, as a busy minute leaves them. */
const writeMany = async (count: number, thread = 't'): Promise<void> => {
  await write(0, thread);
  const step = redis.pipeline();
  for (let nth = 1; nth < count; nth++)
    step.xadd(threadTrail(thread), '*', 'record', JSON.stringify(noteOf(nth, { subject: { thread } })));
  await step.exec();
};

const sealed = async (): Promise<readonly OpenedRecord[]> => {
  const trail = new RedisSealedTrail(redis);
  const kept = await trail.after(TENANT, 0, 100_000);
  const records = kept.map(({ text }) => sealedIn(text));
  const secrets = await trail.secrets(TENANT, [
    ...new Set(records.flatMap((record) => boxesOf(record).map(({ key }) => key))),
  ]);
  return records.map((record) => openRecord(record, secrets));
};
const nthOf = ({ after }: OpenedRecord): number => (after as { payload: { nth: number } }).payload.nth;

const linesIn = async (checkpoints = book): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of checkpoints.read(TENANT)) lines.push(line);
  return lines;
};
const checkpointsIn = async (): Promise<Checkpoint[]> => (await linesIn()).map((line) => checkpointIn(line)!);

const verdict = async () =>
  verifyTrail({
    records: each([await new RedisSealedTrail(redis).after(TENANT, 0, 100_000)]),
    checkpoints: each(await linesIn()),
    jwks: notary.jwks,
  });

/** As if the lease of whoever died had run out. */
const forgetWriter = (): Promise<number> => redis.del(keys.lead);

/** Each thread's records once, in the order in which they were written. */
const expectEachOnce = async (expected: Readonly<Record<string, number>>): Promise<void> => {
  const found: Record<string, number[]> = {};
  for (const record of await sealed()) (found[record.subject.thread ?? 'loose'] ??= []).push(nthOf(record));
  const whole = Object.entries(expected).map(([thread, count]) => [
    thread,
    Array.from({ length: count }, (_, nth) => nth),
  ]);
  expect(found).toEqual(Object.fromEntries(whole));
};

describe('the sealer', () => {
  verifies(
    'AUD-15',
    'seals what waits in every stream of every tenant, and leaves none of it behind',
    async () => {
      for (const nth of [0, 1, 2]) await write(nth, 'a');
      for (const nth of [0, 1]) await write(nth, 'b');
      await write(0);
      await writeTrail(redis, noteOf(0, { tenant: 'globex', subject: {} }));
      await sealerOn(redis).round();
      await expectEachOnce({ a: 3, b: 2, loose: 1 });
      for (const stream of [threadTrail('a'), threadTrail('b'), looseTrail(TENANT)])
        expect(await redis.xlen(stream)).toBe(0);
      expect((await new RedisSealedTrail(redis).head('globex')).seq).toBe(1);
      expect(await verdict()).toMatchObject({ ok: true, records: 6, covered: 6 });
    },
  );

  verifies(
    'AUD-15',
    'dies at each of its steps, and the next one goes on where it was: nothing is sealed twice or lost',
    async () => {
      const proxy = await startTcpProxy(url);
      proxies.push(proxy);
      let died = 0;
      for (let pieces = 1; ; pieces++) {
        await redis.flushdb();
        rmSync(folder, { recursive: true });
        for (const thread of ['a', 'b']) await writeMany(30, thread);
        await write(0);
        const victim = await connectRedis(`${proxy.url}/${DATABASE}`, 'commands', { log });
        let seen = 0;
        // What was passed on may have been done, and its answer never comes.
        proxy.onRequest(() => {
          if (++seen === pieces) proxy.cut();
        });
        // One that is quick to come back may even end its round.
        const ended = sealerOn(victim).round();
        if ((await ended.catch(() => 'died')) === 'died') died += 1;
        proxy.onRequest(() => undefined);
        victim.disconnect();
        await forgetWriter();
        await sealerOn(redis).round();
        await expectEachOnce({ a: 30, b: 30, loose: 1 });
        expect(await verdict()).toMatchObject({ ok: true, records: 61 });
        expect((await linesIn()).length).toBe(new Set(await linesIn()).size);
        if (seen < pieces) break;
      }
      // Lead, find, keys, seal, trim, vouch, carry: there is more than one step to die at.
      expect(died).toBeGreaterThan(8);
    },
    CRASH_MS,
  );

  verifies(
    'AUD-17',
    'is one of several that all believe to be the one, and yet each record is sealed once',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(3), { minLength: 4, maxLength: 24 }), async (moves) => {
          await redis.flushdb();
          rmSync(folder, { recursive: true, force: true });
          const others = await Promise.all([1, 2].map(() => connectRedis(url, 'commands', { log })));
          const sealers = [redis, ...others].map((connection) => sealerOn(connection));
          const counts: Record<string, number> = { a: 0, b: 0 };
          const under: Promise<unknown>[] = [];
          for (const move of moves) {
            const thread = move % 2 === 0 ? 'a' : 'b';
            await write(counts[thread]!++, thread);
            if (move > 0) under.push(sealers[move - 1]!.round());
            if (move === 3) await forgetWriter();
          }
          await Promise.all(under);
          await forgetWriter();
          await sealerOn(redis).round();
          await expectEachOnce(Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)));
          expect(await verdict()).toMatchObject({ ok: true });
          for (const connection of others) await closeRedis(connection);
        }),
        { numRuns: 25 },
      );
    },
    CRASH_MS,
  );

  verifies('AUD-18', 'seals what is no record as what it is, and goes on', async () => {
    await write(0, 't');
    for (const text of [
      '',
      'null',
      '{"tenant":"acme"}',
      '{"actor":',
      `{"tenant":"acme","action":"\\ud800","actor":{"id":"x","via":"web"},"subject":{}}`,
    ])
      await redis.xadd(threadTrail('t'), '*', 'record', text);
    await redis.xadd(threadTrail('t'), '*', 'other', 'thing');
    await write(1, 't');
    await sealerOn(redis).round();
    const actions = (await sealed()).map(({ action }) => action);
    expect(actions).toEqual([
      'task.approve',
      ...Array<string>(5).fill('trail.unreadable'),
      'trail.unreadable',
      'task.approve',
    ]);
    expect((await sealed())[4]).toMatchObject({
      after: { text: '{"actor":' },
      actor: { id: 'hub', via: 'system' },
    });
    expect(await verdict()).toMatchObject({ ok: true, records: 8 });
  });

  verifies('AUD-18', 'fails for one tenant, tells of it, and seals for the others', async () => {
    await redis.sadd(TRAIL_TENANTS, 'globex');
    await redis.set(looseTrail('globex'), 'no stream');
    await write(0);
    await sealerOn(redis).round();
    await expectEachOnce({ loose: 1 });
    expect(told).toEqual(['audit.seal-failed']);
  });

  verifies('AUD-19', 'vouches for each thousand, and for what is left a minute later', async () => {
    const sealer = sealerOn(redis);
    await write(0);
    await sealer.round();
    await writeMany(2_500);
    await sealer.round();
    expect((await checkpointsIn()).map(({ seq }) => seq)).toEqual([1, 1_001, 2_001]);
    await sealer.round();
    expect(await checkpointsIn()).toHaveLength(3);
    // The last one as if it had been made a minute ago.
    const last = (await checkpointsIn()).at(-1)!;
    await redis.hset(keys.head, 'c', checkpointLine({ ...last, at: last.at - CHECKPOINT_AFTER_MS }));
    await sealer.round();
    expect((await checkpointsIn()).at(-1)).toMatchObject({ n: 4, seq: 2_501, previous: last.jws });
    expect(await verdict()).toMatchObject({ ok: true, records: 2_501, covered: 2_501 });
  });

  verifies(
    'AUD-20',
    'brings into an empty book all checkpoints there are, and writes on when it could not',
    async () => {
      await write(0);
      await sealerOn(redis).round();
      await writeMany(1_500);
      const elsewhere = join(folder, 'elsewhere');
      writeFileSync(elsewhere, 'no folder');
      await forgetWriter();
      await sealerOn(redis, new CheckpointFiles(elsewhere)).round();
      expect(told).toContain('audit.checkpoints-failed');
      expect((await sealed()).length).toBe(1_501);
      expect(await linesIn()).toHaveLength(1);
      await forgetWriter();
      await sealerOn(redis).round();
      expect((await checkpointsIn()).map(({ n, seq }) => [n, seq])).toEqual([
        [1, 1],
        [2, 1_001],
      ]);
      const fresh = new CheckpointFiles(join(folder, 'fresh'));
      await forgetWriter();
      await sealerOn(redis, fresh).round();
      expect(await linesIn(fresh)).toEqual(await linesIn());
    },
  );

  verifies(
    'AUD-20',
    'tells when the store lost what a checkpoint vouches for; the trail shows it for ever',
    async () => {
      await writeMany(5);
      await sealerOn(redis).round();
      // A store that came back without its last words.
      await redis.flushdb();
      await writeMany(2);
      await sealerOn(redis).round();
      expect(told).toContain('audit.tail-lost');
      expect(await verdict()).toMatchObject({ ok: false, fault: { why: 'cut-off', seq: 3 } });
      await writeMany(6);
      await forgetWriter();
      await sealerOn(redis).round();
      expect(await verdict()).toMatchObject({ ok: false, fault: { why: 'rewritten', seq: 5 } });
    },
  );

  verifies('AUD-26', 'locks away what is of persons, each under a key of its own', async () => {
    await write(0, 'a');
    await write(0, 'b');
    await sealerOn(redis).round();
    const trail = new RedisSealedTrail(redis);
    const texts = (await trail.after(TENANT, 0, 10)).map(({ text }) => text);
    for (const text of texts)
      for (const secret of ['Amelia', '192.0.2.7', 'pending']) expect(text).not.toContain(secret);
    expect((await sealed())[0]).toMatchObject({ ip: '192.0.2.7', before: { state: 'pending' } });
    await trail.dropKey(TENANT, 'owner of a');
    const [erased, other] = await sealed();
    expect(erased).toMatchObject({ erased: true, ip: '192.0.2.7', action: 'task.approve' });
    expect(erased).not.toHaveProperty('after');
    expect(other).toMatchObject({ after: { state: 'decided' } });
    expect(other).not.toHaveProperty('erased');
    expect(await verdict()).toMatchObject({ ok: true, records: 2 });
  });
});
