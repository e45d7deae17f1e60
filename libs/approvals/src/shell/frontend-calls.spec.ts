/** Proves on a real Redis how calls of a client's own tools hold their thread, and let go of it. */
import type { ToolMessage } from '@triptych/protocol';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { carl, olga, rita } from '../../test/bank.js';
import { Counter, FRONTEND_TTL_MS, type OpenedRun } from '../../test/counter.js';
import { batchKey, BUSY_INDEX, keysOf } from '../adapters/approval-keys.js';

const DATABASE = ownDatabase();
const picked = {
  interrupts: [],
  pending: ['c1', 'c2'],
  calls: {
    c1: { name: 'pickSeat', argsText: '{}' },
    c2: { name: 'pickMeal', argsText: '{}' },
  },
};

const seat: ToolMessage = { id: 'a1', role: 'tool', toolCallId: 'c1', content: '"4C"' };
const mixed = {
  interrupts: [],
  pending: ['c1', 'c2'],
  calls: {
    c1: { name: 'pickSeat', argsText: '{}' },
    c2: { name: 'payOut', argsText: '{"amount":5}' },
  },
};

describe('calls of a client’s own tools', () => {
  let one: Counter;
  beforeAll(async () => {
    one = await Counter.start(DATABASE);
    await one.redis.flushdb();
  });
  afterAll(() => one.close());

  const heldBy = ({ threadId }: OpenedRun) => one.redis.hget(keysOf(threadId).run, 'batch');
  const answer = async (run: OpenedRun, runId = 'run-2'): Promise<boolean> => {
    const calls = await one.approvals.callsToAnswer(run.threadId);
    return calls ? one.store(run.threadId, calls.answeredBy(runId)) : false;
  };
  const watched = () => one.redis.zrange(BUSY_INDEX, '0', '-1');
  const sweepNow = async ({ batchId }: OpenedRun): Promise<void> => {
    for (const member of await watched())
      if (member.startsWith(batchId)) await one.redis.zadd(BUSY_INDEX, 1, member);
    await one.approvals.sweep();
  };
  const past = () => Date.now() - FRONTEND_TTL_MS - 1;

  verifies('APR-45', 'hold the thread from the step that stores the run’s end, without a task', async () => {
    const run = await one.open(picked);
    expect(run.taskIds).toEqual([]);
    expect(await heldBy(run)).toBe(run.batchId);
    expect(await one.approvals.callsToAnswer(run.threadId)).toMatchObject({
      holds: true,
      calls: ['c1', 'c2'],
      answerers: ['carl', 'carl'],
    });
    expect(await one.approvals.batch(run.batchId, olga)).toMatchObject({ state: 'open', open: ['c1', 'c2'] });
    await sweepNow(run);
    expect(await heldBy(run)).toBe(run.batchId);
  });

  verifies('APR-45', 'are closed once, in the step that admits the run which answers them', async () => {
    const run = await one.open(picked);
    const [first, second] = await Promise.all([answer(run), answer(run)]);
    expect([first, second].filter(Boolean)).toHaveLength(1);
    expect(await heldBy(run)).toBeNull();
    expect(await one.approvals.callsToAnswer(run.threadId)).toBeUndefined();
    const status = JSON.parse((await one.redis.hget(batchKey(run.batchId), 'state')) ?? '') as object;
    expect(status).toMatchObject({ state: 'done', runId: 'run-2' });
  });

  verifies('APR-46', 'whose time is over are answered by the hub, though no sweep came by', async () => {
    const run = await one.open({ ...picked, now: past() });
    const calls = await one.approvals.callsToAnswer(run.threadId);
    const instead = calls?.lapsed?.('c1');
    const content = JSON.stringify({ error: 'expired' });
    expect(instead).toMatchObject({ role: 'tool', toolCallId: 'c1', error: 'expired', content });
    expect(calls?.lapsed?.('c2').id).not.toBe(instead?.id);
    expect(await answer(run)).toBe(true);
    expect(await heldBy(run)).toBeNull();
  });

  verifies(
    'APR-46',
    'let go of their thread when their time is over, and are answered once after that',
    async () => {
      const run = await one.open({ ...picked, now: past() });
      await sweepNow(run);
      expect(await heldBy(run)).toBeNull();
      expect(await one.approvals.callsToAnswer(run.threadId)).toMatchObject({
        holds: false,
        calls: ['c1', 'c2'],
      });
      await sweepNow(run);
      expect((await watched()).filter((member) => member.startsWith(run.batchId))).toEqual([]);
      expect(await answer(run)).toBe(true);
      expect(await answer(run)).toBe(false);
    },
  );

  verifies(
    'APR-46',
    'let go of their thread when an operator cancels them, whoever dies meanwhile',
    async () => {
      const run = await one.open(picked);
      expect(await one.approvals.mend(olga, run.batchId, { verb: 'cancel' })).toMatchObject({ ok: true });
      expect(await heldBy(run)).toBeNull();
      expect(await one.approvals.callsToAnswer(run.threadId)).toMatchObject({ holds: false });
      // As it is where nothing came after the step that ended the batch.
      await one.redis.hset(keysOf(run.threadId).run, 'batch', run.batchId);
      const member = (await watched()).find((entry) => entry.startsWith(run.batchId)) ?? '';
      const due = Number(await one.redis.zscore(BUSY_INDEX, member));
      expect(due).toBeLessThan(Date.now() + FRONTEND_TTL_MS / 2);
      await sweepNow(run);
      expect(await heldBy(run)).toBeNull();
      expect((await watched()).filter((member) => member.startsWith(run.batchId))).toEqual([]);
    },
  );

  verifies(
    'APR-49',
    'are kept beside those that people answer, once, and go to the agent with their answers',
    async () => {
      const run = await one.open(mixed);
      const [taskId = ''] = run.taskIds;
      expect(await one.approvals.callsToAnswer(run.threadId)).toMatchObject({ alone: false, calls: ['c1'] });
      const keep = (answers: readonly ToolMessage[]) =>
        one.approvals.keepAnswers(carl, { batchId: run.batchId, answers, runId: 'mine' });
      expect(await keep([])).toMatchObject({
        refusal: { code: 'RESUME_REQUIRED', details: { open: ['c1'] } },
      });
      const huge = { ...seat, content: 'x'.repeat(1024 * 1024) };
      expect(await keep([huge])).toMatchObject({ refusal: { code: 'PAYLOAD_TOO_LARGE' } });
      const tasks = [{ taskId, state: 'pending' }];
      expect(await keep([seat])).toMatchObject({ value: { ready: false, waiting: 1, tasks } });
      expect(await keep([{ ...seat, content: '"5D"' }])).toMatchObject({
        value: { ready: false, waiting: 1 },
      });
      const task = await one.approvals.get(rita, taskId);
      if (!task.ok) throw new Error(task.refusal.code);
      const { rev, proposalHash } = task.value;
      await one.approvals.decide(rita, taskId, { verb: 'approve', rev, proposalHash });
      const { messages } = await one.dispatch(run);
      expect(messages).toMatchObject([seat, { toolCallId: 'c2', content: '{"approved":true}' }]);
      expect(await one.approvals.callsToAnswer(run.threadId)).toBeUndefined();
    },
  );

  verifies('APR-49', 'that come last name the run that takes them all', async () => {
    const run = await one.open(mixed);
    const [taskId = ''] = run.taskIds;
    const task = await one.approvals.get(rita, taskId);
    if (!task.ok) throw new Error(task.refusal.code);
    await one.approvals.decide(rita, taskId, { ...task.value, verb: 'approve' });
    const kept = { batchId: run.batchId, answers: [seat], runId: 'mine' };
    expect(await one.approvals.keepAnswers(carl, kept)).toMatchObject({
      value: { ready: true, runId: 'mine' },
    });
    expect((await one.dispatch(run)).runId).toBe('mine');
  });
});
