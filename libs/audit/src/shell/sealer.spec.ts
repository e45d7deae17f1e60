/** Proves that everything is sealed exactly once, wherever sealers die and however many there are. */
import { hash } from 'node:crypto';
import { closeRedis, looseTrail, threadTrail, TRAIL_TENANTS, writeTrail } from '@triptych/platform';
import fc from 'fast-check';
import { startTcpProxy, type TcpProxy } from '../../../../test/redis/tcp-proxy.js';
import { verifies } from '../../../../test/spec/verifies.js';
import { noteOf } from '../../test/notary.js';
import { nthOf, SealingStage, TENANT } from '../../test/sealing-stage.js';
import { auditKeys } from '../adapters/audit-keys.js';
import { RedisSealedTrail } from '../adapters/redis-sealed-trail.js';

const foreign = (nth: number): string =>
  JSON.stringify(noteOf(nth, { tenant: 'globex', subject: { thread: 't' } }));

const CRASH_MS = 120_000;
const proxies: TcpProxy[] = [];

const stage = new SealingStage();
beforeAll(() => stage.begin());
beforeEach(() => stage.empty());
afterEach(async () => {
  stage.clear();
  for (const proxy of proxies.splice(0)) await proxy.stop();
});
afterAll(() => stage.end());

describe('the sealer', () => {
  verifies(
    'AUD-15',
    'seals what waits in every stream of every tenant, and leaves none of it behind',
    async () => {
      for (const nth of [0, 1, 2]) await stage.write(nth, 'a');
      for (const nth of [0, 1]) await stage.write(nth, 'b');
      await stage.write(0);
      await writeTrail(stage.redis, noteOf(0, { tenant: 'globex', subject: {} }));
      await stage.sealerOn().round();
      await stage.expectEachOnce({ a: 3, b: 2, loose: 1 });
      for (const stream of [threadTrail('a'), threadTrail('b'), looseTrail(TENANT)])
        expect(await stage.redis.xlen(stream)).toBe(0);
      expect((await new RedisSealedTrail(stage.redis).head('globex')).seq).toBe(1);
      expect(await stage.verdict()).toMatchObject({ ok: true, records: 6, covered: 6 });
    },
  );

  verifies(
    'AUD-15',
    'dies at each of its steps, and the next one goes on where it was: nothing is sealed twice or lost',
    async () => {
      const proxy = await startTcpProxy(stage.url);
      proxies.push(proxy);
      let died = 0;
      for (let pieces = 1; ; pieces++) {
        await stage.redis.flushdb();
        stage.clear();
        for (const thread of ['a', 'b']) await stage.writeMany(30, thread);
        await stage.write(0);
        const victim = await stage.connect(proxy.url);
        let seen = 0;
        // What was passed on may have been done, and its answer never comes.
        proxy.onRequest(() => {
          if (++seen === pieces) proxy.cut();
        });
        // One that is quick to come back may even end its round.
        const ended = stage.sealerOn(victim).round();
        if ((await ended.catch(() => 'died')) === 'died') died += 1;
        proxy.onRequest(() => undefined);
        victim.disconnect();
        await stage.forgetWriter();
        await stage.sealerOn().round();
        await stage.expectEachOnce({ a: 30, b: 30, loose: 1 });
        expect(await stage.verdict()).toMatchObject({ ok: true, records: 61 });
        expect((await stage.linesIn()).length).toBe(new Set(await stage.linesIn()).size);
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
          await stage.redis.flushdb();
          stage.clear();
          const others = await Promise.all([1, 2].map(() => stage.connect()));
          const sealers = [stage.redis, ...others].map((connection) => stage.sealerOn(connection));
          const counts: Record<string, number> = { a: 0, b: 0 };
          const under: Promise<unknown>[] = [];
          for (const move of moves) {
            const thread = move % 2 === 0 ? 'a' : 'b';
            await stage.write(counts[thread]!++, thread);
            if (move > 0) under.push(sealers[move - 1]!.round());
            if (move === 3) await stage.forgetWriter();
          }
          await Promise.all(under);
          await stage.forgetWriter();
          await stage.sealerOn().round();
          await stage.expectEachOnce(
            Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
          );
          expect(await stage.verdict()).toMatchObject({ ok: true });
          for (const connection of others) await closeRedis(connection);
        }),
        { numRuns: 25 },
      );
    },
    CRASH_MS,
  );

  verifies('AUD-18', 'seals what is no record as what it is, and goes on', async () => {
    await stage.write(0, 't');
    for (const text of [
      '',
      'null',
      '{"tenant":"acme"}',
      '{"actor":',
      `{"tenant":"acme","action":"\\ud800","actor":{"id":"x","via":"web"},"subject":{}}`,
    ])
      await stage.redis.xadd(threadTrail('t'), '*', 'record', text);
    await stage.redis.xadd(threadTrail('t'), '*', 'other', 'thing');
    await stage.write(1, 't');
    await stage.sealerOn().round();
    const actions = (await stage.sealed()).map(({ action }) => action);
    expect(actions).toEqual([
      'task.approve',
      ...Array<string>(5).fill('trail.unreadable'),
      'trail.unreadable',
      'task.approve',
    ]);
    expect((await stage.sealed())[4]).toMatchObject({
      after: { text: '{"actor":' },
      actor: { id: 'hub', via: 'system' },
    });
    expect(await stage.verdict()).toMatchObject({ ok: true, records: 8 });
  });

  verifies('AUD-18', 'fails for one tenant, tells of it, and seals for the others', async () => {
    await stage.redis.sadd(TRAIL_TENANTS, 'globex');
    await stage.redis.set(looseTrail('globex'), 'no stream');
    await stage.write(0);
    await stage.sealerOn().round();
    await stage.expectEachOnce({ loose: 1 });
    expect(stage.told).toEqual(['audit.seal-failed']);
  });

  verifies('AUD-26', 'locks away what is of persons, each under a key of its own', async () => {
    await stage.write(0, 'a');
    await stage.write(0, 'b');
    await stage.sealerOn().round();
    const trail = new RedisSealedTrail(stage.redis);
    const texts = (await trail.after(TENANT, 0, 10)).map(({ text }) => text);
    for (const text of texts)
      for (const secret of ['Amelia', '192.0.2.7', 'pending']) expect(text).not.toContain(secret);
    expect((await stage.sealed())[0]).toMatchObject({ ip: '192.0.2.7', before: { state: 'pending' } });
    await trail.dropKey(TENANT, 'owner of a');
    const [erased, other] = await stage.sealed();
    expect(erased).toMatchObject({ erased: true, ip: '192.0.2.7', action: 'task.approve' });
    expect(erased).not.toHaveProperty('after');
    expect(other).toMatchObject({ after: { state: 'decided' } });
    expect(other).not.toHaveProperty('erased');
    expect(await stage.verdict()).toMatchObject({ ok: true, records: 2 });
  });

  verifies('AUD-33', 'leaves to each tenant what names it, whoever announced the stream', async () => {
    await stage.write(0, 't');
    await stage.redis.xadd(threadTrail('t'), '*', 'record', foreign(0));
    await stage.write(1, 't');
    await stage.sealerOn().round();
    await stage.expectEachOnce({ t: 2 });
    expect(stage.told).toEqual(['audit.foreign-records']);
    expect((await stage.sealed('globex')).map(nthOf)).toEqual([]);
    await stage.sealerOn().round();
    expect((await stage.sealed('globex')).map(nthOf)).toEqual([0]);
    expect((await stage.sealed()).length).toBe(2);
    expect(await stage.redis.xlen(threadTrail('t'))).toBe(0);
    expect(stage.told).toEqual(['audit.foreign-records']);
    expect(await stage.verdict()).toMatchObject({ ok: true, records: 2 });
  });

  verifies(
    'AUD-33',
    'passes over however many records of another, and tidies none of them away',
    async () => {
      const step = stage.redis.pipeline();
      for (let nth = 0; nth < 700; nth += 1) step.xadd(threadTrail('t'), '*', 'record', foreign(nth));
      await step.exec();
      await stage.write(0, 't');
      // Another holds the pen of the other tenant.
      await stage.redis.set(auditKeys('globex').lead, 'another');
      const sealer = stage.sealerOn();
      for (let round = 0; round < 31; round += 1) await sealer.round();
      await stage.expectEachOnce({ t: 1 });
      expect(await stage.redis.xlen(threadTrail('t'))).toBe(700);
      await stage.redis.del(auditKeys('globex').lead);
      for (let round = 0; round < 3; round += 1) await sealer.round();
      expect((await stage.sealed('globex')).map(nthOf)).toEqual(Array.from({ length: 700 }, (_, nth) => nth));
    },
  );

  verifies('AUD-33', 'seals by its hash alone what names another tenant where only one is read', async () => {
    await stage.write(0);
    await stage.redis.xadd(looseTrail(TENANT), '*', 'record', foreign(7));
    await stage.sealerOn().round();
    const [, found] = await stage.sealed();
    expect(found).toMatchObject({
      ...{ tenant: TENANT, action: 'trail.foreign' },
      after: { sha256: hash('sha256', foreign(7)) },
    });
    expect(JSON.stringify(await stage.sealed())).not.toContain('globex');
  });

  verifies(
    'AUD-33',
    'locks a record with the key of its own tenant’s owner, or of whoever acted',
    async () => {
      await writeTrail(stage.redis, noteOf(0, { tenant: 'globex', subject: { thread: 't' } }));
      await stage.write(0, 't');
      await stage.sealerOn().round();
      const trail = new RedisSealedTrail(stage.redis);
      expect(await trail.keyOf('globex', 'owner of t')).toBeUndefined();
      expect(await trail.keyOf('globex', 'rita')).toEqual(expect.any(String));
      expect(await trail.keyOf(TENANT, 'owner of t')).toEqual(expect.any(String));
    },
  );
});
