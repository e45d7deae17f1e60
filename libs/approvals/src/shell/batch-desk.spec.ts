/** What operators find of batches that are stuck, and what becomes of one they set going again. */
import type { Actor } from '@triptych/access';
import type { BatchView } from '@triptych/protocol';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { carl, fresh, olga, person, rita, stranger, sven, transferOf, unwrap } from '../../test/bank.js';
import { countersOn, type Counter, type OpenedRun } from '../../test/counter.js';
import { batchKey, taskField } from '../adapters/approval-keys.js';
import type { ResumeEnd } from '../core/failure-classes.js';
import type { BatchQuery } from './batch-desk.js';
import type { DispatchPlan } from './dispatches.js';

const DATABASE = ownDatabase();
const LOST: Partial<ResumeEnd> = { outcome: 'lost', code: 'hub/runner-lost' };
const FAILED: Partial<ResumeEnd> = { outcome: 'error', code: 'E_DB', idempotent: true };

describe('batches that need a person', () => {
  const { at } = countersOn(DATABASE, 2);
  let one: Counter;
  let two: Counter;
  beforeAll(() => {
    [one, two] = [at(0), at(1)];
  });

  /** A batch of this tenant whose answers were sent, and whose resumed run ended so. */
  const endedBatch = async (tenant: string, end: Partial<ResumeEnd>): Promise<OpenedRun> => {
    const interrupts = [{ id: 'i1', reason: 'confirmation' }];
    const run = await one.open({ interrupts, tenant, threadId: fresh('thread') });
    const reader = { ...rita, tenant };
    unwrap(await one.approvals.decide(reader, run.taskIds[0] ?? '', { verb: 'approve', rev: 1 }));
    await one.dispatch(run);
    await one.end(run, end);
    await one.wait(1);
    return run;
  };
  const list = async (actor: Actor, query: BatchQuery = {}): Promise<readonly BatchView[]> =>
    unwrap(await two.approvals.batches(actor, query)).items;

  verifies('APR-30', 'are listed for the operators of their tenant, newest first, by state', async () => {
    const tenant = fresh('tenant');
    const operator = { ...olga, tenant };
    const runs = [
      await endedBatch(tenant, LOST),
      await endedBatch(tenant, FAILED),
      await endedBatch(tenant, LOST),
    ];
    await endedBatch(tenant, { outcome: 'success' });
    const ids = runs.map(({ batchId }) => batchId).toReversed();
    const all = await list(operator);
    expect(all.map(({ batchId }) => batchId)).toEqual(ids);
    expect(all[1]).toEqual({
      batchId: ids[1],
      state: 'retry_wait',
      threadId: runs[1]?.threadId,
      runId: 'run-1',
      agentId: 'teller',
      openedAt: expect.any(Number),
      taskIds: runs[1]?.taskIds,
      open: 0,
      total: 1,
      attempts: 1,
      resumeRunId: expect.any(String),
      code: 'E_DB',
    });
    expect((await list(operator, { states: ['retry_wait', 'done'] })).map(({ state }) => state)).toEqual([
      'retry_wait',
    ]);
    const page = unwrap(await one.approvals.batches(operator, { states: ['unknown'], limit: 1 }));
    expect(page.items.map(({ batchId }) => batchId)).toEqual([ids[0]]);
    expect(await list(operator, { states: ['unknown'], cursor: page.nextCursor ?? '' })).toMatchObject([
      { batchId: ids[2] },
    ]);
    expect(await list({ ...olga, tenant: fresh('tenant') })).toEqual([]);
    for (const actor of [rita, sven, carl, person('adam', ['auditor', 'admin'])])
      expect(await one.approvals.batches({ ...actor, tenant }, {})).toMatchObject({
        refusal: { code: 'FORBIDDEN' },
      });
    expect(await one.approvals.batches(operator, { cursor: 'nonsense' })).toMatchObject({
      refusal: { code: 'INVALID_INPUT' },
    });
  });

  verifies('APR-30', 'a batch all of whose questions expired under `hold` is among them', async () => {
    const tenant = fresh('tenant');
    const interrupts = [{ id: 'i1', reason: 'confirmation', expiresAt: '1970-01-01T00:00:00Z' }];
    const run = await one.open({ interrupts, tenant, agentId: 'careful' });
    await two.approvals.wake(run.taskIds[0] ?? '');
    expect(await list({ ...olga, tenant })).toMatchObject([{ batchId: run.batchId, state: 'blocked' }]);
    unwrap(await one.approvals.mend({ ...olga, tenant }, run.batchId, { verb: 'retry' }));
    expect((await one.dispatch(run)).resume).toMatchObject([{ interruptId: 'i1', status: 'cancelled' }]);
  });

  verifies('APR-30', 'an index that was lost is mended by the sweep', async () => {
    const tenant = fresh('tenant');
    const run = await endedBatch(tenant, LOST);
    await one.redis.del(`tt:flagged:${tenant}`);
    const members = await one.redis.zrange('tt:busy', '0', '-1');
    for (const member of members) await one.redis.zadd('tt:busy', 1, member);
    await two.sweepAll();
    expect(await list({ ...olga, tenant })).toMatchObject([{ batchId: run.batchId }]);
  });

  verifies(
    'APR-29',
    'an operator’s retry sends the same answers once more, as a run of its own',
    async () => {
      const tenant = fresh('tenant');
      const operator = { ...olga, tenant };
      const run = await endedBatch(tenant, LOST);
      const [before] = await list(operator);
      const results = await Promise.all(
        [one, two, one, two].map(({ approvals }) => approvals.mend(operator, run.batchId, { verb: 'retry' })),
      );
      for (const result of results) expect(unwrap(result)).toMatchObject({ state: 'ready', attempts: 1 });
      expect(await list(operator)).toEqual([]);
      const knocks = [...one.door.heard, ...two.door.heard].filter(
        ({ kind, id }) => kind === 'dispatch' && id === run.batchId,
      );
      expect(knocks).toHaveLength(2);
      const plan = await two.dispatch(run);
      expect(plan).toMatchObject({
        attempt: 2,
        resume: [{ interruptId: 'i1', payload: { approved: true } }],
      });
      expect(plan.runId).not.toBe(before?.resumeRunId);
      const { history } = unwrap(await one.approvals.get({ ...rita, tenant }, run.taskIds[0] ?? ''));
      expect(history?.filter(({ action }) => action === 'retry')).toMatchObject([{ by: 'olga' }]);
      await two.end(run, { outcome: 'success' });
      expect(unwrap(await one.approvals.mend(operator, run.batchId, { verb: 'retry' }))).toMatchObject({
        state: 'done',
      });
      expect(await one.approvals.planDispatch(run.batchId)).toBeUndefined();
    },
  );

  verifies(
    'APR-29',
    'nobody else sends anything again, and another tenant’s batch is not there',
    async () => {
      const tenant = fresh('tenant');
      const run = await endedBatch(tenant, LOST);
      for (const actor of [rita, sven, carl, person('adam', ['auditor', 'admin'])])
        expect(await one.approvals.mend({ ...actor, tenant }, run.batchId, { verb: 'retry' })).toMatchObject({
          refusal: { code: 'FORBIDDEN' },
        });
      const foreign = { ...stranger, roles: ['operator' as const] };
      for (const batchId of [run.batchId, `${run.batchId.slice(0, -3)}xyz`, '../../etc'])
        expect(await one.approvals.mend(foreign, batchId, { verb: 'retry' })).toMatchObject({
          refusal: { code: 'NOT_FOUND' },
        });
      expect(await list({ ...olga, tenant })).toMatchObject([{ state: 'unknown' }]);
    },
  );

  verifies(
    'APR-58',
    'whose run failed after it had asked says so, and disturbs nobody at work on it',
    async () => {
      const tenant = fresh('tenant');
      const run = await one.open(transferOf(500, { tenant }));
      const reviewer = { ...rita, tenant };
      unwrap(await one.approvals.claim(reviewer, run.taskIds[0] ?? ''));
      await two.store(run.threadId, {
        riders: await two.approvals.failedLateFor({ ...run, runId: 'run-1' }),
      });
      const task = unwrap(await one.approvals.get(reviewer, run.taskIds[0] ?? ''));
      expect(task.state).toBe('claimed');
      expect(task.history?.map(({ action }) => action)).toEqual(['open', 'claim', 'run-failed-late']);
      expect(await two.approvals.failedLateFor({ ...run, runId: 'another' })).toEqual([]);
    },
  );

  verifies('APR-64', 'signs each entry by itself, and the same way on every attempt', async () => {
    const tenant = fresh('tenant');
    const interrupts = ['i1', 'i2'].map((id) => ({ id, reason: 'confirmation' }));
    const run = await one.open({ interrupts, tenant });
    for (const taskId of run.taskIds)
      unwrap(await one.approvals.decide({ ...rita, tenant }, taskId, { verb: 'approve', rev: 1 }));
    const proofsIn = ({ resume }: DispatchPlan): readonly unknown[] =>
      resume.map(({ metadata }) => (metadata?.hub as { jws?: string } | undefined)?.jws);
    const first = proofsIn(await one.dispatch(run));
    expect(first).toEqual([0, 1].map(() => expect.stringMatching(/^[\w-]+\.\.[\w-]{86}$/u)));
    expect(new Set(first).size).toBe(2);
    await one.end(run, LOST);
    unwrap(await one.approvals.mend({ ...olga, tenant }, run.batchId, { verb: 'retry' }));
    expect(proofsIn(await two.dispatch(run))).toEqual(first);
  });

  verifies(
    'APR-90',
    'that cannot be read are not mended from here, which their operators are told',
    async () => {
      const tenant = fresh('tenant');
      const run = await endedBatch(tenant, LOST);
      await one.redis.hset(batchKey(run.batchId), taskField(run.taskIds[0] ?? ''), '{');
      const asked = (actor: Actor) => [
        ...(['retry', 'reopen', 'cancel'] as const).map((verb) =>
          one.approvals.mend(actor, run.batchId, { verb }),
        ),
        one.approvals.closingFor(actor, run.batchId),
      ];
      for (const told of await Promise.all(asked({ ...olga, tenant })))
        expect(told).toMatchObject({
          refusal: { code: 'FORBIDDEN', details: { code: 'hub/batch-unreadable' } },
        });
      for (const told of await Promise.all(asked({ ...olga, tenant: fresh('tenant') })))
        expect(told).toMatchObject({ refusal: { code: 'NOT_FOUND' } });
    },
  );
});
