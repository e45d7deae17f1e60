/** Deadlines while parts of the house are away: the store, the queues, the workers, the right time. */
import { setTimeout as pause } from 'node:timers/promises';
import { bullKnocks } from '@triptych/approvals';
import type { TaskView } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import { hasRedisServer } from '../redis/own-redis.js';
import { verifies } from '../spec/verifies.js';
import type { Hub } from '../stand/hub.js';
import { offBy } from '../stand/moved-clock.js';
import { Office } from '../stand/office.js';
import type { Worker } from '../stand/worker.js';
import { askUntil, expectApprovedOnce, expectExpiredOnce, storeNow, storePast } from './settled.js';

const START_MS = 300_000;
const DAY_MS = 300_000;
/** `DEADLINES_FROZEN_MS=60000` freezes for the minute that a run of all tests has no time for. */
const FROZEN_MS = Number(process.env['DEADLINES_FROZEN_MS'] ?? 5_000);
const TEN_MINUTES_MS = 600_000;
/** How soon the questions of these tests are over: late enough to be asked first on a busy machine. */
const SOON_MS = 6_000;
const RULES = `
    - { id: any, match: { reason: tool_call } }
`;

const named = (what: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, nth) => `${what}-${nth + 1}`);

const approve = async (office: Office, { taskId, rev, proposalHash }: TaskView): Promise<string> =>
  (await office.as('ann').ask(`/v1/approvals/${taskId}/decide`, { verb: 'approve', rev, proposalHash })).code;

const JOB = /^bull:hub-(?:timer:tm|resume:rs)-[0-9a-f]{16}-\d+$/u;
/** Deletes all there is of queues, and tells how many jobs were among it. */
const wipeQueues = async ({ redis }: Office): Promise<number> => {
  const keys = await redis.keys('bull:*');
  if (keys.length > 0) await redis.del(...keys);
  return keys.filter((key) => JOB.test(key)).length;
};

const EXPIRY = /"action":"expired"/u;
/** The first of them to tell the store of an expiry stands still before it hears what came of it. */
const stopsInExpiry = (workers: readonly Worker[]): (() => Worker | undefined) => {
  let stopped: Worker | undefined;
  for (const worker of workers)
    worker.lines.redis.onRequest((bytes) => {
      if (stopped || !EXPIRY.test(bytes)) return;
      stopped = worker;
      worker.process.signal('SIGSTOP');
    });
  return () => stopped;
};

/** The time by its own clock when it last said something, ms. */
const clockOf = ({ process }: Hub | Worker): number =>
  Number([...process.lastWords().matchAll(/"time":(\d+)/gu)].at(-1)?.[1]);

const suite = hasRedisServer() ? describe : describe.skip;
if (!hasRedisServer()) process.stderr.write('deadlines: skipped, no redis-server on this machine\n');

