/** Proves the memory of revocations on a real Redis: between hubs, without news, without a store, after a loss. */
import { randomUUID } from 'node:crypto';
import { KnownRevocations, RevocationStore } from '@triptych/assembly/nest';
import { closeRedis, connectRedis, createLog, systemClock, type Stop } from '@triptych/platform';
import { until } from '@triptych/testkit';
import type { Actor } from '@triptych/access';
import type { Redis } from 'ioredis';
import { hasRedisServer, startOwnRedis, type OwnRedis } from '../../../../test/redis/own-redis.js';
import { startTcpProxy } from '../../../../test/redis/tcp-proxy.js';
import { verifies } from '../../../../test/spec/verifies.js';
import { Standing } from './standing.js';

const STAGE_MS = 60_000;
/** Whose keys never change. */
const issuer = { vouchesFor: () => true, onChange: () => () => undefined };
const log = createLog({ name: 'standing', level: 'silent' });

interface Hub {
  readonly standing: Standing;
  readonly redis: Redis;
}

const stops: Stop[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
}, STAGE_MS);

const knownOn = (redis: Redis): KnownRevocations =>
  new KnownRevocations({ store: new RevocationStore(redis), clock: systemClock, log });

/** `newsUrl`: by another line than what it reads. */
const hub = async (url: string, newsUrl = url): Promise<Hub> => {
  const redis = await connectRedis(url, 'commands', { log });
  const subscriber = await connectRedis(newsUrl, 'subscriber', { log });
  stops.push(
    () => closeRedis(redis),
    () => closeRedis(subscriber),
  );
  const shutdown = {
    add: (_name: string, stop: Stop) => void stops.push(stop),
    run: () => Promise.resolve(),
  };
  return {
    redis,
    standing: await Standing.open({ issuer, known: knownOn(redis), subscriber, log, shutdown }),
  };
};

const person = (subject: string): Actor => ({
  subject,
  tenant: randomUUID(),
  roles: ['customer'],
  groups: [],
  issuedAt: Date.now() - 5_000,
  expiresAt: Date.now() + 3_600_000,
});

const subjectOf = ({ tenant, subject }: Actor) => ({ tenant, by: 'sub', name: subject }) as const;
const isGood = ({ standing }: Hub, actor: Actor): boolean => standing.judge(actor).ok;

describe.each([
  ['Redis', process.env['REDIS_URL'] ?? ''],
  ['the embedded Redis', process.env['EMBEDDED_REDIS_URL'] ?? ''],
])('what was revoked on %s', (_name, url) => {
  verifies(
    'HUB-72',
    'is known to every hub, and to those that start later',
    async () => {
      const [one, two] = [await hub(url), await hub(url)];
      const ada = person('ada');
      let told = 0;
      two.standing.onChange(() => (told += 1));
      const revoked = await one.standing.revoke(subjectOf(ada));
      expect(isGood(one, ada)).toBe(false);
      await until(() => !isGood(two, ada));
      expect(told).toBe(1);
      expect(isGood(await hub(url), ada)).toBe(false);

      const at = revoked.ok ? revoked.value.at : 0;
      expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
      expect(isGood(two, { ...ada, issuedAt: at })).toBe(false);
      expect(isGood(two, { ...ada, issuedAt: at + 1 })).toBe(true);
      expect(isGood(two, { ...ada, tenant: 'other' })).toBe(true);
    },
    STAGE_MS,
  );
});

(hasRedisServer() ? describe : describe.skip)('what was revoked', () => {
  let redis: OwnRedis;
  beforeAll(async () => {
    redis = await startOwnRedis();
  }, STAGE_MS);
  afterAll(() => redis.stop(), STAGE_MS);

  verifies(
    'HUB-72',
    'is read by a hub that hears no news',
    async () => {
      const proxy = await startTcpProxy(redis.url);
      stops.push(() => proxy.stop());
      const [one, deaf] = [await hub(redis.url), await hub(redis.url, proxy.url)];
      proxy.freeze();
      for (const ada of [person('ada'), person('ben')]) {
        await one.standing.revoke(subjectOf(ada));
        await until(() => !isGood(deaf, ada));
      }
    },
    STAGE_MS,
  );

  verifies(
    'HUB-72',
    'is heard by a hub that can read nothing, and stays known while the store is away',
    async () => {
      const own = await startOwnRedis();
      stops.push(() => own.stop());
      const proxy = await startTcpProxy(own.url);
      stops.push(() => proxy.stop());
      const [one, mute] = [await hub(own.url), await hub(proxy.url, own.url)];
      proxy.hang();
      const ada = person('ada');
      await one.standing.revoke(subjectOf(ada));
      await until(() => !isGood(mute, ada));
      await own.kill();
      await expect(one.standing.revoke(subjectOf(person('ben')))).rejects.toThrow(/away/u);
      expect([isGood(one, ada), isGood(mute, ada)]).toEqual([false, false]);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-72',
    'unread, nobody is let in',
    async () => {
      const own = await startOwnRedis();
      stops.push(() => own.stop());
      const [client, subscriber] = await Promise.all([
        connectRedis(own.url, 'commands', { log }),
        connectRedis(own.url, 'subscriber', { log }),
      ]);
      stops.push(
        () => closeRedis(client),
        () => closeRedis(subscriber),
      );
      await own.kill();
      const shutdown = { add: () => undefined, run: () => Promise.resolve() };
      const known = knownOn(client);
      await expect(Standing.open({ issuer, known, subscriber, log, shutdown })).rejects.toThrow(/away/u);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-72',
    'is given back to a store that lost it',
    async () => {
      const own = await startOwnRedis();
      stops.push(() => own.stop());
      const one = await hub(own.url);
      const [ada, ben] = [person('ada'), person('ben')];
      await one.standing.revoke(subjectOf(ada));
      own.remember();
      await one.standing.revoke(subjectOf(ben));
      await own.goBack();
      const store = new RevocationStore(one.redis);
      await until(async () => {
        const names = (await store.after(0).catch(() => [])).map(({ name }) => name);
        return names.join() === 'ada,ben';
      });
      expect(isGood(await hub(own.url), ben)).toBe(false);
    },
    STAGE_MS,
  );

  verifies(
    'ACC-51',
    'goes from the store when it can reach no token any more, and is read page by page',
    async () => {
      const one = await hub(redis.url);
      const store = new RevocationStore(one.redis);
      await one.redis.del('tt:revoked');
      await one.redis.zadd('tt:revoked', 1, JSON.stringify(['acme', 'sub', 'old']));
      const names = Array.from({ length: 1_005 }, (_, nth) => `j${nth}`);
      const times: number[] = [];
      for (const name of names) times.push((await store.add({ tenant: 'acme', by: 'jti', name })).at);
      expect(new Set(times).size).toBe(names.length);
      const [first, second] = [await store.after(0), await store.after(times[999]!)];
      expect([...first, ...second].map(({ name }) => name)).toEqual(names);
      await until(() =>
        names.every((tokenId) => !isGood(one, { ...person('x'), tenant: 'acme', tokenId, issuedAt: 1 })),
      );
    },
    STAGE_MS,
  );
});
