/** Races of people with each other: rows 1 to 6 and 8. */
import { setTimeout as pause } from 'node:timers/promises';
import type { TaskView } from '@triptych/protocol';
import { expectOnce, type Race } from './race.js';
import { codesOf, newThread, PAY, say } from './words.js';

/** Often enough that both have won. */
const ROUNDS = 6;

const rounds = <T>(play: () => T): T[] => Array.from({ length: ROUNDS }, play);

const EDITABLE = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
  required: ['approved'],
};

/** Two verdicts at two hubs at once: who won, and what the other was told. */
const meet = async (office: Parameters<Race['run']>[0], verbs: readonly [string, string]) => {
  const threadId = newThread('meet');
  const [task] = (await office.ask(threadId, PAY)) as [TaskView];
  const [ann, bob] = await Promise.all([
    say(office, task, { who: 'ann', at: 0, body: { verb: verbs[0] } }),
    say(office, task, { who: 'bob', at: 1, body: { verb: verbs[1] } }),
  ]);
  expect(codesOf([ann, bob])).toEqual(['ALREADY_DECIDED', 'ok']);
  const [winner, loser] = ann.code === 'ok' ? (['ann', 'bob'] as const) : (['bob', 'ann'] as const);
  const late = ann.code === 'ok' ? bob : ann;
  const { decision, history = [] } = await office.task(task.taskId);
  expect(late.details).toEqual({ kind: decision?.kind, by: [winner], at: decision?.at });
  const verbOf = { ann: verbs[0], bob: verbs[1] };
  expect(history).toContainEqual(
    expect.objectContaining({ action: 'late', by: loser, text: verbOf[loser] }) as unknown,
  );
  await expectOnce(office, threadId);
  return { kind: decision?.kind, verb: verbOf[winner] };
};

