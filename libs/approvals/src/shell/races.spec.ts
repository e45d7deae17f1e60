/** Many people and processes at once on one Redis: what one of them may win, only one wins. */
import type { Result, TaskView } from '@triptych/protocol';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { countersOn, type OpenedRun } from '../../test/counter.js';
import { cora, person, rita, rolf, sven, transferOf } from '../../test/bank.js';

const DATABASE = ownDatabase();
const PROCESSES = 4;
const confirm = (...ids: string[]) => ({ interrupts: ids.map((id) => ({ id, reason: 'confirmation' })) });

describe('races', () => {
  const { all, at } = countersOn(DATABASE, PROCESSES);
  const codes = (results: readonly Result<unknown>[]): readonly string[] =>
    results.map((result) => (result.ok ? 'ok' : result.refusal.code));
  const seen = async (taskId: string): Promise<TaskView> => {
    const view = await at(0).approvals.get(rita, taskId);
    if (!view.ok) throw new Error(view.refusal.code);
    return view.value;
  };
  const readied = (run: OpenedRun): number => {
    const heard = all.flatMap(({ door }) => door.heard);
    return heard.filter(({ kind, id }) => kind === 'dispatch' && id === run.batchId).length;
  };
  const outbox = async ({ batchId }: OpenedRun): Promise<readonly string[]> => {
    const lines = await at(0).redis.xrange(`tt:{${batchId.split('.')[0]}}:outbox`, '-', '+');
    return lines.map(([, [, line]]) => (JSON.parse(line ?? '') as { action: string }).action);
  };

  verifies(
    'APR-4',
    'IN-07: of a hundred people who decide differently at once, one wins and the others learn who',
    async () => {
      const run = await at(0).open(confirm('i1'));
      const [taskId = ''] = run.taskIds;
      const { rev, proposalHash } = await seen(taskId);
      const people = Array.from({ length: 100 }, (_, i) => person(`reviewer-${i}`, ['reviewer']));
      const results = await Promise.all(
        people.map((actor, i) => {
          const verb = (['approve', 'reject', 'cancel'] as const)[i % 3] ?? 'approve';
          return at(i).approvals.decide(actor, taskId, { verb, rev, proposalHash, reason: `by ${i}` });
        }),
      );
      const [winner, ...others] = results.filter(({ ok }) => ok);
      expect(others).toEqual([]);
      const { decision } = (winner as { value: TaskView }).value;
      for (const result of results)
        if (!result.ok)
          expect(result.refusal).toMatchObject({
            code: 'ALREADY_DECIDED',
            details: { kind: decision?.kind, by: decision?.by, at: decision?.at },
          });
      expect((await seen(taskId)).decision).toEqual(decision);
      expect(readied(run)).toBe(1);
      expect((await outbox(run)).filter((action) => action === 'decided' || action === 'ready')).toEqual([
        'decided',
        'ready',
      ]);
    },
  );

  verifies(
    'APR-5',
    'a double click, a retry and a second tab of one person are one decision and all succeed',
    async () => {
      const run = await at(0).open(confirm('i1'));
      const [taskId = ''] = run.taskIds;
      const { rev, proposalHash } = await seen(taskId);
      const clicks = Array.from({ length: 30 }, (_, i) =>
        at(i).approvals.decide(rita, taskId, { verb: 'approve', rev, proposalHash }),
      );
      const results = await Promise.all(clicks);
      expect(new Set(codes(results))).toEqual(new Set(['ok']));
      expect(new Set(results.map((result) => result.ok && JSON.stringify(result.value.decision))).size).toBe(
        1,
      );
      expect(readied(run)).toBe(1);
    },
  );

  verifies(
    'APR-7',
    'votes that arrive together are all counted, and one of them carries the quorum',
    async () => {
      for (let round = 0; round < 10; round += 1) {
        const run = await at(0).open(transferOf(2_000));
        const [taskId = ''] = run.taskIds;
        const { rev, proposalHash } = await seen(taskId);
        const results = await Promise.all(
          [rita, rolf].map((actor, i) =>
            at(i).approvals.decide(actor, taskId, { verb: 'approve', rev, proposalHash }),
          ),
        );
        expect(codes(results)).toEqual(['ok', 'ok']);
        const done = await seen(taskId);
        expect(done.decision?.by.toSorted()).toEqual(['rita', 'rolf']);
        expect(readied(run)).toBe(1);
      }
    },
  );

  verifies(
    'APR-8',
    'a vote and an edit at once: the vote is void or stale, never counted for what it did not see',
    async () => {
      for (let round = 0; round < 10; round += 1) {
        const run = await at(0).open(transferOf(2_000));
        const [taskId = ''] = run.taskIds;
        const { rev, proposalHash } = await seen(taskId);
        const [edit, vote] = await Promise.all([
          at(1).approvals.decide(rita, taskId, {
            verb: 'approve',
            editedArgs: { amount: 1_100 + round },
            rev,
            proposalHash,
          }),
          at(2).approvals.decide(rolf, taskId, { verb: 'approve', rev, proposalHash }),
        ]);
        expect(edit.ok).toBe(true);
        expect(['ok', 'STALE_REVISION']).toContain(codes([vote])[0]);
        if (!vote.ok) expect(vote.refusal.details?.['task']).toMatchObject({ taskId, rev: 2 });
        expect(await seen(taskId)).toMatchObject({ state: 'pending', rev: 2, votes: [] });
      }
    },
  );

  verifies('APR-14', 'tasks of one batch decided at once make it ready once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const run = await at(0).open(confirm('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'));
      const results = await Promise.all(
        run.taskIds.map(async (taskId, i) => {
          const { rev, proposalHash } = await seen(taskId);
          return at(i).approvals.decide(rita, taskId, { verb: 'approve', rev, proposalHash });
        }),
      );
      expect(new Set(codes(results))).toEqual(new Set(['ok']));
      expect(readied(run)).toBe(1);
      expect((await outbox(run)).filter((action) => action === 'ready')).toHaveLength(1);
    }
  });

  verifies(
    'APR-18',
    'of many who claim at once one holds it; the old holder of a takeover has lost it',
    async () => {
      const run = await at(0).open(transferOf(500));
      const [taskId = ''] = run.taskIds;
      const people = Array.from({ length: 20 }, (_, i) => person(`advisor-${i}`, ['reviewer'], ['advisors']));
      const results = await Promise.all(people.map((actor, i) => at(i).approvals.claim(actor, taskId)));
      expect(codes(results).filter((code) => code === 'ok')).toHaveLength(1);
      expect(new Set(codes(results))).toEqual(new Set(['ok', 'CLAIM_LOST']));
      const { rev, claim } = await seen(taskId);
      await at(1).approvals.takeover(sven, taskId, { rev, reason: 'Too slow.' });
      const holder = people.find(({ subject }) => subject === claim?.by) ?? rita;
      const late = await at(2).approvals.decide(holder, taskId, { verb: 'approve', rev });
      expect(codes([late])).toEqual(['CLAIM_LOST']);
    },
  );

  verifies(
    'APR-13',
    'decisions and expiry at once: the store’s clock tells, and nothing is approved after it',
    async () => {
      for (let round = 0; round < 10; round += 1) {
        const [seconds = 0, micros = 0] = (await at(0).redis.time()).map(Number);
        const expiresAt = new Date(seconds * 1000 + Math.floor(micros / 1000) + 5 * round).toISOString();
        const run = await at(0).open({ interrupts: [{ id: 'i1', reason: 'confirmation', expiresAt }] });
        const [taskId = ''] = run.taskIds;
        const tries = Array.from({ length: 12 }, (_, i) =>
          i % 4 === 0
            ? at(i)
                .approvals.wake(taskId)
                .then(() => undefined)
            : at(i).approvals.decide(person(`r-${i}`, ['reviewer']), taskId, { verb: 'approve', rev: 1 }),
        );
        const results = (await Promise.all(tries)).filter((result) => result !== undefined);
        const done = await seen(taskId);
        if (done.decision?.kind === 'expired') expect(codes(results)).not.toContain('ok');
        else expect(done.decision?.at).toBeLessThan(Date.parse(expiresAt));
        expect(codes(results).filter((code) => code === 'ok').length).toBeLessThanOrEqual(1);
      }
    },
  );

  verifies(
    'APR-15',
    'of many dispatchers one admits the resume, as its own run, with every entry',
    async () => {
      const run = await at(0).open(confirm('a', 'b'));
      for (const taskId of run.taskIds) {
        const { rev, proposalHash } = await seen(taskId);
        await at(0).approvals.decide(rita, taskId, { verb: 'approve', rev, proposalHash });
      }
      const admitted = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const plan = await at(i).approvals.planDispatch(run.batchId);
          return plan && (await at(i).store(run.threadId, plan)) ? plan : undefined;
        }),
      );
      const [sent, ...others] = admitted.filter((plan) => plan !== undefined);
      expect(others).toEqual([]);
      expect(sent).toMatchObject({ attempt: 1, agentId: 'teller', requester: 'carl' });
      expect(sent?.resume.map(({ interruptId }) => interruptId)).toEqual(['a', 'b']);
      expect((await seen(run.taskIds[0] ?? '')).state).toBe('dispatched');
      expect(await at(3).approvals.planDispatch(run.batchId)).toBeUndefined();
    },
  );

  it('keeps every comment of people who speak at once', async () => {
    const run = await at(0).open(confirm('i1'));
    const [taskId = ''] = run.taskIds;
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        at(i).approvals.comment(i % 2 === 0 ? rita : cora, taskId, `note ${i}`),
      ),
    );
    expect(new Set(codes(results))).toEqual(new Set(['ok']));
    const { history = [], rev } = await seen(taskId);
    expect(history.filter(({ action }) => action === 'comment')).toHaveLength(40);
    expect(rev).toBe(1);
  });
});
