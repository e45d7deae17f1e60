/** What a person finds in the inbox, and which threads they may therefore read. */
import type { TaskView } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { carl, cora, fresh, olga, rita, transferOf } from '../../test/bank.js';
import { Counter, type OpenedRun } from '../../test/counter.js';

const DATABASE = 10;

describe('the inbox', () => {
  let one: Counter;
  let two: Counter;
  beforeAll(async () => {
    [one, two] = [await Counter.start(DATABASE), await Counter.start(DATABASE)];
    await one.redis.flushdb();
  });
  afterAll(async () => {
    await one.close();
    await two.close();
  });

  const unwrap = <T>(result: { ok: true; value: T } | { ok: false; refusal: { code: string } }): T => {
    if (!result.ok) throw new Error(result.refusal.code);
    return result.value;
  };

  verifies('APR-23', 'pages show each candidate task once, newest first, with counts by state', async () => {
    const tenant = fresh('tenant');
    const [reader, other] = [
      { ...rita, tenant },
      { ...cora, tenant },
    ];
    const runs: OpenedRun[] = [];
    for (let i = 0; i < 7; i += 1)
      runs.push(
        await one.open(transferOf(500, { tenant, threadId: fresh('thread'), now: Date.now() - 1_000 + i })),
      );
    await one.open({ interrupts: [{ id: 'q', reason: 'input_required' }], tenant });
    const pages: TaskView[] = [];
    for (let cursor: string | undefined, more = true; more;) {
      const page = unwrap(await one.approvals.list(reader, { limit: 3, ...(cursor ? { cursor } : {}) }));
      pages.push(...page.items);
      ({ nextCursor: cursor } = page);
      more = cursor !== undefined;
    }
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
  });

  verifies('APR-23', 'what is decided leaves the open inbox and is found by its state', async () => {
    const tenant = fresh('tenant');
    const reader = { ...rita, tenant };
    const run = await one.open(transferOf(500, { tenant }));
    unwrap(await one.approvals.decide(reader, run.taskIds[0] ?? '', { verb: 'approve', rev: 1 }));
    expect(unwrap(await two.approvals.list(reader, {})).items).toEqual([]);
    const past = unwrap(await two.approvals.list(reader, { states: ['decided', 'pending'] })).items;
    expect(past.map(({ taskId, state }) => [taskId, state])).toEqual([[run.taskIds[0], 'decided']]);
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
