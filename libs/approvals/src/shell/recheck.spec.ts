/** What becomes of answers that count no more when they are to be sent, between several processes on one store. */
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { carl, fresh, person, policy, policyFrom, rita, transferOf, unwrap } from '../../test/bank.js';
import { countersOn, type Counter, type OpenedRun } from '../../test/counter.js';
import { keysOf } from '../adapters/approval-keys.js';

const DATABASE = ownDatabase();
const STRICTER = policyFrom(`approvals: { rules: [
  { id: pairs, match: { reason: tool_call }, groups: [advisors], quorum: 2 } ] }`);

describe('answers that count no more when they are to be sent', () => {
  const { all, at } = countersOn(DATABASE, 4);
  let one: Counter;
  beforeAll(() => {
    one = at(0);
  });
  afterEach(() => {
    for (const counter of all) counter.inForce = policy;
  });

  /** A transfer that this person approved. */
  const approvedBy = async (who = rita): Promise<OpenedRun> => {
    const run = await one.open({ ...transferOf(10), threadId: fresh('thread') });
    unwrap(await one.approvals.decide(who, run.taskIds[0] ?? '', { verb: 'approve', rev: 1 }));
    return run;
  };
  const revoke = (subject: string): void => {
    const revocation = { tenant: 'bank', by: 'sub', name: subject, at: Number.MAX_SAFE_INTEGER } as const;
    for (const counter of all) counter.revoked.note(revocation);
  };
  const recordsOf = async ({
    threadId,
  }: OpenedRun): Promise<readonly { action: string; actor: object }[]> => {
    const entries = await one.redis.xrange(keysOf(threadId).trail, '-', '+');
    return entries.map(([, fields]) => JSON.parse(fields[1] ?? '') as { action: string; actor: object });
  };

  verifies(
    'APR-62',
    'are not sent: the question is in the inbox again, and the trail says so by itself',
    async () => {
      const gone = person(fresh('gone'), ['reviewer'], ['advisors']);
      const run = await approvedBy(gone);
      const [taskId = ''] = run.taskIds;
      revoke(gone.subject);
      expect(await one.approvals.planDispatch(run.batchId)).toBeUndefined();
      const task = unwrap(await at(1).approvals.get(rita, taskId));
      expect(task).toMatchObject({ state: 'pending', rev: 2, votes: [], batch: { state: 'open', open: 1 } });
      expect(task.history?.at(-1)).toMatchObject({ action: 'void', by: 'hub', text: expect.any(String) });
      const { items } = unwrap(await at(1).approvals.list(rita, { threadId: run.threadId }));
      expect(items.map((item) => item.taskId)).toEqual([taskId]);
      const records = await recordsOf(run);
      expect(records.filter(({ action }) => action === 'task.void')).toEqual([
        expect.objectContaining({ actor: { id: 'hub', via: 'system' }, after: expect.anything() }),
      ]);
      expect(records.at(-1)).toMatchObject({ action: 'batch.open' });
      unwrap(await one.approvals.decide(rita, taskId, { verb: 'approve', rev: 2 }));
      expect((await one.dispatch(run)).resume).toMatchObject([{ payload: { approved: true } }]);
    },
  );

  verifies(
    'APR-62',
    'of processes that send and processes that void one is first, and no void answer is sent',
    async () => {
      for (let round = 0; round < 24; round += 1) {
        const gone = person(fresh('gone'), ['reviewer'], ['advisors']);
        const run = await approvedBy(gone);
        // One of them knows already, and is the first to begin or the last.
        const order = round % 2 === 0 ? [0, 1, 2, 3] : [3, 2, 1, 0];
        at(0).revoked.note({ tenant: 'bank', by: 'sub', name: gone.subject, at: Number.MAX_SAFE_INTEGER });
        const sent = await Promise.all(
          order.map(async (nth) => {
            const plan = await at(nth).approvals.planDispatch(run.batchId);
            return plan !== undefined && at(nth).store(run.threadId, plan);
          }),
        );
        const { state, batch } = unwrap(await one.approvals.get(rita, run.taskIds[0] ?? ''));
        const isSent = sent.filter(Boolean).length;
        expect([isSent, state, batch.state]).toEqual(
          isSent === 1 ? [1, 'dispatched', 'dispatching'] : [0, 'pending', 'open'],
        );
      }
    },
  );

  verifies(
    'APR-62',
    'a resume that was planned before its answers became void is not admitted after it',
    async () => {
      const gone = person(fresh('gone'), ['reviewer'], ['advisors']);
      const run = await approvedBy(gone);
      const plan = await at(1).approvals.planDispatch(run.batchId);
      revoke(gone.subject);
      expect(await one.approvals.planDispatch(run.batchId)).toBeUndefined();
      expect(plan && (await one.store(run.threadId, plan))).toBe(false);
      expect(unwrap(await one.approvals.get(rita, run.taskIds[0] ?? '')).state).toBe('pending');
    },
  );

  verifies('APR-99', 'a resume that is taken later than it was planned is judged once more', async () => {
    const gone = person(fresh('gone'), ['reviewer'], ['advisors']);
    const run = await approvedBy(gone);
    await one.dispatch(run);
    expect(await one.approvals.stands(run.batchId)).toBe(true);
    one.inForce = STRICTER;
    expect(await one.approvals.stands(run.batchId)).toBe(false);
    one.inForce = policy;
    revoke(gone.subject);
    expect(await one.approvals.stands(run.batchId)).toBe(false);
    await one.store(run.threadId, { riders: await one.approvals.startedFor(run.batchId) });
    expect(await one.approvals.stands(run.batchId)).toBe(true);
  });

  verifies('APR-63', 'the rule of now is the question’s from then on, for everybody', async () => {
    const run = await approvedBy();
    const [taskId = ''] = run.taskIds;
    one.inForce = STRICTER;
    expect(await one.approvals.planDispatch(run.batchId)).toBeUndefined();
    const task = unwrap(await at(1).approvals.get(rita, taskId));
    expect(task).toMatchObject({
      state: 'voting',
      quorum: { needed: 2, have: 1 },
      policy: { rule: 'pairs' },
    });
    const other = person('rolf', ['reviewer'], ['advisors']);
    unwrap(await at(1).approvals.decide(other, taskId, { verb: 'approve', rev: 2 }));
    // Who has not heard of the new policy sends it all the same: it was answered by the rule it has.
    expect((await at(2).dispatch(run)).resume).toHaveLength(1);
  });

  verifies('APR-63', 'the votes that are left are not asked for again', async () => {
    const run = await approvedBy();
    one.inForce = STRICTER;
    await one.approvals.planDispatch(run.batchId);
    const again = await one.approvals.decide(rita, run.taskIds[0] ?? '', { verb: 'approve', rev: 1 });
    expect(unwrap(again)).toMatchObject({ state: 'voting', quorum: { have: 1 } });
    expect(unwrap(await one.approvals.get(rita, run.taskIds[0] ?? '')).requester).toBe(carl.subject);
  });
});
