import type { Shown, StreamStep } from '@triptych/fanout';
import { verifies } from '../../../../test/spec/verifies.js';
import { RunView, type Viewed } from './run-view.js';

type Event = { readonly type: string; readonly input?: { readonly messages: readonly object[] } };

const shown = (seq: number, event: Event): Shown => ({
  seq,
  index: 0,
  type: event.type,
  json: JSON.stringify(event),
  at: 0,
  source: 'agent',
});
const started = (runId = 'r1') => ({ type: 'RUN_STARTED', runId });
const TEXT = { type: 'TEXT_MESSAGE_CONTENT', delta: '"RUN_FINISHED" "interrupt"' };
const FINISHED = { type: 'RUN_FINISHED' };
const ASKED = { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [{ id: 'i' }] } };
const FAILED = { type: 'RUN_ERROR', message: 'It broke.' };

/** What each event means to the response, and whether it now only lingers. */
type Row = readonly [event: Event, step: StreamStep, lingers?: true];

const HERE: Viewed = { holds: false, readHere: true };
const THERE: Viewed = { holds: false, readHere: false };
const HOLDING: Viewed = { holds: true, readHere: true };

describe('what a response shows', () => {
  const tables: readonly (readonly [name: string, viewed: Viewed, rows: readonly Row[]])[] = [
    [
      'a run that is read here: only the reading tells that it is over',
      HERE,
      [
        [started(), 'on'],
        [TEXT, 'on'],
        [FINISHED, 'on'],
        [FAILED, 'on'],
      ],
    ],
    [
      'and what else its agent’s stream brings',
      HERE,
      [
        [started(), 'on'],
        [FINISHED, 'on'],
        [started('r2'), 'on'],
        [FINISHED, 'on'],
      ],
    ],
    [
      'but not what somebody asks for next',
      HERE,
      [
        [{ ...started(), input: { messages: [{ id: 'm1' }] } }, 'on'],
        [FINISHED, 'on'],
        [{ ...started('r2'), input: { messages: [] } }, 'on'],
        [FINISHED, 'on'],
        [{ ...started('r3'), input: { messages: [{ id: 'm2' }] } }, 'over'],
      ],
    ],
    [
      'nor the answer to a question that nobody holds for',
      HERE,
      [
        [started(), 'on'],
        [ASKED, 'on'],
        [started('r2'), 'over'],
      ],
    ],
    [
      'a run that is read elsewhere, and its late error, but no other run',
      THERE,
      [
        [started(), 'on'],
        [TEXT, 'on'],
        [FINISHED, 'on', true],
        [FAILED, 'on', true],
        [started('r2'), 'over', true],
      ],
    ],
    [
      'a question that is held for, and its answer, but no other run',
      HOLDING,
      [
        [started(), 'on'],
        [ASKED, 'on'],
        [started('r2'), 'on'],
        [TEXT, 'on'],
        [FINISHED, 'on', true],
        [started('r3'), 'over', true],
      ],
    ],
    [
      'one question after another',
      HOLDING,
      [
        [started(), 'on'],
        [ASKED, 'on'],
        [started('r2'), 'on'],
        [ASKED, 'on'],
        [started('r3'), 'on'],
        [FAILED, 'on', true],
      ],
    ],
    [
      'an end for which it would have held',
      { holds: true, readHere: false },
      [
        [started('whatever'), 'on'],
        [FINISHED, 'on', true],
      ],
    ],
  ];

  for (const [name, viewed, rows] of tables)
    verifies('HUB-24', name, () => {
      const view = new RunView(viewed);
      const seen = rows.map(([event], nth) => [event.type, view.take(shown(nth + 1, event)), view.lingers]);
      expect(seen).toEqual(rows.map(([{ type }, step, lingers = false]) => [type, step, lingers]));
    });

  verifies('HUB-24', 'nothing beyond its goal, but all of what the entry there became', () => {
    const view = new RunView(HERE);
    view.goal = 5;
    expect(view.take(shown(4, started()))).toBe('on');
    expect(view.take(shown(5, { type: 'TEXT_MESSAGE_END' }))).toBe('on');
    expect(view.take(shown(5, FINISHED))).toBe('last');
    expect(view.reachedGoal).toBe(true);
    const late = new RunView(HERE);
    late.take(shown(4, started()));
    late.goal = 4;
    expect(late.take(shown(6, TEXT))).toBe('over');
  });

  verifies('HUB-24', 'a goal that is set behind it is reached', () => {
    const view = new RunView(HERE);
    view.take(shown(1, started()));
    view.take(shown(2, FINISHED));
    expect(view.reachedGoal).toBe(false);
    view.goal = 2;
    expect(view.reachedGoal).toBe(true);
  });
});
