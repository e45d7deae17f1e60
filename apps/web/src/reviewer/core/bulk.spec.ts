/** What several tasks picked together are, and what becomes of an act on all of them. */
import { refusal, type TaskView } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import {
  able,
  decisionsOn,
  heldOf,
  MAX_PICKED,
  outcomeOf,
  sharedRows,
  sumOf,
  weighTogether,
  withPick,
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

  verifies('WEB-60', 'amounts are added only where all have one, in one currency', () => {
    expect(sumOf(two)).toEqual({ kind: 'money', value: 100, currency: 'EUR' });
    const dollars = refund('c', 1, { proposal: { args: { amount: 1, currency: 'USD' } } });
    expect(sumOf([...two, dollars])).toBeUndefined();
    expect(sumOf([...two, refund('c', 1, { proposal: { args: { plan: 'gold' } } })])).toBeUndefined();
    expect(
      sumOf([refund('d', 40, { edit: { by: 'jan', at: 1, args: { amount: 5, currency: 'EUR' } } })]),
    ).toEqual({
      kind: 'money',
      value: 5,
      currency: 'EUR',
    });
  });

  verifies('WEB-60', 'an approval asks once more where one of them would, or all together', () => {
    expect(weighTogether(two)).toBe(false);
    expect(weighTogether([refund('a', 6_000), refund('b', 4_000)])).toBe(true);
    expect(weighTogether([...two, refund('c', 1, { quorum: { needed: 2, have: 0 } })])).toBe(true);
  });

  verifies(
    'WEB-60',
    'what is the same in all is told once; what is hidden is not said to be the same',
    () => {
      expect(sharedRows(two).map(({ key }) => key)).toEqual(['currency', 'target']);
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
});
