/** What a person finds in the inbox, and which threads they may therefore read. */
import { ok, type TaskView } from '@triptych/protocol';
import { ownDatabase, until } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { carl, cora, fresh, olga, policy, rita, transferOf, unwrap } from '../../test/bank.js';
import { Counter, type OpenedRun } from '../../test/counter.js';
import { redisClaimIndex } from '../adapters/redis-claim-index.js';
import { INBOX_SORTS, type InboxQuery } from '../core/inbox-query.js';
import { HUB, type OpenTask, type Task } from '../core/task.js';
import { amend } from './amend.js';
import type { Desk } from './desk.js';

const DATABASE = ownDatabase();

const deskOf = (counter: Counter): Desk => ({
  store: counter.ledger,
  claims: redisClaimIndex(counter.redis),
  policy: () => policy,
  standing: () => Promise.resolve((actor) => ok(actor)),
  knocks: counter.door,
  newId: () => fresh('id'),
  signer: counter.signer,
  frontendTtlMs: 1_000,
  report: () => undefined,
});

const askedAnew = (task: Task): Task => {
  const { decision: _decision, claim: _claim, ...rest } = task;
  return { ...rest, votes: [], status: 'open' } as OpenTask;
};

describe.each(['out of the store', 'kept in memory'])('the inbox, %s', (way) => {
  let one: Counter;
  let two: Counter;
  let lines: { stop(): Promise<void> }[] = [];
  beforeAll(async () => {
    [one, two] = [await Counter.start(DATABASE), await Counter.start(DATABASE)];
    await one.redis.flushdb();
    if (way === 'kept in memory') lines = [await one.follow(), await two.follow()];
  });
  afterAll(async () => {
    for (const line of lines) await line.stop();
    await one.close();
    await two.close();
  });

  const pagesOf = async (reader: typeof rita, query: InboxQuery): Promise<readonly TaskView[]> => {
    const items: TaskView[] = [];
    for (let cursor: string | undefined, more = true; more;) {
      const page = unwrap(await one.approvals.list(reader, { ...query, ...(cursor ? { cursor } : {}) }));
      items.push(...page.items);
      ({ nextCursor: cursor } = page);
      more = cursor !== undefined;
    }
    return items;
  };

  verifies('APR-23', 'pages show each candidate task once, newest first, with counts by state', async () => {
    const tenant = fresh('tenant');
    const [reader, other] = [
      { ...rita, tenant },
      { ...cora, tenant },
    ];
    const runs: OpenedRun[] = [];
    for (let i = 0; i < 7; i += 1) {
      runs.push(await one.open(transferOf(500, { tenant, threadId: fresh('thread') })));
      await one.wait(1);
    }
    await one.open({ interrupts: [{ id: 'q', reason: 'input_required' }], tenant });
    const pages = await pagesOf(reader, { limit: 3 });
    expect(pages.map(({ taskId }) => taskId)).toEqual(runs.flatMap(({ taskIds }) => taskIds).toReversed());
    unwrap(await one.approvals.claim(reader, runs[0]?.taskIds[0] ?? ''));
    expect(unwrap(await one.approvals.counts(reader))).toEqual({ pending: 6, claimed: 1 });
    expect(unwrap(await one.approvals.list(other, {})).items).toEqual([]);
    expect(unwrap(await one.approvals.list({ ...olga, tenant }, {})).items).toHaveLength(8);
    expect(
      unwrap(await one.approvals.list(reader, { states: ['claimed'], tool: 'transfer', q: 'ANN' })).items,
    ).toHaveLength(1);
    expect(await one.approvals.list(reader, { cursor: 'nonsense' })).toMatchObject({
      refusal: { code: 'INVALID_INPUT' },
    });
    expect(await one.approvals.list(carl, {})).toMatchObject({ refusal: { code: 'FORBIDDEN' } });
    expect(await one.approvals.counts(carl)).toMatchObject({ refusal: { code: 'FORBIDDEN' } });
  });

  verifies('APR-23', 'what is decided leaves the open inbox and is found by its state', async () => {
    const tenant = fresh('tenant');
    const reader = { ...rita, tenant };
    const run = await one.open(transferOf(500, { tenant }));
    expect(unwrap(await two.approvals.list(reader, { states: ['decided', 'pending'] })).items).toHaveLength(
      1,
    );
    unwrap(await one.approvals.decide(reader, run.taskIds[0] ?? '', { verb: 'approve', rev: 1 }));
    expect(unwrap(await two.approvals.list(reader, {})).items).toEqual([]);
    const past = unwrap(await two.approvals.list(reader, { states: ['decided', 'pending'] })).items;
    expect(past.map(({ taskId, state }) => [taskId, state])).toEqual([[run.taskIds[0], 'decided']]);
    expect(unwrap(await two.approvals.counts(reader))).toEqual({});
    expect(unwrap(await two.approvals.counts(reader, { states: ['decided'] }))).toEqual({ decided: 1 });
  });

  verifies(
    'APR-23',
    'what is asked anew is open again, and mended where the indexes say otherwise',
    async () => {
      const tenant = fresh('tenant');
      const reader = { ...rita, tenant };
      const run = await one.open(transferOf(500, { tenant, threadId: fresh('thread') }));
      const [taskId = ''] = run.taskIds;
      unwrap(await one.approvals.decide(reader, taskId, { verb: 'approve', rev: 1 }));
      const indexed = async (index: 'open' | 'past') =>
        (await one.ledger.tasksOf(tenant, { index, limit: 9 })).map(({ member }) => member);
      await until(async () => (await indexed('open')).length === 0);
      await amend(deskOf(one), { batchId: run.batchId, cause: HUB }, ({ batch }) =>
        ok({ tasks: batch.tasks.map(askedAnew), status: { state: 'open' }, news: [] }),
      );
      expect([await indexed('open'), await indexed('past')]).toEqual([[taskId], []]);
      const found = unwrap(await two.approvals.list(reader, {})).items;
      expect(found.map(({ state }) => state)).toEqual(['pending']);
      // As when what came after its decision was told late.
      const loaded = await one.ledger.load(run.batchId);
      await one.ledger.retire(loaded!.batch, [taskId]);
      expect(await one.approvals.threadsOf(reader)).toEqual([run.threadId]);
      await until(async () => (await indexed('open')).length === 1);
    },
  );

  verifies(
    'APR-82',
    'counts and orders stay exact beyond what a look once went through',
    async () => {
      const tenant = fresh('tenant');
      const reader = { ...rita, tenant };
      const now = Date.now();
      const interrupts = Array.from({ length: 200 }, (_, i) => ({
        id: `i${i}`,
        reason: 'tool_call',
        toolCallId: 'c1',
      }));
      const { calls = {} } = transferOf(500);
      const runs: OpenedRun[] = [];
      for (let i = 0; i < 26; i += 1)
        runs.push(await one.open({ tenant, threadId: fresh('thread'), interrupts, calls, now: now - i }));
      await one.open({ tenant, interrupts: [{ id: 'c', reason: 'confirmation' }], now: now - 60_000 });
      const some = runs.slice(0, 7);
      for (const { taskIds } of some) unwrap(await two.approvals.claim(reader, taskIds[7] ?? ''));
      expect(unwrap(await one.approvals.counts(reader))).toEqual({ pending: 5_194, claimed: 7 });
      expect(unwrap(await one.approvals.counts({ ...cora, tenant }))).toEqual({ pending: 1 });
      expect(unwrap(await one.approvals.counts({ ...olga, tenant }))).toEqual({
        pending: 5_194,
        claimed: 7,
      });
      const [last] = unwrap(await one.approvals.list(reader, { reason: 'confirmation' })).items;
      expect(last?.interruptId).toBe('c');
      const claimed = await pagesOf(reader, { states: ['claimed'], limit: 3 });
      expect(claimed.map(({ threadId }) => threadId)).toEqual(some.map(({ threadId }) => threadId));
    },
    120_000,
  );

  verifies('APR-81', 'each sort shows the same tasks in its own order', async () => {
    const tenant = fresh('tenant');
    const reader = { ...rita, tenant };
    for (let i = 0; i < 6; i += 1) {
      const over = { tenant, threadId: fresh('thread'), now: Date.now() - 40_000 + ((i * 7) % 5) * 1_000 };
      // Large transfers are due after a minute, the others expire after an hour.
      await one.open(transferOf(i % 2 === 0 ? 500 : 2_000, over));
    }
    const by = async (sort: (typeof INBOX_SORTS)[number]) => await pagesOf(reader, { sort, limit: 4 });
    const sorted = await Promise.all(INBOX_SORTS.map(by));
    for (const items of sorted)
      expect(items.map(({ taskId }) => taskId).toSorted()).toEqual(
        sorted[0]?.map(({ taskId }) => taskId).toSorted(),
      );
    const [created = [], due = [], priority = [], expires = []] = sorted;
    const rises = (times: readonly number[]) => expect(times).toEqual(times.toSorted((a, b) => a - b));
    rises(created.map(({ createdAt }) => -createdAt));
    rises(due.map(({ dueAt = Infinity }) => dueAt));
    rises(priority.map((task) => -task.priority));
    rises(expires.map(({ expiresAt }) => expiresAt));
    expect(created[0]?.taskId).not.toBe(due[0]?.taskId);
  });

  verifies('APR-84', 'a search finds what is shown to whoever searches, and nothing else', async () => {
    const tenant = fresh('tenant');
    const [reader, operator] = [
      { ...rita, tenant },
      { ...olga, tenant },
    ];
    await one.open(transferOf(500, { tenant, threadId: fresh('thread') }));
    await one.open(transferOf(500, { tenant, threadId: fresh('other-thread') }));
    const found = async (actor: typeof rita, q: string) =>
      unwrap(await one.approvals.list(actor, { q, limit: 1 }));
    expect(await found(reader, '12-34')).toEqual({ items: [], total: 0 });
    expect(await found(operator, '12-34')).toMatchObject({ items: [{}], nextCursor: expect.any(String) });
    expect((await found(reader, 'ANN')).items).toHaveLength(1);
    expect((await found(reader, 'other-THREAD')).items).toHaveLength(1);
    expect(await found({ ...cora, tenant }, 'ann')).toEqual({ items: [], total: 0 });
  });

  verifies(
    'APR-83',
    'who asks after a change was made is answered with it, through whatever process',
    async () => {
      const tenant = fresh('tenant');
      const reader = { ...rita, tenant };
      for (let turn = 0; turn < 12; turn += 1) {
        const run = await one.open(transferOf(500, { tenant, threadId: fresh('thread') }));
        const [taskId = ''] = run.taskIds;
        expect(unwrap(await two.approvals.counts(reader))).toEqual({ pending: 1 });
        unwrap(await two.approvals.claim(reader, taskId));
        expect(unwrap(await one.approvals.list(reader, { states: ['claimed'] })).items).toHaveLength(1);
        unwrap(await two.approvals.decide(reader, taskId, { verb: 'approve', rev: 2 }));
        expect(unwrap(await one.approvals.list(reader, {})).items).toEqual([]);
        await one.dispatch(run);
        expect(unwrap(await two.approvals.list(reader, { states: ['dispatched'] })).items).toHaveLength(1);
        await one.end(run, {});
        expect(unwrap(await two.approvals.counts(reader, { states: ['dispatched', 'closed'] }))).toEqual({
          closed: turn + 1,
        });
      }
    },
    120_000,
  );

  verifies('APR-86', 'a batch that cannot be read hides no other, and is told of', async () => {
    const tenant = fresh('tenant');
    const reader = { ...rita, tenant };
    const [good, bad] = [
      await one.open(transferOf(500, { tenant, threadId: fresh('thread') })),
      await one.open(transferOf(500, { tenant, threadId: fresh('thread') })),
    ];
    expect(unwrap(await one.approvals.counts(reader))).toEqual({ pending: 2 });
    const [tag, run, task] = (bad.taskIds[0] ?? '').split('.');
    await one.redis.hdel(`tt:{${tag}}:batch:${run}`, `t:${task}`);
    const { items } = unwrap(await one.approvals.list(reader, {}));
    expect(items.map(({ taskId }) => taskId)).toEqual(good.taskIds);
    expect(unwrap(await one.approvals.counts(reader))).toEqual({ pending: 1 });
    expect(one.reports).toContain('approvals.unreadable');
  });

  it('knows whose thread it is to review, now and for a while after', async () => {
    const run = await one.open(transferOf(500));
    expect(await one.approvals.candidacies(run.threadId)).toEqual([
      { tenant: 'bank', audience: 'reviewer', groups: ['advisors'], approvable: true },
    ]);
    expect(await one.approvals.threadsOf(rita)).toContain(run.threadId);
    expect(await one.approvals.threadsOf(cora)).not.toContain(run.threadId);
    expect(await one.approvals.candidacies('nowhere')).toEqual([]);
  });
});
