/** Clicks, and what other hubs left undone of them, on real Redis. */
import { closeRedis, connectRedis, createLog, systemClock } from '@triptych/platform';
import { until } from '@triptych/testkit';
import type { Redis } from 'ioredis';
import { verifies } from '../../../../../test/spec/verifies.js';
import type { Click } from './click-store.js';
import { SlackClicks } from './slack-clicks.js';

const KEY = 'tt:{slack}:clicks';
const LEFT = 60;
const AT_ONCE = 16;
/** The first look comes after two seconds. */
const PATIENCE_MS = 60_000;

/** More than a hub does and lets wait, by so many. */
const [ALL_HERE, BEYOND] = [416, 5];

describe('clicks', () => {
  const log = createLog({ level: 'silent' });
  let redis: Redis;
  beforeAll(async () => {
    redis = await connectRedis(process.env['REDIS_URL']!, 'commands', { log });
  });
  afterAll(() => closeRedis(redis));

  verifies(
    'BRG-44',
    'that were left undone are taken as far as they can be done at once, and in the end each of them once',
    async () => {
      await redis.del(KEY);
      const at = Date.now();
      const members = Array.from({ length: LEFT }, (_, nth) =>
        JSON.stringify({ click: { dedupeKey: `${nth}` }, at }),
      );
      await redis.zadd(KEY, ...members.flatMap((member) => [at - 1_000, member]));
      const begun: string[] = [];
      let open = (): void => undefined;
      const gate = new Promise<void>((opened) => (open = opened));
      const work = ({ dedupeKey }: Click): Promise<void> => (begun.push(dedupeKey), gate);
      const stop = new SlackClicks({
        ...{ redis, log, clock: systemClock },
        acts: { do: work, giveUp: work },
      }).follow();
      try {
        await until(() => Promise.resolve(begun.length === AT_ONCE));
        expect(await redis.zcount(KEY, at, '+inf')).toBe(AT_ONCE);
        open();
        await until(async () => (await redis.zcard(KEY)) === 0);
        expect(begun.toSorted()).toEqual(members.map((_, nth) => `${nth}`).toSorted());
      } finally {
        stop();
      }
    },
    PATIENCE_MS,
  );

  verifies(
    'BRG-44',
    'beyond those that may wait here are left in the store for whoever has room',
    async () => {
      await redis.del(KEY);
      let [begun, open] = [0, (): void => undefined];
      const gate = new Promise<void>((opened) => (open = opened));
      const work = (): Promise<void> => ((begun += 1), gate);
      const clicks = new SlackClicks({
        ...{ redis, log, clock: systemClock },
        acts: { do: work, giveUp: work },
      });
      for (let nth = 0; nth < ALL_HERE + BEYOND; nth += 1)
        expect(await clicks.take({ dedupeKey: `here-${nth}` } as Click)).toMatchObject({ ok: true });
      expect(await redis.zcard(KEY)).toBe(ALL_HERE + BEYOND);
      open();
      await until(async () => (await redis.zcard(KEY)) <= BEYOND);
      expect([begun, await redis.zcard(KEY)]).toEqual([ALL_HERE, BEYOND]);
      await redis.del(KEY);
    },
    PATIENCE_MS,
  );
});
