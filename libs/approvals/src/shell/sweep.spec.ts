/** Rounds of the sweep: all that is due, whatever is wrong with one of it, and by whose clock. */
import { jest } from '@jest/globals';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { fresh, olga, person, rita, rolf, transferOf } from '../../test/bank.js';
import { Counter, type OpenedRun } from '../../test/counter.js';
import { batchKey, keysOf, taskField } from '../adapters/approval-keys.js';
import type { OpenTask } from '../core/task.js';

const DATABASE = ownDatabase();
const PATIENCE_MS = 120_000;

describe('the sweep', () => {
  let one: Counter;
  let two: Counter;
  beforeAll(async () => {
    [one, two] = [await Counter.start(DATABASE), await Counter.start(DATABASE)];
  });
  beforeEach(() => one.redis.flushdb());
  afterAll(async () => {
    await one.close();
    await two.close();
  });

  /** Questions that fall due together, a while from now. */
  const openMany = async (count: number, over: { readonly tenant?: string } = {}): Promise<OpenedRun[]> => {
    const expiresAt = new Date((await one.ledger.now()) + 1_000 + count).toISOString();
    const interrupts = [{ id: 'i1', reason: 'confirmation', expiresAt }];
    const opened = Array.from({ length: count }, () => one.open({ interrupts, ...over }));
    return Promise.all(opened);
  };
  const due = (runs: readonly OpenedRun[]): Promise<void> => one.wait(1_000 + runs.length);
  const taskIdsOf = (runs: readonly OpenedRun[]) => runs.flatMap(({ taskIds }) => taskIds);

  verifies(
    'APR-74',
    'a round ends all that is due, page by page, however much it is',
    async () => {
      const runs = await openMany(350);
      await due(runs);
      const first = await one.approvals.sweep();
      expect(first.more).toBe(true);
      const { expired, ready } = await one.sweepAll();
      expect(new Set([...first.expired, ...expired])).toEqual(new Set(taskIdsOf(runs)));
      expect(new Set([...first.ready, ...ready])).toEqual(new Set(runs.map(({ batchId }) => batchId)));
      expect(await one.approvals.sweep()).toEqual({ expired: [], ready: [], more: false });
    },
    PATIENCE_MS,
  );

  verifies(
    'APR-74',
    'two workers share what is due, and nothing is ended twice',
    async () => {
      const runs = await openMany(150);
      await due(runs);
      const swept = await Promise.all([one.sweepAll(), two.sweepAll()]);
      const expired = swept.flatMap((half) => half.expired);
      expect(expired.toSorted()).toEqual(taskIdsOf(runs).toSorted());
    },
    PATIENCE_MS,
  );

  verifies(
    'APR-72',
    'one batch that cannot be read is told once and listed for operators, and all others end',
    async () => {
      const tenant = fresh('tenant');
      const runs = await openMany(12, { tenant });
      const [broken, ...others] = runs;
      if (!broken) throw new Error('nothing was opened');
      await one.redis.hdel(batchKey(broken.batchId), taskField(broken.taskIds[0] ?? ''));
      await due(runs);
      const before = one.reports.length;
      const { expired } = await one.sweepAll();
      expect(expired.toSorted()).toEqual(taskIdsOf(others).toSorted());
      for (const member of await one.redis.zrange('tt:busy', '0', '-1'))
        await one.redis.zadd('tt:busy', 1, member);
      await one.sweepAll();
      expect(one.reports.slice(before)).toEqual(['approvals.batch-set-aside']);
      const listed = await one.approvals.batches({ ...olga, tenant }, {});
      expect(listed).toMatchObject({
        value: { items: [{ batchId: broken.batchId, state: 'blocked', code: 'hub/batch-unreadable' }] },
      });
      const inbox = await one.approvals.list({ ...rita, tenant }, { states: ['expired'] });
      expect(inbox).toMatchObject({ ok: true });
    },
    PATIENCE_MS,
  );

  verifies(
    'APR-72',
    'what could not be read is tried again ever less often, and goes on when it is mended',
    async () => {
      const [run] = await openMany(1);
      if (!run) throw new Error('nothing was opened');
      const key = batchKey(run.batchId);
      const field = taskField(run.taskIds[0] ?? '');
      const text = (await one.redis.hget(key, field)) ?? '';
      await one.redis.hset(key, field, 'garbage');
      await due([run]);
      const waits: number[] = [];
      for (let tries = 0; tries < 3; tries += 1) {
        const now = await one.ledger.now();
        await one.sweepAll();
        const [member = '', score] = await one.redis.zrange('tt:busy', '0', '0', 'WITHSCORES');
        waits.push(Number(score) - now);
        await one.redis.zadd('tt:busy', 1, member);
      }
      const [first = 0, second = 0, third = 0] = waits;
      expect(first).toBeGreaterThan(0);
      expect(second).toBeGreaterThan(first);
      expect(third).toBeGreaterThan(second);
      await one.redis.hset(key, field, text);
      expect((await one.sweepAll()).expired).toEqual(run.taskIds);
    },
    PATIENCE_MS,
  );

  verifies('APR-73', 'a task opens by the store’s clock, wherever its carrier’s stands', async () => {
    const before = await one.ledger.now();
    const real = Date.now.bind(Date);
    const away = jest.spyOn(Date, 'now').mockImplementation(() => real() + 600_000);
    const run = await one.open({ interrupts: [{ id: 'i1', reason: 'confirmation' }] });
    away.mockRestore();
    const view = await one.approvals.get(rita, run.taskIds[0] ?? '');
    if (!view.ok) throw new Error(view.refusal.code);
    const { createdAt, expiresAt } = view.value;
    expect(createdAt).toBeGreaterThanOrEqual(before);
    expect(createdAt).toBeLessThanOrEqual(await one.ledger.now());
    expect(expiresAt - createdAt).toBe(3_600_000);
  });

  verifies(
    'APR-73',
    'IN-17 QT-09: what was over before it was asked is never offered, and nothing spins',
    async () => {
      const interrupts = [{ id: 'i1', reason: 'confirmation', expiresAt: '2020-01-01T00:00:00Z' }];
      const run = await one.open({ interrupts });
      const [taskId = ''] = run.taskIds;
      const stored = JSON.parse(
        (await one.redis.hget(batchKey(run.batchId), taskField(taskId))) ?? '',
      ) as unknown;
      expect(stored).toMatchObject({ status: 'settled', decision: { kind: 'expired' } });
      const { ready, expired } = await one.sweepAll();
      expect([ready, expired]).toEqual([[run.batchId], []]);
      expect(await one.sweepAll()).toEqual({ ready: [], expired: [], more: false });
      expect((await one.dispatch(run)).resume).toMatchObject([
        { interruptId: 'i1', status: 'cancelled', metadata: { hub: { cause: 'expired' } } },
      ]);
    },
  );

  /** A claim whose holder went away, as if its time were over. */
  const lapsed = async (): Promise<OpenedRun> => {
    const run = await one.open(transferOf(500));
    const [taskId = ''] = run.taskIds;
    await one.approvals.claim(rita, taskId);
    const [key, field] = [batchKey(run.batchId), taskField(taskId)];
    const task = JSON.parse((await one.redis.hget(key, field)) ?? '') as OpenTask;
    const claim = task.claim && { ...task.claim, until: (await one.ledger.now()) - 1 };
    await one.redis.hset(key, field, JSON.stringify({ ...task, claim }));
    return run;
  };
  const newsOf = async ({ threadId }: OpenedRun) =>
    (await one.redis.xrange(keysOf(threadId).outbox, '-', '+')).map(
      ([, [, line]]) => JSON.parse(line ?? '') as unknown,
    );

  verifies(
    'APR-78',
    'a claim is looked after at its end, and the end is told without anybody asking',
    async () => {
      const run = await one.open(transferOf(500));
      const [taskId = ''] = run.taskIds;
      const view = await one.approvals.claim(rita, taskId);
      if (!view.ok) throw new Error(view.refusal.code);
      const [member = ''] = await one.redis.zrange('tt:busy', '0', '-1');
      expect(Number(await one.redis.zscore('tt:busy', member))).toBe(view.value.claim?.until);
      const other = await lapsed();
      for (const each of await one.redis.zrange('tt:busy', '0', '-1'))
        await one.redis.zadd('tt:busy', 1, each);
      await two.sweepAll();
      expect((await newsOf(other)).at(-1)).toMatchObject({ action: 'lapsed', by: 'hub' });
      expect((await newsOf(run)).at(-1)).toMatchObject({ action: 'claimed' });
    },
  );

  verifies(
    'APR-71',
    'whoever asks first sees to what fell due, in the hub’s name, and is heard then',
    async () => {
      const [read, taken] = [await lapsed(), await lapsed()];
      expect(await two.approvals.get(rolf, read.taskIds[0] ?? '')).toMatchObject({
        value: { state: 'pending', rev: 2 },
      });
      expect(await two.approvals.claim(rolf, taken.taskIds[0] ?? '')).toMatchObject({
        value: { claim: { by: 'rolf' }, rev: 3 },
      });
      expect((await newsOf(read)).at(-1)).toMatchObject({ action: 'lapsed', by: 'hub' });
      expect((await newsOf(taken)).slice(-2)).toMatchObject([
        { action: 'lapsed', by: 'hub' },
        { action: 'claimed', by: 'rolf' },
      ]);
    },
  );

  const outboxOf = async (run: OpenedRun) =>
    (await newsOf(run)).map((line) => (line as { readonly action: string }).action);
  const MINUTE_MS = 60_000;
  const longAgo = async (minutes: number, tenant: string): Promise<OpenedRun> => {
    const now = (await one.ledger.now()) - minutes * MINUTE_MS;
    return one.open({ interrupts: [{ id: 'i1', reason: 'bank:wait' }], tenant, now });
  };

  verifies(
    'APR-76',
    'QT-06: of any number of knocks, rounds and readers at once one escalates, and the work follows',
    async () => {
      const tenant = fresh('tenant');
      const lena = { ...person('lena', ['reviewer'], ['leads']), tenant };
      const run = await longAgo(11, tenant);
      const [taskId = ''] = run.taskIds;
      const knocks = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? one : two).approvals.wake(taskId));
      await Promise.all([...knocks, one.sweepAll(), two.sweepAll(), two.approvals.get(lena, taskId)]);
      expect(await outboxOf(run)).toEqual(['opened', 'reminded', 'overdue', 'escalated']);
      const records = await one.redis.xrange(keysOf(run.threadId).trail, '-', '+');
      const escalations = records.filter(([, [, text]]) => text?.includes('"task.escalate"'));
      expect(escalations).toHaveLength(1);
      expect(await one.approvals.list(lena, {})).toMatchObject({
        value: { items: [{ taskId, groups: ['advisors', 'leads'], may: expect.arrayContaining(['claim']) }] },
      });
      const candidacies = await one.approvals.candidacies(run.threadId);
      expect(candidacies).toMatchObject([{ groups: ['advisors', 'leads'] }]);
      expect(await one.approvals.threadsOf(lena)).toEqual([run.threadId]);
      const member = `${run.batchId}@${(await one.ledger.batchesOf(run.threadId, 1))[0]?.openedAt}`;
      const openedAt = Number(member.split('@')[1]);
      const next = Number(await one.redis.zscore('tt:busy', member));
      expect(next).toBeGreaterThan(await one.ledger.now());
      expect(next).toBeLessThanOrEqual(openedAt + 20 * MINUTE_MS);
    },
    PATIENCE_MS,
  );

  verifies(
    'APR-75',
    'QT-02: whoever comes by late reminds once, though the queue never knocked',
    async () => {
      const run = await longAgo(6, fresh('tenant'));
      await one.sweepAll();
      await two.sweepAll();
      expect(await outboxOf(run)).toEqual(['opened', 'reminded']);
    },
  );

  verifies('APR-26', 'what is to come is knocked for, and what moved is knocked for again', async () => {
    const run = await one.open({ interrupts: [{ id: 'i1', reason: 'bank:wait' }] });
    const [taskId = ''] = run.taskIds;
    const kinds = () => one.door.heard.filter(({ id }) => id === taskId).map(({ due }) => due);
    expect(new Set(kinds())).toEqual(new Set(['escalate', 'expire', 'remind', 'slaBreach']));
    await one.approvals.claim(rita, taskId);
    for (let beats = 0; beats < 3; beats += 1) await one.approvals.heartbeat(rita, taskId);
    expect(kinds().filter((kind) => kind === 'leaseEnd')).toHaveLength(1);
    await one.approvals.wake(taskId);
    expect(kinds().filter((kind) => kind === 'leaseEnd')).toHaveLength(2);
  });

  verifies(
    'APR-88',
    'a look asked for while one is overdue is not lost to whoever takes that before the change',
    async () => {
      const run = await one.open({ interrupts: [{ id: 'i1', reason: 'confirmation' }] });
      const loaded = await one.ledger.load(run.batchId);
      if (!loaded) throw new Error('not opened');
      const { batch, now } = loaded;
      const member = `${run.batchId}@${batch.facts.openedAt}`;
      const score = async () => Number((await one.redis.zscore('tt:busy', member)) ?? NaN);
      await one.redis.zadd('tt:busy', now - 5_000, member);
      // Somebody is about to write, and says so first; somebody else takes what is overdue, and reads what was before.
      await two.ledger.watch(batch, now + 5_000);
      const [taken] = await one.ledger.takeDue(10);
      if (!taken) throw new Error('not due');
      await one.ledger.settle(taken, undefined);
      await one.ledger.settle(taken, now + 600_000);
      expect(await score()).toBeLessThan(now + 60_000);
      // The look after that is one like any other.
      await one.redis.zadd('tt:busy', now - 5_000, member);
      const [again] = await one.ledger.takeDue(10);
      if (!again) throw new Error('not due');
      await one.ledger.settle(again, undefined);
      expect(await score()).toBeNaN();
    },
  );
});
