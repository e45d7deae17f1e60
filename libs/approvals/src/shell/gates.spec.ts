/** Which calls nobody has let be made, and what the trail holds of those that were, and of the deeds that came of a yes. */
import { threadTrail } from '@triptych/platform';
import { trailRecordIn, type TrailRecord } from '@triptych/protocol';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { APPROVAL_SCHEMA, olga, policy, rita, sven } from '../../test/bank.js';
import { Counter, type OpenedRun } from '../../test/counter.js';
import { hashOf } from '../core/canonical.js';

const DATABASE = ownDatabase();
const CALLS = ['yes', 'no', 'late', 'open'];

const asked = (...ids: string[]) => ({
  interrupts: ids.map((id) => ({
    id: `${id}?`,
    reason: 'tool_call',
    toolCallId: id,
    responseSchema: APPROVAL_SCHEMA,
  })),
  calls: Object.fromEntries(ids.map((id) => [id, { name: 'transfer', argsText: '{"amount":500}' }])),
});

let counter: Counter;
beforeAll(async () => {
  counter = await Counter.start(DATABASE);
});
afterAll(() => counter.close());

const trail = async ({ threadId }: OpenedRun): Promise<TrailRecord[]> =>
  (await counter.redis.xrange(threadTrail(threadId), '-', '+')).map(([id, [, text = '']]) =>
    trailRecordIn(id, text),
  );

const answer = async ({ taskIds }: OpenedRun, nth: number, command: object): Promise<void> => {
  const taskId = taskIds[nth] ?? '';
  const task = await counter.approvals.get(rita, taskId);
  if (!task.ok) throw new Error(task.refusal.code);
  const { rev, proposalHash } = task.value;
  const decided = await counter.approvals.decide(rita, taskId, {
    verb: 'approve',
    rev,
    proposalHash,
    ...command,
  });
  if (!decided.ok) throw new Error(decided.refusal.code);
};

const shutIn = async ({ threadId }: OpenedRun) =>
  [...(await counter.approvals.shutGates(threadId))].map(([call, { why }]) => [call, why]);

describe('the gates of a thread', () => {
  verifies(
    'RUN-57',
    'are shut for what is open or was not allowed, and a later question counts',
    async () => {
      const run = await counter.open(asked(...CALLS));
      await answer(run, 0, {});
      await answer(run, 1, { verb: 'reject' });
      await answer(run, 2, { verb: 'cancel' });
      expect(await shutIn(run)).toEqual([
        ['no', 'rejected'],
        ['late', 'cancelled'],
        ['open', 'open'],
      ]);
      await answer(run, 3, {});
      await counter.dispatch(run);
      const next = await counter.end(run, {}, { ...asked('no'), runId: 'run-2' });
      expect(await shutIn(next)).toEqual([
        ['no', 'open'],
        ['late', 'cancelled'],
      ]);
      await answer(next, 0, {});
      expect(await shutIn(next)).toEqual([['late', 'cancelled']]);
    },
  );

  verifies('RUN-57', 'are shut while the answer that opens them can still be taken back', async () => {
    const slip = { reason: 'bank:slip', responseSchema: APPROVAL_SCHEMA };
    const run = await counter.open({
      interrupts: ['yes', 'no'].map((id) => ({ ...slip, id: `${id}?`, toolCallId: id })),
    });
    await answer(run, 0, {});
    await answer(run, 1, { verb: 'reject' });
    expect(await counter.approvals.get(rita, run.taskIds[0] ?? '')).toMatchObject({
      value: { state: 'held' },
    });
    expect(await shutIn(run)).toEqual([
      ['yes', 'open'],
      ['no', 'open'],
    ]);
  });

  verifies('AUD-37', 'name the run that tells the agent of a no, and none for what is open', async () => {
    const run = await counter.open(asked('no', 'yes'));
    await answer(run, 0, { verb: 'reject' });
    const toldIn = async () =>
      [...(await counter.approvals.shutGates(run.threadId))].map(([call, gate]) => [call, gate.toldIn]);
    expect(await toldIn()).toEqual([
      ['no', undefined],
      ['yes', undefined],
    ]);
    await answer(run, 1, {});
    const plan = await counter.dispatch(run);
    expect(await toldIn()).toEqual([['no', plan.runId]]);
    await counter.end(run, { outcome: 'success' });
    expect(await toldIn()).toEqual([['no', plan.runId]]);
  });

  verifies('AUD-8', 'leave a record when a call was made all the same, that names the agent', async () => {
    const run = await counter.open(asked('c'));
    const gate = (await counter.approvals.shutGates(run.threadId)).get('c');
    await counter.store(run.threadId, { riders: (await gate?.raise('run-9')) ?? [] });
    expect((await trail(run)).at(-1)).toMatchObject({
      action: 'task.gate-bypass',
      actor: { id: 'teller', role: 'agent', via: 'agui' },
      subject: { run: 'run-9', task: run.taskIds[0], toolCall: 'c' },
      after: { state: 'open' },
    });
  });
});

