/** Proves what the desk asks the hub for. */
import type { TaskView } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { asSearched, compareFor, dayEnd, filterOf, filtersFor, questionIn } from './desk-question.js';

const NOW = new Date(2026, 5, 1, 12).getTime();
const HOUR = 3_600_000;
const READER = { me: 'tove', now: NOW };
const asked = (query: string) => filterOf(questionIn(query), READER);

describe('what the desk asks for', () => {
  verifies(
    'WEB-62',
    'is what the address says, and what says nothing asks for what is open, due first',
    () => {
      expect(asked('')).toEqual({ sort: 'due' });
      expect(asked('?queue=none&sort=odd&due=never&min=much&urgent=-1')).toEqual({ sort: 'due' });
      expect(asked('?agent=refund&tool=transfer&min=2500&urgent=75&sort=amount&q=amelia')).toEqual({
        agent: 'refund',
        tool: 'transfer',
        minAmount: 2_500,
        minPriority: 75,
        q: 'amelia',
        sort: 'amount',
      });
      expect(asked('?held=me')).toMatchObject({ holder: 'tove' });
      expect(asked('?held=nobody')).toMatchObject({ holder: '' });
      expect(asked('?held=ruth')).toMatchObject({ holder: 'ruth' });
    },
  );

  verifies('WEB-62', 'a day ends where its reader is', () => {
    const end = dayEnd(NOW);
    expect(end - NOW).toBe(12 * HOUR);
    expect(asked('?due=over')).toMatchObject({ dueBefore: NOW });
    expect(asked('?due=today')).toMatchObject({ dueAfter: NOW, dueBefore: end });
    expect(asked('?due=later')).toMatchObject({ dueAfter: end });
  });

  verifies('WEB-62', 'a queue has filters of its own, and no other hides them', () => {
    expect(asked('?queue=mine&held=ruth')).toEqual({ holder: 'tove', sort: 'due' });
    expect(asked('?queue=hour&due=over')).toEqual({ dueAfter: NOW, dueBefore: NOW + HOUR, sort: 'due' });
    expect(asked('?queue=over')).toEqual({ dueBefore: NOW, sort: 'due' });
    expect(asked('?queue=group:refunds')).toEqual({ group: 'refunds', sort: 'due' });
    expect(filtersFor('decided')).toEqual(['min', 'agent', 'tool']);
  });

  verifies(
    'WEB-64',
    'what is over is asked for by how it ended, last first, whatever it was narrowed by',
    () => {
      const decided = asked('?queue=decided&sort=amount&due=over&held=me&q=x');
      expect(decided).toMatchObject({
        decisions: ['approved', 'rejected', 'responded'],
        sort: 'ended',
        q: 'x',
      });
      expect(Object.keys(decided).toSorted()).toEqual(['decisions', 'q', 'sort', 'states']);
      expect(asked('?queue=lapsed')).toMatchObject({ decisions: ['expired', 'cancelled'] });
    },
  );

  verifies('WEB-62', 'a sum is searched as it stands in the arguments', () => {
    const sums = ['€2,000,000.00', '2,000,000', ' 489 € ', '3140.50', '12,5', 'DE21 3704', 'Ann 5'];
    expect(sums.map(asSearched)).toEqual([
      '2000000',
      '2000000',
      '489',
      '3140.5',
      '12,5',
      'DE21 3704',
      'Ann 5',
    ]);
  });

  verifies('WEB-63', 'what comes later takes its place in the order that was asked for', () => {
    const task = (taskId: string, more: object) => ({ taskId, proposal: {}, ...more }) as TaskView;
    const sum = (amount: number) => ({ proposal: { args: { amount, currency: 'EUR' } } });
    const [a, b, c] = [
      task('a', { createdAt: 1, dueAt: 30, priority: 60, ...sum(10), decision: { at: 5 } }),
      task('b', { createdAt: 2, dueAt: 20, priority: 50, decision: { at: 7 } }),
      task('c', { createdAt: 3, priority: 90, ...sum(99), decision: { at: 6 } }),
    ];
    const order = (query: string) =>
      [a, b, c]
        .toSorted(compareFor(questionIn(query)))
        .map(({ taskId }) => taskId)
        .join('');
    const sorts = ['due', 'priority', 'created', 'amount'].map((sort) => order(`?sort=${sort}`));
    expect([...sorts, order('?queue=decided')]).toEqual(['bac', 'cab', 'cba', 'cab', 'bca']);
  });
});
