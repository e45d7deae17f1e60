/** What every store of batches must do: a suite to be run against each of them. */
import { pendingTrails, tenantChannel, threadTrail, TRAIL_TENANTS } from '@triptych/platform';
import { trailRecordIn, type TrailRecord } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { verifies } from '../../../test/spec/verifies.js';
import { fresh, NOON, opened, rita, transferOf } from '../test/bank.js';
import { batchKey, keysOf, openIndex, taskField } from './adapters/approval-keys.js';
import { UnreadableBatch, type ApprovalStore, type IndexPlace } from './core/approval-store.js';
import type { Batch } from './core/batch.js';
import type { Change } from './core/change.js';
import type { Rider } from './core/rider.js';
import { HUB } from './core/task.js';

export interface StoreBench {
  readonly store: ApprovalStore;
  /** Another process's store on the same data. */
  readonly other: ApprovalStore;
  /** To apply riders and to look at what is held. */
  readonly redis: Redis;
  readonly subscriber: Redis;
  close(): Promise<void>;
}

const apply = async (redis: Redis, riders: readonly Rider[]): Promise<void> => {
  const step = redis.multi();
  for (const [command, ...args] of riders) step.call(command, ...args);
  for (const [error] of (await step.exec()) ?? []) if (error) throw error;
};

const change = (batch: Batch, action: string, over: Partial<Change> = {}): Change => ({
  tasks: batch.tasks.map((task) => ({ ...task, rev: task.rev + 1 })),
  news: [{ action, by: rita.subject, taskId: batch.facts.taskIds[0] ?? '' }],
  ...over,
});

/** A line more in the history of every task. */
const remembered = (batch: Batch, action: string): Change => ({
  tasks: batch.tasks.map((task) => ({
    ...task,
    history: [...task.history, { at: NOON, by: rita.subject, action }],
  })),
  news: [],
});