suite('a deadline holds', () => {
  let office: Office;
  beforeAll(async () => {
    office = await Office.start({ workers: 2, rules: RULES, memory: 'safe' });
  }, START_MS);
  afterAll(() => office?.stop(), START_MS);

  verifies(
    'HUB-101',
    'QT-02: while Redis is stopped and started, before it and over it',
    async () => {
      const { redis } = office.house;
      const deadline = (await storeNow(office)) + SOON_MS;
      const [before, over] = await Promise.all([
        askUntil(office, named('store-before', 3), deadline),
        askUntil(office, named('store-over', 3), deadline + SOON_MS),
      ]);
      await redis.kill();
      await redis.start();
      await storePast(office, deadline);
      await redis.kill();
      await until(() => Date.now() > deadline + SOON_MS);
      await redis.start();
      await office.house.ready();
      await expectExpiredOnce(office, [...before, ...over]);
    },
    DAY_MS,
  );

  verifies(
    'HUB-102',
    'though every queue is deleted, again and again',
    async () => {
      const deadline = (await storeNow(office)) + SOON_MS;
      const due = await askUntil(office, named('wiped-due', 20), deadline);
      const [asked, decided] = [
        await askUntil(office, named('wiped-decided', 5), deadline + DAY_MS),
        [] as string[],
      ];
      let wiping = true;
      let wiped = 0;
      const wipes = (async () => {
        while (wiping) {
          wiped += await wipeQueues(office);
          await pause(50);
        }
      })();
      try {
        for (const task of asked) decided.push(await approve(office, task));
        expect(new Set(decided)).toEqual(new Set(['ok']));
        await expectApprovedOnce(office, asked);
        await expectExpiredOnce(office, due);
      } finally {
        wiping = false;
        await wipes;
      }
      expect(wiped).toBeGreaterThan(0);
    },
    DAY_MS,
  );

  verifies(
    'HUB-103',
    'while all workers are frozen: doors know the time, and what was decided goes out when they are back',
    async () => {
      const { workers } = office.house;
      let [deadline, due, asked]: [number, readonly TaskView[], readonly TaskView[]] = [0, [], []];
      for (const { process } of workers) process.signal('SIGSTOP');
      try {
        deadline = (await storeNow(office)) + SOON_MS;
        due = await askUntil(office, named('frozen-due', 4), deadline);
        asked = await askUntil(office, named('frozen-decided', 4), deadline + DAY_MS);
        await storePast(office, deadline);
        const [first] = due as [TaskView];
        expect(await approve(office, first)).toBe('EXPIRED');
        for (const task of asked) expect(await approve(office, task)).toBe('ok');
        await pause(FROZEN_MS);
        for (const { threadId } of [...due, ...asked]) expect(office.agent.resumesOf(threadId)).toEqual([]);
      } finally {
        for (const { process } of workers) process.signal('SIGCONT');
      }
      await expectExpiredOnce(office, due);
      await expectApprovedOnce(office, asked);
    },
    DAY_MS,
  );

  verifies(
    'HUB-103',
    'QT-06: one of two workers stops in the middle of it, comes back, and has not done it again',
    async () => {
      const stopped = stopsInExpiry(office.house.workers);
      const deadline = (await storeNow(office)) + SOON_MS;
      const { hostname: host, port } = new URL(office.house.redis.url);
      const knocks = bullKnocks({ host, port: Number(port) });
      const due = await askUntil(office, named('blocked', 10), deadline);
      try {
        await until(() => stopped() !== undefined);
        const often = due.flatMap(({ taskId }) =>
          [1, 2, 3].map((later) =>
            knocks.wakeAt({ id: taskId, kind: 'expire', at: deadline + later }, deadline),
          ),
        );
        await Promise.all(often);
        await expectExpiredOnce(office, due);
      } finally {
        stopped()?.process.signal('SIGCONT');
      }
      await until(async () => (await office.redis.llen('bull:hub-timer:active')) === 0);
      await knocks.close();
      await expectExpiredOnce(office, due);
    },
    DAY_MS,
  );
});

suite('a deadline is the store’s', () => {
  let office: Office;
  beforeAll(async () => {
    const envOf = (nth: number) => offBy(nth % 2 === 0 ? TEN_MINUTES_MS : -TEN_MINUTES_MS);
    office = await Office.start({ hubs: 2, workers: 2, rules: RULES, envOf });
  }, START_MS);
  afterAll(() => office?.stop(), START_MS);

  verifies(
    'HUB-104',
    'whatever the clocks of hubs and workers say, ten minutes ahead or behind',
    async () => {
      const now = await storeNow(office);
      for (const apps of [office.house.hubs, office.house.workers]) {
        const [behind, ahead] = apps.map((app) => clockOf(app) - now);
        expect(behind).toBeLessThan(-TEN_MINUTES_MS / 2);
        expect(ahead).toBeGreaterThan(TEN_MINUTES_MS / 2);
      }
      const due = await askUntil(office, named('skewed-due', 4), now + SOON_MS);
      const asked = await askUntil(office, named('skewed-decided', 4), now + DAY_MS);
      // A task begins by the store's clock too: ten minutes would show.
      for (const { createdAt } of [...due, ...asked])
        expect(Math.abs(createdAt - now)).toBeLessThan(TEN_MINUTES_MS / 2);
      for (const task of asked) expect(await approve(office, task)).toBe('ok');
      await expectApprovedOnce(office, asked);
      await storePast(office, now + SOON_MS);
      await expectExpiredOnce(office, due);
    },
    DAY_MS,
  );
});
