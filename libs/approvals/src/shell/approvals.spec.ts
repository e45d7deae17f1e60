/** The life of tasks through Redis: opening, inbox, crash and sweep, resume, and the AG-UI door. */
import { placeholderId } from '@triptych/access';
import type { ResumeEntry, TaskView } from '@triptych/protocol';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import {
  carl,
  cora,
  fresh,
  interruptedRun,
  olga,
  opened,
  person,
  rita,
  rolf,
  stranger,
  transferOf,
  unwrap,
} from '../../test/bank.js';
import { countersOn, type Counter, type OpenedRun } from '../../test/counter.js';
import { keysOf, openIndex } from '../adapters/approval-keys.js';

const DATABASE = ownDatabase();
const confirm = (...ids: string[]) => ({ interrupts: ids.map((id) => ({ id, reason: 'confirmation' })) });
const yes = (interruptId: string): ResumeEntry => ({
  interruptId,
  status: 'resolved',
  payload: { approved: true },
});

describe('approvals', () => {
  const { at } = countersOn(DATABASE, 2);
  let one: Counter;
  let two: Counter;
  beforeAll(() => {
    [one, two] = [at(0), at(1)];
  });

  const get = async (taskId = '', actor = rita): Promise<TaskView> =>
    unwrap(await one.approvals.get(actor, taskId));
  const approveAll = async (run: OpenedRun): Promise<void> => {
    for (const taskId of run.taskIds) {
      const { rev, proposalHash } = await get(taskId);
      unwrap(await one.approvals.decide(rita, taskId, { verb: 'approve', rev, proposalHash }));
    }
  };
  const dispatched = async (run: OpenedRun) => {
    const plan = await one.approvals.planDispatch(run.batchId);
    if (!plan || !(await one.store(run.threadId, plan))) throw new Error('not dispatched');
    return plan;
  };
  /** A question whose time passed with nobody there. */
  const overdue = async (): Promise<OpenedRun> => {
    const expiresAt = new Date((await one.ledger.now()) + 100).toISOString();
    const run = await one.open({ interrupts: [{ id: 'i1', reason: 'confirmation', expiresAt }] });
    await one.wait(100);
    return run;
  };
  const stateOf = async ({ batchId }: OpenedRun) => (await one.approvals.batch(batchId, olga))?.state;
  const sweepUntil = async (
    counter: Counter,
    found: (swept: { ready: readonly string[]; expired: readonly string[] }) => boolean,
  ) => {
    // The sweep's times are the store's: make everything that is watched due now.
    const members = await counter.redis.zrange('tt:busy', '0', '-1');
    for (const member of members) await counter.redis.zadd('tt:busy', 1, member);
    const swept = await counter.sweepAll();
    return { swept, found: found(swept) };
  };

  verifies(
    'APR-1',
    'tasks are there in the step that stores the run’s end, and not a moment before',
    async () => {
      const threadId = fresh('thread');
      const opening = await one.approvals.openingFor(interruptedRun({ ...transferOf(500), threadId }));
      await opening.ahead();
      const [taskId = ''] = opening.taskIds;
      expect(await two.approvals.get(rita, taskId)).toMatchObject({ refusal: { code: 'NOT_FOUND' } });
      expect(unwrap(await two.approvals.list(rita, { threadId })).items).toEqual([]);
      await one.store(threadId, { riders: opening.riders });
      expect(await get(taskId)).toMatchObject({
        state: 'pending',
        threadId,
        rev: 1,
        policy: { rule: 'transfer' },
      });
      expect(await one.redis.hget(keysOf(threadId).run, 'batch')).toBe(opening.batchId);
      expect(one.door.heard).toContainEqual({ kind: 'wake', id: taskId, due: 'expire' });
    },
  );

  verifies(
    'APR-3',
    'who may not know of a task hears what is heard for an id that names nothing',
    async () => {
      const run = await one.open(transferOf(500));
      const [taskId = ''] = run.taskIds;
      const nothing = await one.approvals.get(rita, `${taskId.slice(0, -3)}xyz`);
      const garbage = await one.approvals.get(rita, '../../etc');
      for (const actor of [stranger, cora, carl, person('adam', ['auditor'])]) {
        expect(await one.approvals.get(actor, taskId)).toEqual(nothing);
        expect(await one.approvals.claim(actor, taskId)).toEqual(nothing);
        expect(await one.approvals.decide(actor, taskId, { verb: 'approve', rev: 1 })).toEqual(nothing);
      }
      expect(garbage).toEqual(nothing);
      expect(await one.approvals.batch(run.batchId, stranger)).toBeUndefined();
    },
  );

  verifies('APR-6', 'whoever acts on an old revision gets the task as it is', async () => {
    const run = await one.open(transferOf(500));
    const [taskId = ''] = run.taskIds;
    const { proposalHash } = await get(taskId);
    unwrap(await two.approvals.claim(rita, taskId));
    const stale = await one.approvals.decide(rita, taskId, { verb: 'approve', rev: 1, proposalHash });
    expect(stale).toMatchObject({
      refusal: { code: 'STALE_REVISION', details: { task: { rev: 2, state: 'claimed' } } },
    });
  });

  verifies(
    'APR-17',
    'the deciding process dies before the queue hears: the sweep finds the batch',
    async () => {
      const run = await one.open(confirm('i1'));
      one.door.fails = true;
      await approveAll(run);
      one.door.fails = false;
      const { createdAt } = await get(run.taskIds[0]);
      const lookedAt = Number(await one.redis.zscore('tt:busy', `${run.batchId}@${createdAt}`));
      expect(lookedAt - createdAt).toBeLessThan(60_000);
      const { found } = await sweepUntil(two, ({ ready }) => ready.includes(run.batchId));
      expect(found).toBe(true);
      expect(one.reports).toContain('approvals.knock-failed');
    },
  );

  verifies(
    'APR-17',
    'no timer ever rings: the sweep ends what is overdue and sends it as cancelled',
    async () => {
      const run = await overdue();
      const { swept } = await sweepUntil(two, () => true);
      expect(swept.expired).toEqual(expect.arrayContaining([...run.taskIds]));
      expect(swept.ready).toContain(run.batchId);
      const plan = await dispatched(run);
      expect(plan.resume).toMatchObject([
        { interruptId: 'i1', status: 'cancelled', metadata: { hub: { cause: 'expired', actor: 'hub' } } },
      ]);
      expect((await get(run.taskIds[0])).state).toBe('expired');
    },
  );

  verifies('APR-17', 'nobody sweeps either: whoever looks at an overdue task ends it', async () => {
    const [read, decided] = [await overdue(), await overdue()];
    expect(await get(read.taskIds[0])).toMatchObject({ state: 'expired', decision: { kind: 'expired' } });
    const late = await one.approvals.decide(rita, decided.taskIds[0] ?? '', { verb: 'approve', rev: 1 });
    expect(late).toMatchObject({ refusal: { code: 'EXPIRED' } });
    expect(await stateOf(decided)).toBe('ready');
  });

  verifies(
    'APR-17',
    'the process dies between index and opening: an entry that leads nowhere harms nobody',
    async () => {
      const tenant = fresh('tenant');
      const reader = { ...rita, tenant };
      const long = Date.now() - 7_200_000;
      const lost = opened(transferOf(500, { threadId: fresh('thread'), tenant, now: long }));
      await one.ledger.announce(lost);
      const run = await one.open(transferOf(500, { tenant }));
      const { items } = unwrap(await two.approvals.list(reader, {}));
      expect(items.map(({ taskId }) => taskId)).toEqual(run.taskIds);
      await sweepUntil(two, () => true);
      expect(await one.redis.zrange(openIndex(tenant), '0', '-1')).toEqual(run.taskIds);
    },
  );

  verifies(
    'APR-16',
    'a resume that was never sent is tried again, by a later sweep, as another attempt',
    async () => {
      const run = await one.open(confirm('i1'));
      await approveAll(run);
      const first = await dispatched(run);
      const riders = await one.approvals.settlementFor({
        batchId: run.batchId,
        outcome: 'error',
        sent: false,
        idempotent: false,
      });
      await one.store(run.threadId, { riders });
      expect(await stateOf(run)).toBe('ready');
      expect(await one.approvals.planDispatch(run.batchId)).toBeUndefined();
      expect(
        await one.redis.zscore('tt:busy', `${run.batchId}@${(await get(run.taskIds[0])).createdAt}`),
      ).not.toBeNull();
      expect(first.attempt).toBe(1);
      expect((await get(run.taskIds[0])).state).toBe('decided');
    },
  );

  verifies(
    'APR-16',
    'a resume that may have arrived waits for a person, its decisions kept and its thread held',
    async () => {
      const run = await one.open(confirm('i1'));
      await approveAll(run);
      await dispatched(run);
      const riders = await one.approvals.settlementFor({
        batchId: run.batchId,
        outcome: 'lost',
        sent: true,
        idempotent: false,
        code: 'hub/runner-lost',
      });
      await one.store(run.threadId, { riders });
      expect(await stateOf(run)).toBe('unknown');
      expect(await get(run.taskIds[0])).toMatchObject({
        state: 'decided',
        decision: { kind: 'approved' },
        batch: { state: 'unknown' },
      });
      expect(await one.redis.hget(keysOf(run.threadId).run, 'batch')).toBe(run.batchId);
      const { swept } = await sweepUntil(two, () => true);
      expect(swept.ready).not.toContain(run.batchId);
    },
  );

  verifies(
    'APR-14',
    'a resumed run that ends well closes its tasks and frees the thread; one that asks again hands it on',
    async () => {
      const run = await one.open(confirm('i1'));
      await approveAll(run);
      await dispatched(run);
      await one.store(run.threadId, { riders: await one.approvals.startedFor(run.batchId) });
      expect(await stateOf(run)).toBe('running');
      const settlement = await one.approvals.settlementFor({
        batchId: run.batchId,
        outcome: 'interrupt',
        sent: true,
        idempotent: false,
      });
      const again = await one.approvals.openingFor(
        interruptedRun({ ...confirm('i1'), threadId: run.threadId, runId: 'run-2' }),
      );
      await again.ahead();
      await one.store(run.threadId, { riders: [...settlement, ...again.riders] });
      expect((await get(run.taskIds[0])).state).toBe('closed');
      expect((await get(again.taskIds[0])).state).toBe('pending');
      expect(await one.redis.hget(keysOf(run.threadId).run, 'batch')).toBe(again.batchId);

      const second = { ...run, batchId: again.batchId, taskIds: again.taskIds };
      await approveAll(second);
      await dispatched(second);
      const last = await one.approvals.settlementFor({
        batchId: again.batchId,
        outcome: 'success',
        sent: true,
        idempotent: false,
      });
      await one.store(run.threadId, { riders: last });
      expect(await stateOf(second)).toBe('done');
      expect(await one.redis.hget(keysOf(run.threadId).run, 'batch')).toBeNull();
    },
  );

  verifies('APR-20', 'the AG-UI door records all or none, and names the run that follows', async () => {
    const run = await one.open(confirm('i1', 'i2'));
    const partly = await one.approvals.decideByResume(rita, run.threadId, {
      entries: [yes('i1')],
      runId: 'r-2',
    });
    expect(partly).toMatchObject({ refusal: { code: 'INCOMPLETE_RESUME', details: { missing: ['i2'] } } });
    expect((await get(run.taskIds[0])).state).toBe('pending');
    const whole = { entries: [yes('i1'), yes('i2')], runId: 'r-2' };
    const recorded = unwrap(await one.approvals.decideByResume(rita, run.threadId, whole));
    expect(recorded).toMatchObject({ batchId: run.batchId, ready: true, runId: 'r-2', waiting: 0 });
    expect(unwrap(await two.approvals.decideByResume(rita, run.threadId, whole))).toEqual(recorded);
    expect(await one.approvals.decideByResume(rolf, run.threadId, whole)).toMatchObject({
      refusal: { code: 'ALREADY_DECIDED' },
    });
    expect((await dispatched(run)).runId).toBe('r-2');
  });

  verifies(
    'APR-21',
    'the placeholder asks for nothing; a thread nobody interrupted knows no interrupt',
    async () => {
      const run = await one.open(transferOf(500));
      const hidden = placeholderId(run.threadId, 'run-1');
      expect(
        unwrap(await one.approvals.decideByResume(carl, run.threadId, { entries: [yes(hidden)] })),
      ).toBeUndefined();
      expect((await one.approvals.batch(run.batchId, carl))?.open).toEqual([hidden]);
      expect((await one.approvals.batch(run.batchId, rita))?.open).toEqual(['i1']);
      const quiet = fresh('thread');
      expect(await one.approvals.decideByResume(rita, quiet, { entries: [yes('x')] })).toMatchObject({
        refusal: { code: 'UNKNOWN_INTERRUPT' },
      });
      expect(
        unwrap(
          await one.approvals.decideByResume(rita, quiet, {
            entries: [{ interruptId: 'x', status: 'cancelled' }],
          }),
        ),
      ).toBeUndefined();
    },
  );

  verifies(
    'APR-21',
    'IN-10: answers to a batch that is over: repeats succeed, others hear who decided',
    async () => {
      const run = await one.open(confirm('old'));
      await approveAll(run);
      await dispatched(run);
      await one.store(run.threadId, {
        riders: await one.approvals.settlementFor({
          batchId: run.batchId,
          outcome: 'success',
          sent: true,
          idempotent: false,
        }),
      });
      expect(
        unwrap(await one.approvals.decideByResume(rita, run.threadId, { entries: [yes('old')] })),
      ).toMatchObject({ ready: true, tasks: [{ state: 'closed' }] });
      const no: ResumeEntry = { interruptId: 'old', status: 'resolved', payload: { approved: false } };
      expect(await one.approvals.decideByResume(rita, run.threadId, { entries: [no] })).toMatchObject({
        refusal: { code: 'ALREADY_DECIDED' },
      });
      const next = await one.open({ ...confirm('new'), threadId: run.threadId, runId: 'run-3' });
      const stale: ResumeEntry = { interruptId: 'old', status: 'cancelled' };
      expect(
        unwrap(await one.approvals.decideByResume(rita, run.threadId, { entries: [stale] })),
      ).toBeUndefined();
      expect(
        unwrap(await one.approvals.decideByResume(rita, run.threadId, { entries: [stale, yes('new')] })),
      ).toMatchObject({ batchId: next.batchId, ready: true });
    },
  );
});
