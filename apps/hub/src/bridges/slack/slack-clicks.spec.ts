/** What other hubs left undone, on real Redis. */
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

describe('clicks that were left undone', () => {
  const log = createLog({ level: 'silent' });
  let redis: Redis;
  beforeAll(async () => {
    redis = await connectRedis(process.env['REDIS_URL']!, 'commands', { log });
  });
  afterAll(() => closeRedis(redis));

  verifies(
    'BRG-44',
    'are taken as far as they can be done at once, and in the end each of them once',
    async () => {
      await redis.del(KEY);
      const at = Date.now();
      const members = Array.from({ length: LEFT }, (_, nth) => JSON.stringify({ click: { dedupeKey: `${nth}` }, at }));
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
});
