/** What several tasks picked together are, and what becomes of an act on all of them. */
import { refusal, type TaskView } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import {
  able,
  decisionsOn,
  heldOf,
  MAX_PICKED,
  modeFor,
  outcomeOf,
  sharedRows,
  sumsOf,
  weighTogether,
  withPick,
  without,
} from './bulk.js';

const refund = (taskId: string, amount: number, more: Partial<TaskView> = {}): TaskView =>
  ({
    taskId,
    rev: 3,
    state: 'pending',
    proposalHash: `hash-${taskId}`,
    proposal: { toolName: 'refund', args: { amount, currency: 'EUR', target: 'card', note: taskId } },
    quorum: { needed: 1, have: 0 },
    may: ['approve', 'reject'],
    ...more,
  }) as unknown as TaskView;

const two = [refund('a', 40), refund('b', 60)];
const plan = refund('p', 0, { proposal: { args: { plan: 'gold' } } });
const dollars = (amount: number) => refund('$', amount, { proposal: { args: { amount, currency: 'USD' } } });

describe('several tasks at once', () => {
  verifies(
    'WEB-60',
    'a press picks, another lets go, and no more are picked than the hub takes at once',
    () => {
      expect([...withPick(withPick(new Set(), 'a'), 'b')]).toEqual(['a', 'b']);
      expect([...withPick(new Set(['a', 'b']), 'a')]).toEqual(['b']);
      const full = new Set(Array.from({ length: MAX_PICKED }, (_, n) => String(n)));
      expect(withPick(full, 'one more').size).toBe(MAX_PICKED);
      expect(withPick(full, '7').size).toBe(MAX_PICKED - 1);
    },
  );

  verifies('WEB-38', 'amounts are added a currency, as they stand; what has none hides no other', () => {
    const money = (value: number, currency: string) => ({ kind: 'money', value, currency });
    expect(sumsOf([...two, plan, dollars(1)])).toEqual([money(100, 'EUR'), money(1, 'USD')]);
    expect(sumsOf([plan])).toEqual([]);
    const edit = { by: 'jan', at: 1, args: { amount: 5, currency: 'EUR' } };
    expect(sumsOf([refund('d', 40, { edit })])).toEqual([money(5, 'EUR')]);
  });

  verifies('WEB-60', 'an approval asks once more where one of them would, or all together', () => {
    expect(weighTogether(two)).toBe(false);
    expect(weighTogether([refund('a', 6_000), refund('b', 4_000)])).toBe(true);
    expect(weighTogether([...two, refund('c', 1, { quorum: { needed: 2, have: 0 } })])).toBe(true);
  });

  verifies('WEB-38', 'one without an amount, or in another currency, lightens nothing', () => {
    const many = [refund('a', 9_999), refund('b', 9_999)];
    for (const more of [plan, dollars(1)]) {
      expect(weighTogether([...many, more])).toBe(true);
      expect(weighTogether([...two, more])).toBe(false);
    }
    expect(weighTogether([refund('a', 9_999), dollars(9_999)])).toBe(false);
  });

  verifies('WEB-38', 'what this person may not approve weighs nothing', () => {
    expect(weighTogether([...two, refund('c', 20_000, { may: ['reject'] })])).toBe(false);
  });

  verifies(
    'WEB-60',
    'what is the same in all is told once; what is hidden is not said to be the same',
    () => {
      expect(sharedRows(two).map(({ key }) => key)).toEqual(['target']);
      const hidden = two.map((task) => ({ ...task, proposal: { args: { iban: '[redacted]' } } }));
      expect(sharedRows(hidden)).toEqual([]);
      expect(sharedRows([refund('a', 40)])).toEqual([]);
    },
  );

  verifies('WEB-60', 'only what this person may decide is sent, each with what was looked at', () => {
    const barred = refund('c', 1, { may: ['comment'] });
    expect(able([...two, barred], 'approve').map(({ taskId }) => taskId)).toEqual(['a', 'b']);
    expect(decisionsOn([barred, refund('a', 40)], 'reject', 'no receipt')).toEqual([
      { taskId: 'a', rev: 3, verb: 'reject', proposalHash: 'hash-a', reason: 'no receipt' },
    ]);
    expect(decisionsOn([refund('a', 40)], 'approve', '')[0]).not.toHaveProperty('reason');
  });

  verifies('WEB-60', 'each has its own end, and what is held can be taken back', () => {
    const held = refund('a', 40, { state: 'held', heldUntil: 90, may: ['undo'] });
    const lost = refusal('ALREADY_DECIDED');
    const outcome = outcomeOf('approve', {
      results: [
        { taskId: 'a', status: 200, task: held },
        { taskId: 'b', status: 409, error: lost },
      ],
    });
    expect(outcome.done).toEqual([held]);
    expect([...outcome.refused]).toEqual([['b', lost]]);
    expect(heldOf(outcome)).toEqual({ tasks: [held], until: 90 });
    expect(heldOf({ ...outcome, done: [refund('a', 40)] })).toBeUndefined();
  });

  verifies('WEB-39', 'a question or a note gives way when nothing is left that it could be for', () => {
    const done = [refund('a', 40, { may: ['comment'] })];
    expect((['look', 'confirm', 'reject'] as const).map((mode) => modeFor(mode, done))).toEqual([
      'look',
      'look',
      'look',
    ]);
    const noted = [refund('a', 40, { may: ['reject'] }), ...done];
    expect([modeFor('reject', noted), modeFor('confirm', noted)]).toEqual(['reject', 'look']);
    expect(modeFor('confirm', two)).toBe('confirm');
  });

  verifies('WEB-39', 'what could not be taken back is still told as done', () => {
    const [a, b] = two as [TaskView, TaskView];
    const outcome = { verb: 'approve' as const, done: [a, b], refused: new Map() };
    expect(without(outcome, new Set(['a']))).toEqual({ ...outcome, done: [b] });
    expect(without(outcome, new Set())).toEqual(outcome);
    expect(without(outcome, new Set(['a', 'b']))).toBeUndefined();
  });
});
