/** What becomes of answers that come after the fact: repeats, other answers, and those that lost a race. */
import type { Actor } from '@triptych/access';
import type { ResumeEntry, TaskEvent } from '@triptych/protocol';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { carl, cora, fresh, olga, person, rita, rolf, transferOf, unwrap } from '../../test/bank.js';
import { Counter, type OpenedRun } from '../../test/counter.js';
import { MAX_LATE } from '../core/late.js';

const DATABASE = ownDatabase();
const confirm = (...ids: string[]) => ({ interrupts: ids.map((id) => ({ id, reason: 'confirmation' })) });
const yes = (interruptId: string): ResumeEntry => ({
  interruptId,
  status: 'resolved',
  payload: { approved: true },
});
const no = (interruptId: string): ResumeEntry => ({ ...yes(interruptId), payload: { approved: false } });

describe('answers after the fact', () => {
  let one: Counter;
  beforeAll(async () => {
    one = await Counter.start(DATABASE);
    await one.redis.flushdb();
  });
  afterAll(() => one.close());

  const resume = (actor: Actor, { threadId }: OpenedRun, entries: readonly ResumeEntry[], runId?: string) =>
    one.approvals.decideByResume(actor, threadId, { entries, ...(runId === undefined ? {} : { runId }) });
  const codeOf = async (...asked: Parameters<typeof resume>): Promise<string> => {
    const result = await resume(...asked);
    return result.ok ? (result.value?.batchId ?? 'nothing') : result.refusal.code;
  };
  const decide = (actor: Actor, taskId = '', verb: 'approve' | 'reject' | 'cancel' = 'approve') =>
    one.approvals.decide(actor, taskId, { verb, rev: 1 });
  const late = async (taskId = '', reader = rita): Promise<readonly TaskEvent[]> => {
    const { history = [] } = unwrap(await one.approvals.get(reader, taskId));
    return history.filter(({ action }) => action === 'late');
  };
  /** Two questions, each approved by rita; their resume ran as `run-2` and is over. */
  const closed = async (asks?: ReturnType<typeof confirm>): Promise<{ old: OpenedRun; next: OpenedRun }> => {
    const old = await one.open({ ...confirm('i1', 'i2'), threadId: fresh('thread') });
    unwrap(await resume(rita, old, [yes('i1'), yes('i2')], 'run-2'));
    await one.dispatch(old);
    return { old, next: await one.end(old, {}, asks && { ...asks, runId: 'run-2' }) };
  };

  verifies('APR-32', 'of a closed batch nothing is missing: a repeat succeeds, however partial', async () => {
    const { old } = await closed();
    for (const entries of [[yes('i1')], [yes('i2')], [yes('i2'), yes('i1')]])
      for (const runId of [undefined, 'run-2', 'run-9'])
        expect(unwrap(await resume(rita, old, entries, runId))).toMatchObject({
          batchId: old.batchId,
          ready: true,
          runId: 'run-2',
        });
    expect(await codeOf(rita, old, [no('i1')])).toBe('ALREADY_DECIDED');
    expect(await codeOf(rita, old, [{ ...yes('i1'), payload: 'sure' }])).toBe('ALREADY_DECIDED');
    expect(await codeOf(rolf, old, [yes('i1')])).toBe('ALREADY_DECIDED');
    expect(await codeOf(rita, old, [yes('i1'), yes('i3')])).toBe('UNKNOWN_INTERRUPT');
    expect(await codeOf(carl, old, [yes('i1')])).toBe('FORBIDDEN');
  });

  verifies('APR-32', 'an old answer is told of the old batch, also while a later one is open', async () => {
    const { old, next } = await closed(confirm('j1', 'j2'));
    expect(await codeOf(rita, old, [yes('i1')])).toBe(old.batchId);
    expect(await codeOf(rita, old, [no('i1')])).toBe('ALREADY_DECIDED');
    expect(await codeOf(rolf, old, [yes('i1')])).toBe('ALREADY_DECIDED');
    expect(await codeOf(rita, old, [yes('j1'), yes('j2'), yes('i1')])).toBe('UNKNOWN_INTERRUPT');
    expect(await codeOf(rita, old, [yes('j1')])).toBe('INCOMPLETE_RESUME');
    expect(await codeOf(rita, old, [yes('k1')])).toBe('UNKNOWN_INTERRUPT');
    expect(await one.approvals.batch(next.batchId, rita)).toMatchObject({ open: ['j1', 'j2'] });
    expect(await codeOf(rita, old, [yes('j1'), yes('j2')])).toBe(next.batchId);
  });

  verifies('APR-32', 'a resume that comes again approves no later question of the same id', async () => {
    const { old, next } = await closed(confirm('i1', 'i2'));
    expect(await codeOf(rita, old, [yes('i1'), yes('i2')], 'run-2')).toBe(old.batchId);
    expect(await codeOf(rita, old, [no('i1'), no('i2')], 'run-2')).toBe('ALREADY_DECIDED');
    expect(await one.approvals.batch(next.batchId, rita)).toMatchObject({ open: ['i1', 'i2'] });
    expect(await codeOf(rita, old, [yes('i1'), yes('i2')], 'run-3')).toBe(next.batchId);
  });

  verifies('APR-32', 'the name of a run that was begun so is not taken for other answers', async () => {
    const { old } = await closed(confirm('j1'));
    expect(await codeOf(rita, old, [yes('j1')], 'run-2')).toBe('RUN_ID_CONFLICT');
    expect(await codeOf(rita, old, [yes('j1')], 'run-3')).not.toBe('RUN_ID_CONFLICT');
  });

  verifies(
    'APR-31',
    'a decision that lost is in the history: who, what and when, once, and `rev` stays',
    async () => {
      const run = await one.open(confirm('i1'));
      const [taskId] = run.taskIds;
      unwrap(await decide(rita, taskId));
      for (let i = 0; i < 3; i += 1) await decide(rolf, taskId, 'reject');
      await decide(rolf, taskId);
      await decide(rita, taskId, 'reject');
      unwrap(await decide(rita, taskId));
      await decide(olga, taskId, 'cancel');
      const lines = await late(taskId);
      expect(lines).toEqual([
        { at: expect.any(Number), by: 'rolf', action: 'late', text: 'reject' },
        { at: expect.any(Number), by: 'rolf', action: 'late', text: 'approve' },
        { at: expect.any(Number), by: 'rita', action: 'late', text: 'reject' },
        { at: expect.any(Number), by: 'olga', action: 'late', text: 'cancel' },
      ]);
      expect(unwrap(await one.approvals.get(rita, taskId ?? ''))).toMatchObject({
        rev: 1,
        decision: { kind: 'approved', by: ['rita'] },
      });
    },
  );

  verifies('APR-31', 'by the AG-UI door too, and after the time ran out', async () => {
    const run = await one.open(confirm('i1', 'i2'));
    unwrap(await resume(rita, run, [yes('i1'), yes('i2')]));
    await resume(rolf, run, [yes('i1'), no('i2')]);
    expect(await late(run.taskIds[0])).toMatchObject([{ by: 'rolf', text: 'approve' }]);
    expect(await late(run.taskIds[1])).toMatchObject([{ by: 'rolf', text: 'reject' }]);
    const over = await one.open({
      interrupts: [{ id: 'i1', reason: 'confirmation', expiresAt: '1970-01-01T00:00:00Z' }],
    });
    expect(await decide(rita, over.taskIds[0])).toMatchObject({ refusal: { code: 'EXPIRED' } });
    expect(await late(over.taskIds[0])).toMatchObject([{ by: 'rita', text: 'approve' }]);
  });

  verifies('APR-31', 'what would not have counted in time is none, and a storm of them ends', async () => {
    const own = await one.open(transferOf(500, { requesters: ['rolf'] }));
    unwrap(await decide(rita, own.taskIds[0]));
    for (const actor of [rolf, olga, cora]) await decide(actor, own.taskIds[0]);
    expect(await late(own.taskIds[0])).toEqual([]);

    const run = await one.open(confirm('i1'));
    unwrap(await decide(rita, run.taskIds[0]));
    const people = Array.from({ length: MAX_LATE + 10 }, (_, i) => person(`late-${i}`, ['reviewer']));
    await Promise.all(people.map((actor) => decide(actor, run.taskIds[0])));
    expect(await late(run.taskIds[0])).toHaveLength(MAX_LATE);
  });

  verifies('APR-15', 'who comes late does not keep the answer from its agent', async () => {
    const run = await one.open(confirm('i1'));
    unwrap(await decide(rita, run.taskIds[0]));
    const plan = await one.approvals.planDispatch(run.batchId);
    if (!plan) throw new Error('not planned');
    await decide(rolf, run.taskIds[0], 'reject');
    expect(await one.store(run.threadId, plan)).toBe(true);
    expect(await late(run.taskIds[0])).toHaveLength(1);
    expect(await one.store(run.threadId, plan)).toBe(false);
  });
});