describe('a task that was taken over', () => {
  verifies(
    'AUD-38',
    'rows 63 and 124: names who took it over, in what they did with it, in what their agent is told, and in what came of it',
    async () => {
      const run = await counter.open(asked('c'));
      const [taskId = ''] = run.taskIds;
      await counter.approvals.claim(rita, taskId);
      const taken = await counter.approvals.takeover(sven, taskId, { rev: 2, reason: 'Rita is away.' });
      if (!taken.ok) throw new Error(taken.refusal.code);
      const { rev, proposalHash } = taken.value;
      const late = await counter.approvals.decide(rita, taskId, { verb: 'approve', rev, proposalHash });
      expect(late).toMatchObject({ refusal: { code: 'CLAIM_LOST' } });
      const edit = { verb: 'approve', rev, proposalHash, editedArgs: { amount: 400 } } as const;
      expect((await counter.approvals.decide(sven, taskId, edit)).ok).toBe(true);
      const plan = await counter.dispatch(run);
      expect(plan.resume[0]?.metadata).toMatchObject({ hub: { actor: sven.subject } });
      await counter.end(run, { outcome: 'success', resultOf: () => 'sent' });
      const records = await trail(run);
      const of = (action: string) => records.find((record) => record.action === action);
      expect(of('task.takeover')).toMatchObject({
        actor: { id: sven.subject, role: 'supervisor' },
        after: { text: 'Rita is away.' },
      });
      expect(of('task.approve')).toMatchObject({ actor: { id: sven.subject } });
      expect(of('task.result')?.after).toMatchObject({
        ...{ edit: { by: sven.subject, args: { amount: 400 } }, resultHash: hashOf('sent') },
        decision: { by: [sven.subject] },
      });
    },
  );
});

describe('the end of a resume', () => {
  verifies(
    'AUD-7',
    'leaves one record a task with what was asked, who decided what, and what came of it',
    async () => {
      const run = await counter.open(asked('c', 'd'));
      await answer(run, 0, { editedArgs: { amount: 400 } });
      await answer(run, 1, { verb: 'reject', reason: 'Too much.' });
      await counter.dispatch(run);
      const resultOf = (call: string) => (call === 'c' ? 'sent' : undefined);
      await counter.end(run, { outcome: 'success', resultOf });
      const results = (await trail(run)).filter(({ action }) => action === 'task.result');
      expect(results).toHaveLength(2);
      expect(results[0]).toMatchObject({
        actor: { id: 'hub', via: 'system' },
        subject: { thread: run.threadId, run: 'run-1', interrupt: 'c?', toolCall: 'c' },
        after: {
          proposal: { toolName: 'transfer', args: { amount: 500 } },
          edit: { args: { amount: 400 } },
          decision: { kind: 'approved', by: [rita.subject], at: expect.any(Number) },
          outcome: 'success',
          resultHash: hashOf('sent'),
        },
        policyId: `transfer@${policy.version}`,
      });
      expect(results[1]?.after).toMatchObject({ decision: { kind: 'rejected', reason: 'Too much.' } });
      expect(results[1]?.after).not.toHaveProperty('resultHash');
    },
  );

  verifies('AUD-7', 'that is not over yet leaves none, and says how it failed', async () => {
    const run = await counter.open(asked('c'));
    await answer(run, 0, {});
    await counter.dispatch(run);
    await counter.end(run, { outcome: 'error', code: 'E_DB', sent: true });
    const records = await trail(run);
    expect(records.map(({ action }) => action)).not.toContain('task.result');
    expect(records.at(-1)).toMatchObject({
      action: 'batch.retry_wait',
      before: { state: 'dispatching' },
      after: { code: 'E_DB' },
    });
    expect((await counter.approvals.batch(run.batchId, olga))?.state).toBe('retry_wait');
  });
});
