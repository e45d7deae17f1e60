import type { Shown } from '@triptych/fanout';
import { verifies } from '../../../../test/spec/verifies.js';
import { RunView } from './run-view.js';

const shown = (seq: number, event: { readonly type: string }): Shown => ({
  seq,
  index: 0,
  type: event.type,
  json: JSON.stringify(event),
  at: 0,
  source: 'agent',
});
const STARTED = { type: 'RUN_STARTED' };
const TEXT = { type: 'TEXT_MESSAGE_CONTENT', delta: '"RUN_FINISHED" "interrupt"' };
const FINISHED = { type: 'RUN_FINISHED' };
const CANCELLED = { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } };
const ASKED = { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [{ id: 'i' }] } };
const FAILED = { type: 'RUN_ERROR', message: 'It broke.' };

/** After each event: is it over, held, waited. */
type Row = readonly [event: { readonly type: string }, over: boolean, held?: boolean, waited?: boolean];

describe('what a response has shown of its runs', () => {
  const tables: readonly (readonly [name: string, holds: boolean, rows: readonly Row[]])[] = [
    [
      'a run that ends',
      false,
      [
        [STARTED, false],
        [TEXT, false],
        [FINISHED, true],
      ],
    ],
    ['a run that is cancelled', false, [[CANCELLED, true]]],
    ['a run that fails', false, [[FAILED, true]]],
    ['a question nobody holds for', false, [[ASKED, true]]],
    ['an end for which it would have held', true, [[FINISHED, true]]],
    [
      'a question that is held for, and its answer',
      true,
      [
        [ASKED, false, true, true],
        [STARTED, false, true, true],
        [TEXT, false, true, true],
        [FINISHED, true, false, true],
      ],
    ],
    [
      'one question after another',
      true,
      [
        [ASKED, false, true, true],
        [ASKED, false, true, true],
        [FAILED, true, false, true],
      ],
    ],
  ];

  for (const [name, holds, rows] of tables)
    verifies('HUB-24', name, () => {
      const view = new RunView(holds);
      const seen = rows.map(([event], nth) => [view.take(shown(nth + 1, event)), view.held, view.waited]);
      expect(seen).toEqual(rows.map(([, over, held = false, waited = false]) => [over, held, waited]));
    });

  verifies('HUB-24', 'reaches its goal with the event at it, or one beyond', () => {
    const view = new RunView(false);
    view.take(shown(4, FINISHED));
    expect(view.reachedGoal).toBe(false);
    view.goal = 5;
    expect(view.reachedGoal).toBe(false);
    view.take(shown(7, TEXT));
    expect(view.reachedGoal).toBe(true);
  });
});
