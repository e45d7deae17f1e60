/** What falls due of a batch, in which order, and that it happens once. */
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import type { Actor } from '@triptych/access';
import { cora, matterOf, NOON, only, opened, person, rita, transferOf } from '../../test/bank.js';
import type { Batch } from './batch.js';
import { withChange } from './change.js';
import { claim, CLAIM_MS } from './claim.js';
import { applyDue, nextDue } from './due.js';
import { mayRead, votingGroups } from './matter.js';
import { groupsIn } from './task.js';

const HOUR = 3_600_000;

const claimed = (batch: Batch): Batch => {
  const judged = claim(matterOf(batch, rita, { now: NOON }));
  if (!judged.ok) throw new Error(judged.refusal.code);
  return withChange(batch, judged.value);
};
const at = (batch: Batch, now: number): Batch => withChange(batch, applyDue(batch, now));
const newsAt = (batch: Batch, now: number) => applyDue(batch, now).news.map(({ action }) => action);

describe('what falls due', () => {
  verifies('APR-78', 'a claim that nobody renewed is over, its holder named, and `rev` stays', () => {
    const batch = claimed(opened(transferOf(500)));
    const until = NOON + CLAIM_MS;
    expect(nextDue(batch)).toBe(until);
    expect(applyDue(batch, until - 1)).toEqual({ tasks: [], news: [] });
    expect(applyDue(batch, until).news).toEqual([
      { action: 'lapsed', by: 'hub', taskId: only(batch).taskId },
    ]);
    const { claim: none, rev, history } = only(at(batch, until));
    expect([none, rev]).toEqual([undefined, only(batch).rev]);
    expect(history.at(-1)).toEqual({ at: until, by: 'hub', action: 'lapse', text: 'rita' });
  });

  verifies('APR-70', 'what fell due first happens first, though all of it is seen to late', () => {
    expect(newsAt(claimed(opened(transferOf(500))), NOON + HOUR)).toEqual(['lapsed', 'expired', 'ready']);
  });

  verifies('APR-70', 'in the same moment the end of a task comes before all else', () => {
    const expiresAt = new Date(NOON + CLAIM_MS).toISOString();
    const asked = { interrupts: [{ id: 'i1', reason: 'confirmation', expiresAt }] };
    expect(newsAt(claimed(opened(asked)), NOON + CLAIM_MS)).toEqual(['expired', 'ready']);
  });

  verifies(
    'APR-70',
    'however often and late it is applied, the end is the same and each thing happens once',
    () => {
      const interrupts = ['a', 'b', 'c'].map((id) => ({ id, reason: 'confirmation' }));
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: HOUR }), { maxLength: 12 }), (waits) => {
          const first = claimed(opened({ interrupts }));
          const times = [...waits.toSorted((a, b) => a - b), HOUR].map((wait) => NOON + wait);
          const seen: string[] = [];
          let batch = first;
          for (const now of times) {
            seen.push(...newsAt(batch, now));
            batch = at(batch, now);
            expect(applyDue(batch, now)).toEqual({ tasks: [], news: [] });
          }
          expect(seen.toSorted()).toEqual(newsAt(first, NOON + HOUR).toSorted());
          expect(batch.status.state).toBe('ready');
          expect(nextDue(batch)).toBeUndefined();
        }),
      );
    },
  );

  const patient = (): Batch => opened({ interrupts: [{ id: 'i1', reason: 'bank:wait' }] });
  const MINUTE = 60_000;
  const may = (batch: Batch, actor: Actor, minutes: number) =>
    mayRead({
      batch: at(batch, NOON + minutes * MINUTE),
      task: only(at(batch, NOON + minutes * MINUTE)),
      actor,
    });

  verifies(
    'APR-75',
    'reminders come their time before it is due, once, and not for a time before the question',
    () => {
      const lines = (minutes: number) =>
        only(at(patient(), NOON + minutes * MINUTE)).history.filter(({ action }) => action === 'remind');
      expect(nextDue(patient())).toBe(NOON + 5 * MINUTE);
      expect(lines(4)).toEqual([]);
      expect(lines(5)).toEqual([{ at: NOON + 5 * MINUTE, by: 'hub', action: 'remind' }]);
      const once = at(patient(), NOON + 6 * MINUTE);
      expect(newsAt(once, NOON + 8 * MINUTE)).toEqual([]);
      expect(newsAt(once, NOON + 9 * MINUTE)).toEqual(['reminded']);
      // Two that were missed are one.
      expect(newsAt(patient(), NOON + 9 * MINUTE)).toEqual(['reminded']);
    },
  );

  verifies(
    'APR-77',
    'a due time that passes is told once; one that is moved may pass and be reminded of again',
    () => {
      const batch = at(patient(), NOON + 10 * MINUTE);
      expect(
        only(batch)
          .history.slice(-2)
          .map(({ action }) => action),
      ).toEqual(['overdue', 'escalate']);
      expect(newsAt(batch, NOON + 11 * MINUTE)).toEqual([]);
      const moved = withChange(batch, {
        tasks: [{ ...only(batch), dueAt: NOON + 18 * MINUTE }],
        news: [],
      });
      expect(newsAt(moved, NOON + 13 * MINUTE)).toEqual(['reminded']);
      expect(newsAt(moved, NOON + 18 * MINUTE)).toEqual(['reminded', 'overdue']);
      expect(only(at(moved, NOON + 18 * MINUTE)).rev).toBe(only(patient()).rev);
    },
  );

  verifies(
    'APR-76',
    'row 62: a question that waits is for more groups, step by step, and stays for those it was for',
    () => {
      const [lead, board] = [
        person('lena', ['reviewer'], ['leads']),
        person('bo', ['supervisor'], ['board']),
      ];
      expect([may(patient(), lead, 9), may(patient(), lead, 10), may(patient(), board, 19)]).toEqual([
        false,
        true,
        false,
      ]);
      for (const who of [rita, lead, board]) expect(may(patient(), who, 20)).toBe(true);
      const wide = at(patient(), NOON + 20 * MINUTE);
      expect(only(wide).history.filter(({ action }) => action === 'escalate')).toEqual([
        { at: NOON + 20 * MINUTE, by: 'hub', action: 'escalate', text: 'leads, advisors' },
        { at: NOON + 20 * MINUTE, by: 'hub', action: 'escalate', text: 'board' },
      ]);
      expect(groupsIn(only(wide), only(wide).ruling)).toEqual(['advisors', 'leads', 'board']);
      expect(only(wide).rev).toBe(1);
      expect(votingGroups(matterOf(wide, lead))).toEqual(['leads']);
    },
  );

  verifies('APR-76', 'a question for every reviewer stays one', () => {
    const batch = at(opened({ interrupts: [{ id: 'i1', reason: 'bank:all' }] }), NOON + 10 * MINUTE);
    expect(only(batch).history.at(-1)).toMatchObject({ action: 'escalate' });
    expect(groupsIn(only(batch), only(batch).ruling)).toEqual([]);
    expect(mayRead({ batch, task: only(batch), actor: cora })).toBe(true);
  });

  verifies('APR-70', 'nothing that time does to a task approves it', () => {
    const asked = ['bank:wait', 'bank:all', 'confirmation', 'tool_call'];
    const interrupts = asked.map((reason, i) => ({ id: `i${i}`, reason }));
    const batch = at(opened({ interrupts }), NOON + 365 * 24 * HOUR);
    expect(batch.tasks.map(({ decision }) => decision?.kind)).toEqual(asked.map(() => 'expired'));
    expect(batch.tasks.map(({ decision }) => decision?.payload)).toEqual(asked.map(() => undefined));
  });
});