export const betweenPeople: readonly Race[] = [
  {
    row: 1,
    race: 'approve ∥ approve, different people, quorum 1: one decides, the other learns who, when and what',
    run: async (office) => {
      const met = await Promise.all(rounds(() => meet(office, ['approve', 'approve'])));
      for (const { kind } of met) expect(kind).toBe('approved');
    },
  },
  {
    row: 2,
    race: 'approve ∥ reject: the first one counts, the other is in the history as late',
    run: async (office) => {
      const met = await Promise.all(rounds(() => meet(office, ['approve', 'reject'])));
      for (const { kind, verb } of met) expect(kind).toBe(verb === 'approve' ? 'approved' : 'rejected');
    },
  },
  {
    row: 3,
    race: 'the same person twice: one decision and twice a success; a key for another body is refused',
    run: async (office) => {
      const threadId = newThread('twice');
      const [task] = (await office.ask(threadId, PAY)) as [TaskView];
      const clicks = await Promise.all(
        [0, 1, 0, 1].map((at) =>
          say(office, task, { who: 'ann', at, ...(at === 0 ? { key: 'click' } : {}) }),
        ),
      );
      expect(codesOf(clicks)).toEqual(['ok', 'ok', 'ok', 'ok']);
      expect(new Set(clicks.map(({ value }) => JSON.stringify(value?.decision))).size).toBe(1);
      const other = await say(office, task, { who: 'ann', key: 'click', body: { verb: 'reject' } });
      expect(other.code).toBe('IDEMPOTENCY_KEY_REUSED');
      await expectOnce(office, threadId);
    },
  },
  {
    row: 4,
    race: 'decide ∥ expire: the store’s clock tells; nothing is decided after the deadline, and EXPIRED says so',
    run: async (office) => {
      const expiresAt = Date.now() + 1_500;
      const threadId = newThread('deadline');
      const wishes = Array.from({ length: 12 }, () => ({
        ...PAY,
        expiresAt: new Date(expiresAt).toISOString(),
      }));
      const tasks = await office.ask(threadId, ...wishes);
      await Promise.all(
        tasks.map(async (task, nth) => {
          // From well before the deadline to well after it.
          await pause(expiresAt - Date.now() + (nth - 6) * 40);
          const { code } = await say(office, task, { who: nth % 2 === 0 ? 'ann' : 'bob', at: nth });
          const { decision, state } = await office.task(task.taskId);
          if (code === 'ok') expect(decision?.at).toBeLessThan(expiresAt);
          else
            expect({ code, kind: decision?.kind, state }).toMatchObject({ code: 'EXPIRED', kind: 'expired' });
        }),
      );
      await expectOnce(office, threadId);
      const entries = office.agent.resumesOf(threadId)[0]?.resume ?? [];
      // What was approved in time is abandoned all the same: the agent takes no answer after its own deadline.
      expect(entries.map(({ status }) => status)).toEqual(wishes.map(() => 'cancelled'));
    },
  },
  {
    row: 5,
    race: 'decide on what an edit has changed meanwhile: STALE_REVISION with the task as it is now',
    run: async (office) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const wire = { tool: 'wire', args: { amount: 1 }, schema: EDITABLE };
        const [task] = (await office.ask(newThread('edit'), wire)) as [TaskView];
        const edit = { verb: 'approve', editedArgs: { amount: 2 } };
        const [edited, voted] = await Promise.all([
          say(office, task, { who: 'ann', at: 0, body: edit }),
          say(office, task, { who: 'bob', at: 1 }),
        ]);
        expect(edited.code).toBe('ok');
        const late = voted.code === 'ok' ? await say(office, task, { who: 'bob', at: 1 }) : voted;
        expect(late).toMatchObject({ code: 'STALE_REVISION', details: { task: { rev: task.rev + 1 } } });
        // The editor's vote is for the edit, and stands alone.
        const { decision, votes } = await office.task(task.taskId);
        expect({ decision, voters: votes.map(({ by }) => by) }).toEqual({ voters: ['ann'] });
      }
    },
  },
  {
    row: 6,
    race: 'decide by whose claim was taken over: CLAIM_LOST',
    run: async (office) => {
      const threadId = newThread('claim');
      const [task] = (await office.ask(threadId, PAY)) as [TaskView];
      const { value: claimed = task } = await say(office, task, { who: 'ann', command: 'claim' });
      const taken = { who: 'sue', at: 1, command: 'takeover', body: { reason: 'ann is ill' } } as const;
      expect((await say(office, claimed, taken)).code).toBe('ok');
      const now = await office.task(task.taskId);
      for (const known of [claimed, now])
        expect((await say(office, known, { who: 'ann' })).code).toBe('CLAIM_LOST');
      expect((await say(office, now, { who: 'sue' })).code).toBe('ok');
      await expectOnce(office, threadId);
    },
  },
  {
    row: 8,
    race: 'undo ∥ dispatch: until the hold ends by the store’s clock the answer is taken back, from then on it is sent; never both',
    run: async (office) => {
      // From well before the hold's end to just after it.
      const offsets = [-400, -60, -30, -15, 0, 15, 30];
      await Promise.all(
        offsets.map(async (offset, nth) => {
          const threadId = newThread('undo');
          const [task] = (await office.ask(threadId, { tool: 'hold', args: {} })) as [TaskView];
          const { value: held = task } = await say(office, task, { who: 'ann' });
          expect(held.state).toBe('held');
          await pause((held.heldUntil ?? 0) - Date.now() + offset);
          const undone = await say(office, held, { who: 'ann', at: nth, command: 'undo', body: {} });
          expect(['ok', 'ALREADY_DECIDED']).toContain(undone.code);
          if (undone.code === 'ok') {
            expect(undone.value?.decision).toBeUndefined();
            expect(office.agent.resumesOf(threadId)).toEqual([]);
            const { value: now = task } = undone;
            expect((await say(office, now, { who: 'ann', body: { verb: 'reject' } })).code).toBe('ok');
          }
          await expectOnce(office, threadId);
          const [entry] = office.agent.resumesOf(threadId)[0]?.resume ?? [];
          expect(entry?.payload).toEqual({ approved: undone.code !== 'ok' });
        }),
      );
    },
  },
];