export const approvalStoreContract = (name: string, start: () => Promise<StoreBench>): void => {
  describe(`approval store on ${name}`, () => {
    let bench: StoreBench;
    let batch: Batch;
    beforeAll(async () => {
      bench = await start();
    });
    afterAll(() => bench.close());

    const fill = async (over: Parameters<typeof transferOf>[1] = {}): Promise<Batch> => {
      const next = opened(transferOf(500, { threadId: fresh('thread'), tenant: fresh('tenant'), ...over }));
      await bench.store.announce(next);
      await apply(bench.redis, bench.store.openingRiders(next));
      return next;
    };
    const load = async (): Promise<Batch> => {
      const loaded = await bench.store.load(batch.facts.batchId);
      if (!loaded) throw new Error('the batch is gone');
      return loaded.batch;
    };
    const trail = async ({ facts }: Batch): Promise<TrailRecord[]> =>
      (await bench.redis.xrange(threadTrail(facts.threadId), '-', '+')).map(([id, [, text = '']]) =>
        trailRecordIn(id, text),
      );
    beforeEach(async () => {
      batch = await fill();
    });

    verifies('AUD-1', 'a step that wins leaves its records, one that loses or is late none', async () => {
      const before = await bench.store.now();
      expect((await trail(batch)).map(({ action }) => action)).toEqual(['batch.open', 'task.open']);
      const commented = remembered(batch, 'comment');
      expect(await bench.store.replace(batch, { ...commented, notAfter: before }, rita)).toBe('late');
      expect(await bench.store.replace(batch, commented, rita)).toBe('replaced');
      expect(await bench.other.replace(batch, remembered(batch, 'claim'), rita)).toBe('changed');
      const [, , record, ...more] = await trail(batch);
      expect(more).toEqual([]);
      expect(record).toMatchObject({ action: 'task.comment', tenant: batch.facts.tenant });
      expect(record?.subject.task).toBe(batch.facts.taskIds[0]);
      expect(record?.at).toBeGreaterThanOrEqual(before);
    });

    verifies('AUD-1', 'a step of somebody else carries the records with it', async () => {
      const done = { state: 'done', at: 1 } as const;
      const { riders } = bench.store.changeRiders(
        batch,
        { ...remembered(batch, 'retry'), status: done },
        rita,
      );
      await apply(bench.redis, riders);
      await apply(
        bench.redis,
        bench.store.statusRiders(batch, { state: 'running', attempt: 1, runId: 'r' }, HUB),
      );
      expect((await trail(batch)).slice(2)).toMatchObject([
        { action: 'task.retry', actor: { id: 'rita' } },
        { action: 'batch.done', actor: { id: 'rita' }, before: { state: 'open' }, after: done },
        { action: 'batch.running', actor: { id: HUB, via: 'system' } },
      ]);
    });

    verifies('AUD-4', 'the sealer is told of tenant and thread before anything is there', async () => {
      const { redis, store } = bench;
      const coming = opened(transferOf(1, { threadId: fresh('thread'), tenant: fresh('a:in') }));
      const { tenant, threadId, openedAt } = coming.facts;
      const score = async () => Number(await redis.zscore(pendingTrails(tenant), threadId));
      await store.announce(coming);
      expect(await redis.sismember(TRAIL_TENANTS, tenant)).toBe(1);
      expect(await score()).toBe(openedAt);
      await store.expectRecord(coming, openedAt + 5);
      await store.expectRecord(coming, openedAt + 1);
      expect(await score()).toBe(openedAt + 5);
      expect(await redis.exists(pendingTrails('a'))).toBe(0);
    });

    verifies('APR-1', 'what the opening’s riders stored comes back whole, and holds its thread', async () => {
      expect(await load()).toEqual(batch);
      const { threadId, batchId } = batch.facts;
      expect(await bench.store.heldBy(threadId)).toBe(batchId);
      expect(await bench.store.batchesOf(threadId, 10)).toEqual([{ batchId, openedAt: NOON }]);
      await apply(bench.redis, [bench.store.releasedRider(batch)]);
      expect(await bench.store.heldBy(threadId)).toBeUndefined();
    });

    it('reads its clock from the store', async () => {
      const [before, after] = [await bench.store.now(), await bench.other.now()];
      const loaded = await bench.store.load(batch.facts.batchId);
      expect(after).toBeGreaterThanOrEqual(before);
      expect(loaded?.now).toBeGreaterThanOrEqual(after);
      expect(Math.abs(before - Date.now())).toBeLessThan(600_000);
    });

    verifies('APR-4', 'of two replacements judged on one reading the second changes nothing', async () => {
      const stale = await load();
      expect(await bench.store.replace(stale, change(stale, 'first'), rita)).toBe('replaced');
      expect(
        await bench.other.replace(stale, change(stale, 'second', { status: { state: 'done', at: 1 } }), rita),
      ).toBe('changed');
      expect(await load()).toMatchObject({ version: 2, status: { state: 'open' }, tasks: [{ rev: 2 }] });
      const lines = await bench.redis.xrange(keysOf(batch.facts.threadId).outbox, '-', '+');
      expect(lines.map(([, [, line]]) => (JSON.parse(line ?? '') as { action: string }).action)).toEqual([
        'opened',
        'first',
      ]);
    });

    verifies('APR-4', 'a status that came by a rider is seen as a change too', async () => {
      const stale = await load();
      await apply(bench.redis, bench.store.statusRiders(stale, { state: 'done', at: 7 }, HUB));
      expect(await bench.store.replace(stale, change(stale, 'late'), rita)).toBe('changed');
      expect(await load()).toMatchObject({
        version: 1,
        status: { state: 'done', at: 7 },
        tasks: [{ rev: 1 }],
      });
    });

    verifies('APR-13', 'a replacement whose deadline has passed by the store’s clock is late', async () => {
      const now = await bench.store.now();
      expect(await bench.store.replace(batch, change(batch, 'x', { notAfter: now }), rita)).toBe('late');
      expect(await bench.store.replace(batch, change(batch, 'x', { notAfter: now + 600_000 }), rita)).toBe(
        'replaced',
      );
    });

    it('tells the tenant of every task that changed, and of all of them when the batch did', async () => {
      const two = await fill({
        interrupts: [
          { id: 'a', reason: 'confirmation' },
          { id: 'b', reason: 'confirmation' },
        ],
      });
      const [a, b] = two.facts.taskIds;
      const heard: string[] = [];
      const done = new Promise<void>((resolve) => {
        bench.subscriber.on('message', (_channel, text) => {
          heard.push((JSON.parse(text) as { taskId: string }).taskId);
          if (heard.length === 3) resolve();
        });
      });
      await bench.subscriber.subscribe(tenantChannel(two.facts.tenant));
      await bench.store.replace(two, { tasks: two.tasks.slice(0, 1), news: [] }, rita);
      await bench.store.replace(
        { ...two, version: 2 },
        { tasks: [], news: [], status: { state: 'done', at: 1 } },
        rita,
      );
      await done;
      expect(heard).toEqual([a, a, b]);
    });

    verifies('APR-15', 'the guards of a plan hold for one of two who made it', async () => {
      const plan = bench.store.changeRiders(
        batch,
        change(batch, 'dispatching', { status: { state: 'done', at: 1 } }),
        rita,
      );
      const held = async () =>
        (
          await Promise.all(
            plan.guards.map(
              async ({ key, field, equals }) => (await bench.redis.hget(key, field)) === equals,
            ),
          )
        ).every(Boolean);
      expect(await held()).toBe(true);
      await apply(bench.redis, plan.riders);
      expect(await held()).toBe(false);
      expect(await load()).toMatchObject({ version: 2, status: { state: 'done' }, tasks: [{ rev: 2 }] });
    });

    const memberOf = ({ facts }: Batch) => `${facts.batchId}@${facts.openedAt}`;
    const takeOurs = async (store = bench.store) =>
      (await store.takeDue(1_000)).filter(({ batchId }) => batchId === batch.facts.batchId);
    const score = async () => await bench.redis.zscore('tt:busy', memberOf(batch));

    verifies(
      'APR-17',
      'a batch is due at its time, and is given up only when that is asked for',
      async () => {
        const now = await bench.store.now();
        const [early] = await takeOurs();
        if (!early) throw new Error('not due');
        await bench.store.settle(early, now + 600_000);
        expect(await takeOurs()).toEqual([]);
        await bench.redis.zadd('tt:busy', now - 1, memberOf(batch));
        const [taken] = await takeOurs();
        if (!taken) throw new Error('not due');
        expect(Number(await score())).toBeGreaterThan(now);
        await bench.store.settle(taken, undefined);
        expect(await score()).toBeNull();
      },
    );

    verifies('APR-74', 'of many who look at once each batch goes to one', async () => {
      const others = [await fill(), await fill(), await fill()];
      const asked = [bench.store, bench.other, bench.store, bench.other].map((store) => store.takeDue(1_000));
      const taken = (await Promise.all(asked)).flat().map(({ batchId }) => batchId);
      expect(new Set(taken).size).toBe(taken.length);
      for (const { facts } of [batch, ...others]) expect(taken).toContain(facts.batchId);
    });

    for (const ahead of [1_000, 60_000])
      verifies('APR-74', `a look asked for ${ahead} ms ahead is not put off by whoever took it`, async () => {
        const [taken] = await takeOurs();
        if (!taken) throw new Error('not due');
        const soon = (await bench.store.now()) + ahead;
        await bench.other.watch(batch, soon);
        const due = Number(await score());
        expect(Math.floor(due)).toBeLessThanOrEqual(soon);
        await bench.store.settle(taken, soon + 600_000);
        await bench.store.settle(taken, undefined);
        await bench.store.watch(batch, soon + 5_000);
        expect(Number(await score())).toBe(due);
      });

    const DAMAGE: readonly (readonly [what: string, field: (taskId: string) => string, text: string])[] = [
      ['a task that is no JSON', (taskId) => taskField(taskId), '{"taskId":'],
      ['a task of another name', (taskId) => taskField(taskId), '{"taskId":"x","status":"open"}'],
      ['a state that is none', () => 'state', '[]'],
    ];
    for (const [what, field, text] of DAMAGE)
      verifies('APR-72', `${what} makes its batch unreadable, and hides no other`, async () => {
        const { batchId, taskIds, tenant } = batch.facts;
        const whole = await fill();
        await bench.redis.hset(batchKey(batchId), field(taskIds[0] ?? ''), text);
        await expect(bench.store.load(batchId)).rejects.toThrow(UnreadableBatch);
        const loaded = await bench.store.loadMany([batchId, whole.facts.batchId]);
        expect(loaded.map((found) => found.batch)).toEqual([whole]);
        expect(await bench.store.factsOf(batchId)).toEqual(batch.facts);
        await bench.store.forget(tenant, taskIds);
        expect(await bench.redis.zrange(openIndex(tenant), '0', '-1')).toEqual(taskIds);
      });

    verifies('APR-72', 'of what is no batch at all not even the facts are known', async () => {
      const { batchId } = batch.facts;
      await bench.redis.hset(batchKey(batchId), 'facts', '{}');
      expect(await bench.store.factsOf(batchId)).toBeUndefined();
      await bench.redis.set(batchKey(batchId), 'a text');
      await expect(bench.store.load(batchId)).rejects.toThrow(UnreadableBatch);
      expect(await bench.store.factsOf(batchId)).toBeUndefined();
    });

    verifies(
      'APR-23',
      'pages walk an index newest first, each member once, also where many share a time',
      async () => {
        const tenant = fresh('tenant');
        const interrupts = Array.from({ length: 7 }, (_, i) => ({ id: `i${i}`, reason: 'confirmation' }));
        for (const now of [NOON, NOON, NOON + 5])
          await bench.store.announce(opened({ threadId: fresh('thread'), tenant, now, interrupts }));
        const walked: IndexPlace[] = [];
        for (let after: IndexPlace | undefined; ; after = walked.at(-1)) {
          const page = await bench.store.tasksOf(tenant, {
            index: 'open',
            limit: 3,
            ...(after ? { after } : {}),
          });
          walked.push(...page);
          if (page.length < 3) break;
        }
        expect(walked).toHaveLength(21);
        expect(new Set(walked.map(({ member }) => member)).size).toBe(21);
        expect(walked.map(({ score }) => score)).toEqual(
          [...walked.map(({ score }) => score)].sort((a, b) => b - a),
        );
      },
    );

    verifies('APR-30', 'a batch is flagged for its tenant, newest first, until it is unflagged', async () => {
      const tenant = fresh('tenant');
      const batches = [];
      for (const now of [NOON, NOON + 5, NOON + 5]) {
        const next = await fill({ tenant, now });
        batches.push(next);
        await bench.store.flag(next.facts);
      }
      const ids = async (after?: IndexPlace) =>
        await bench.other.flagged(tenant, { limit: 2, ...(after ? { after } : {}) });
      const first = await ids();
      const second = await ids(first.at(-1));
      expect([...first, ...second].map(({ score }) => score)).toEqual([NOON + 5, NOON + 5, NOON]);
      expect(new Set([...first, ...second].map(({ member }) => member))).toEqual(
        new Set(batches.map(({ facts }) => facts.batchId)),
      );
      for (const next of batches) await bench.other.unflag(next.facts);
      expect(await ids()).toEqual([]);
    });

    verifies(
      'APR-15',
      'a step that changes only the status stands beside a word that came between',
      async () => {
        const done = { state: 'done', at: 1 } as const;
        const plan = bench.store.changeRiders(batch, { tasks: [], status: done, news: [] }, rita);
        expect(await bench.store.replace(batch, change(batch, 'commented'), rita)).toBe('replaced');
        for (const { key, field, equals } of plan.guards)
          expect(await bench.redis.hget(key, field)).toBe(equals);
        await apply(bench.redis, plan.riders);
        expect(await load()).toMatchObject({ version: 2, status: done, tasks: [{ rev: 2 }] });
        const before = { ...batch, version: 2 };
        expect(await bench.store.replace(before, change(before, 'late'), rita)).toBe('changed');
      },
    );

    verifies(
      'APR-83',
      'on the line of news a question is answered after all that was told before it',
      async () => {
        const heard: string[] = [];
        const hear = (_channel: string, text: string): void => {
          heard.push((JSON.parse(text) as { taskId: string }).taskId);
        };
        bench.subscriber.on('message', hear);
        await bench.subscriber.subscribe(tenantChannel(batch.facts.tenant));
        for (let version = 1; version < 30; version += 1) {
          const there = { ...batch, version };
          expect(await bench.other.replace(there, change(there, 'changed'), rita)).toBe('replaced');
          await bench.subscriber.ping();
          expect(heard).toHaveLength(version);
        }
        bench.subscriber.off('message', hear);
      },
    );

    verifies('APR-23', 'many are loaded in the order asked, and what is not there is left out', async () => {
      const ids: string[] = [];
      for (let i = 0; i < 5; i += 1) ids.push((await fill()).facts.batchId);
      const absent = opened(transferOf(1, { threadId: fresh('thread') })).facts.batchId;
      // More than go by one question.
      const asked = Array.from({ length: 120 }, (_, i) => ids[i % 5] ?? '').toSpliced(60, 0, absent);
      const loaded = await bench.store.loadMany(asked);
      expect(loaded.map((found) => found.batch.facts.batchId)).toEqual(asked.toSpliced(60, 1));
    });

    verifies('APR-23', 'entries whose batch is gone are dropped, wherever they are', async () => {
      const gone = opened(transferOf(1, { threadId: fresh('thread'), tenant: batch.facts.tenant }));
      await bench.store.announce(gone);
      await bench.store.retire(gone, gone.facts.taskIds);
      await bench.store.forget(batch.facts.tenant, [...gone.facts.taskIds, ...batch.facts.taskIds]);
      const left = async (index: 'open' | 'past') =>
        (await bench.store.tasksOf(batch.facts.tenant, { index, limit: 10 })).map(({ member }) => member);
      expect([await left('open'), await left('past')]).toEqual([batch.facts.taskIds, []]);
    });

    it('moves what is over to the other index', async () => {
      const { tenant, taskIds } = batch.facts;
      const ids = async (index: 'open' | 'past') =>
        (await bench.store.tasksOf(tenant, { index, limit: 10 })).map(({ member }) => member);
      expect([await ids('open'), await ids('past')]).toEqual([taskIds, []]);
      await bench.store.retire(batch, taskIds);
      expect([await ids('open'), await ids('past')]).toEqual([[], taskIds]);
    });
  });
};
