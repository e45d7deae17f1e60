/** Answers that can be taken back, on a real Redis: by whom, until when, and what of them reaches the agent. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ResumeEntry, TaskView } from '@triptych/protocol';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { APPROVAL_SCHEMA, olga, rita, rolf, sven, unwrap } from '../../test/bank.js';
import { countersOn, type Counter, type OpenedRun } from '../../test/counter.js';

const DATABASE = ownDatabase();
const PROCESSES = 4;
/** The hold of `bank:brief`. */
const BRIEF_MS = 150;
const PATIENCE_MS = 120_000;
const asked = (reason: string, ...ids: string[]) => ({
  interrupts: ids.map((id) => ({ id, reason, responseSchema: APPROVAL_SCHEMA })),
});
const yes = (interruptId: string): ResumeEntry => ({
  interruptId,
  status: 'resolved',
  payload: { approved: true },
});

describe('a held answer', () => {
  const { at } = countersOn(DATABASE, PROCESSES);
  const get = async (taskId = ''): Promise<TaskView> => unwrap(await at(0).approvals.get(olga, taskId));
  const approve = async (taskId = '', actor = rita): Promise<TaskView> => {
    const { rev, proposalHash } = await get(taskId);
    return unwrap(await at(0).approvals.decide(actor, taskId, { verb: 'approve', rev, proposalHash }));
  };
  const lookedAt = async (run: OpenedRun): Promise<number> => {
    const members = await at(0).redis.zrange('tt:busy', '0', '-1', 'WITHSCORES');
    const place = members.findIndex((member) => member.startsWith(`${run.batchId}@`));
    return Number(members[place + 1]);
  };
  const stateOf = async ({ batchId }: OpenedRun) => (await at(0).approvals.batch(batchId, olga))?.state;
  const sentBy = async (counter: Counter, run: OpenedRun) => {
    const plan = await counter.approvals.planDispatch(run.batchId);
    return plan && (await counter.store(run.threadId, plan)) ? plan : undefined;
  };
  /** Whatever would send the batch: a look at it, by whichever process, and the courier. */
  const chased = async (i: number, run: OpenedRun) => {
    const [taskId = ''] = run.taskIds;
    await at(i).approvals.wake(taskId);
    return sentBy(at(i), run);
  };

  verifies(
    'APR-35',
    'is nobody’s to send, and the sweep and a knock are told when its time is up',
    async () => {
      const run = await at(0).open(asked('bank:slip', 'i1'));
      const [taskId = ''] = run.taskIds;
      const { heldUntil = 0, decision, state } = await approve(taskId);
      expect(state).toBe('held');
      expect(heldUntil - (decision?.at ?? 0)).toBe(60_000);
      expect(await lookedAt(run)).toBe(heldUntil);
      expect(at(0).door.heard.filter(({ id }) => id === taskId)).toHaveLength(2);
      expect(at(0).door.heard).not.toContainEqual({ kind: 'dispatch', id: run.batchId });
      expect(await chased(1, run)).toBeUndefined();
      expect(await stateOf(run)).toBe('open');
    },
  );

  verifies('APR-36', 'is taken back by its author or a supervisor, on another process', async () => {
    for (const actor of [rita, sven]) {
      const run = await at(0).open(asked('bank:slip', 'i1'));
      const [taskId = ''] = run.taskIds;
      const { rev } = await approve(taskId);
      expect(await at(1).approvals.undo(rolf, taskId, rev)).toMatchObject({ refusal: { code: 'FORBIDDEN' } });
      expect(await at(1).approvals.undo(actor, taskId, rev + 1)).toMatchObject({
        refusal: { code: 'STALE_REVISION', details: { task: { rev, state: 'held' } } },
      });
      const undone = unwrap(await at(1).approvals.undo(actor, taskId, rev));
      expect(undone).toMatchObject({ state: 'claimed', rev: rev + 1, claim: { by: actor.subject } });
      expect(undone).not.toHaveProperty('decision');
      expect(unwrap(await at(2).approvals.undo(actor, taskId, rev)).rev).toBe(rev + 1);
      expect((await approve(taskId, actor)).decision?.by).toEqual([actor.subject]);
    }
  });

  verifies(
    'APR-37',
    'stands when its time is up, though no queue knocks: the sweep makes it ready once',
    async () => {
      const run = await at(0).open(asked('bank:brief', 'a', 'b'));
      at(0).door.fails = true;
      for (const taskId of run.taskIds) await approve(taskId);
      at(0).door.fails = false;
      await at(0).wait(BRIEF_MS);
      const swept = await Promise.all([1, 2, 3].map((i) => at(i).approvals.sweep()));
      expect(swept.flatMap(({ ready }) => ready).filter((id) => id === run.batchId).length).toBeGreaterThan(
        0,
      );
      const sent = (await Promise.all([0, 1, 2, 3].map((i) => sentBy(at(i), run)))).filter(Boolean);
      expect(sent).toHaveLength(1);
      expect(sent[0]?.resume).toMatchObject([{ status: 'resolved' }, { status: 'resolved' }]);
    },
  );

  verifies('APR-37', 'stands for whoever looks, before any sweep', async () => {
    const run = await at(0).open(asked('bank:brief', 'i1'));
    const [taskId = ''] = run.taskIds;
    const { rev, decision } = await approve(taskId);
    await at(0).wait(BRIEF_MS);
    expect(await at(1).approvals.undo(rita, taskId, rev)).toMatchObject({
      refusal: { code: 'ALREADY_DECIDED', details: { kind: 'approved', by: ['rita'], at: decision?.at } },
    });
    expect(await stateOf(run)).toBe('ready');
    expect(await get(taskId)).toMatchObject({ state: 'decided', decision: { at: decision?.at } });
  });

  verifies(
    'APR-37',
    'undo ∥ dispatch, 200 times: it is taken back and nothing is sent, or it is sent once and stays',
    async () => {
      const round = async (i: number): Promise<'undone' | 'sent'> => {
        const run = await at(i).open(asked('bank:brief', 'i1'));
        const [taskId = ''] = run.taskIds;
        const { rev, proposalHash } = await get(taskId);
        unwrap(await at(i).approvals.decide(rita, taskId, { verb: 'approve', rev, proposalHash }));
        const late = (i % 8) * 30;
        const plans: unknown[] = [];
        const chase = async (by: number): Promise<void> => {
          for (let tries = 0; tries < 12; tries += 1) {
            const plan = await chased(i + by, run);
            if (plan) plans.push(plan.resume);
            await pause(BRIEF_MS / 6);
          }
        };
        const [undone] = await Promise.all([
          pause(late).then(() => at(i + 1).approvals.undo(rita, taskId, rev)),
          chase(2),
          chase(3),
        ]);
        const { state, decision } = await get(taskId);
        if (undone.ok) {
          expect([state, decision, plans]).toEqual(['claimed', undefined, []]);
          // Nobody holds more than fifty at a time.
          unwrap(await at(i).approvals.release(rita, taskId));
          return 'undone';
        }
        expect(undone.refusal.code).toBe('ALREADY_DECIDED');
        if (plans.length === 0) plans.push((await chased(i, run))?.resume);
        expect(plans).toMatchObject([[{ interruptId: 'i1', status: 'resolved' }]]);
        return 'sent';
      };
      const ends: string[] = [];
      for (let group = 0; group < 50; group += 1)
        ends.push(...(await Promise.all(Array.from({ length: 4 }, (_, i) => round(group + i)))));
      expect(ends).toHaveLength(200);
      expect(new Set(ends)).toEqual(new Set(['undone', 'sent']));
    },
    PATIENCE_MS,
  );

  verifies(
    'APR-38',
    'by the AG-UI door is recorded as held; the run has the input’s name when it goes',
    async () => {
      const run = await at(0).open(asked('bank:brief', 'i1'));
      const entries = [yes('i1')];
      const [taskId = ''] = run.taskIds;
      const recorded = unwrap(
        await at(1).approvals.decideByResume(rita, run.threadId, { entries, runId: 'their-run' }),
      );
      expect(recorded).toEqual({
        batchId: run.batchId,
        ready: false,
        tasks: [{ taskId, state: 'held' }],
        waiting: 1,
      });
      const again = await at(2).approvals.decideByResume(rita, run.threadId, { entries, runId: 'another' });
      expect(again.ok).toBe(true);
      await at(0).wait(BRIEF_MS);
      expect(await chased(3, run)).toMatchObject({ runId: 'their-run', resume: [{ interruptId: 'i1' }] });
    },
  );
});
