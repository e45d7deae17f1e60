/** Proves that the console tells what each surface was shown, and how a thread was. */
import fc from 'fast-check';
import type { AguiEvent, SeenBy } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { heldIn } from './held.js';
import { emptyBook, withStored, type Stored } from './log-book.js';
import { sawReport } from './saw-report.js';
import { differs, firstMissing, sawRows, type SawEntry } from './saw-rows.js';
import { barsOf, bookUntil, landmarksOf, placeOf, placeWithin, seqAt, seqByKey } from './time-strip.js';
import { toldBy } from './told-events.js';

const FULL: SeenBy = { customer: 'full', reviewer: 'full' };

const came = (seq: number, event: AguiEvent): Stored => ({
  kind: 'stored',
  seq,
  at: seq * 1_000,
  source: 'agent',
  event,
});
const saw = (seq: number, event: AguiEvent, more: Partial<SawEntry> = {}): SawEntry => ({
  ...came(seq, event),
  seen: FULL,
  shown: { customer: [event], reviewer: [event] },
  ...more,
});

const word = (messageId: string, delta: string): AguiEvent => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId,
  delta,
});
const CALL = { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'openAccount' };
const ARGS = { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"amount":1}' };
const HIDDEN = {
  seen: { customer: 'hidden', reviewer: 'redacted' } as SeenBy,
  shown: { customer: [], reviewer: [CALL] },
};

describe('what they saw', () => {
  const rows = sawRows([
    saw(1, { type: 'RUN_STARTED', runId: 'r' }),
    saw(2, { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }),
    saw(3, word('m', 'Good ')),
    saw(4, word('m', 'day')),
    saw(5, { type: 'TEXT_MESSAGE_END', messageId: 'm' }),
    saw(6, CALL, HIDDEN),
    saw(7, ARGS, HIDDEN),
    saw(8, word('n', 'Another')),
  ]);

  verifies('WEB-32', 'pieces of one message or call are one row, and no event is in two', () => {
    expect(rows.map(({ from, to, name, pieces }) => [from, to, name, pieces])).toEqual([
      [1, 1, 'RUN_STARTED', 1],
      [2, 5, 'TEXT_MESSAGE', 4],
      [6, 7, 'TOOL_CALL', 2],
      [8, 8, 'TEXT_MESSAGE', 1],
    ]);
    const types = fc.constantFrom('TEXT_MESSAGE_CONTENT', 'TOOL_CALL_ARGS', 'STATE_DELTA', 'CUSTOM');
    fc.assert(
      fc.property(fc.array(fc.tuple(types, fc.constantFrom('a', 'b')), { maxLength: 30 }), (events) => {
        const laid = sawRows(
          events.map(([type, id], nth) => saw(nth + 1, { type, messageId: id, toolCallId: id })),
        );
        expect(laid.flatMap((row) => row.came)).toHaveLength(events.length);
        expect(laid.map(({ from, to }) => to - from + 1).reduce((sum, each) => sum + each, 0)).toBe(
          events.length,
        );
      }),
    );
  });

  verifies('WEB-32', 'what a surface was not shown is nothing of its column, and a difference', () => {
    expect(rows.filter(differs).map(({ from }) => from)).toEqual([6]);
    expect(rows[2]?.shown).toEqual({ customer: [], reviewer: [CALL, CALL] });
    const report = sawReport(rows, '(hidden)');
    expect(report).toContain('customer: (hidden)');
    expect(report).toContain('operator: openAccount {"amount":1}');
    expect(report).toContain('1970-01-01T00:00:06.000Z');
  });

  verifies('WEB-32', 'events are told as words, as a call, as a question, or as they are', () => {
    expect(toldBy([word('m', 'Good '), word('m', 'day')])).toEqual([{ kind: 'words', text: 'Good day' }]);
    expect(toldBy([CALL, ARGS])).toEqual([{ kind: 'call', name: 'openAccount', args: '{"amount":1}' }]);
    const hold = { id: 'x', reason: 'hub:under_review', metadata: { hub: { text: 'We look at it.' } } };
    expect(toldBy([{ type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [hold] } }])).toEqual([
      { kind: 'question', title: 'We look at it.', awaits: true },
    ]);
    expect(toldBy([{ type: 'STEP_STARTED', stepName: 'kyc' }])).toEqual([
      { kind: 'line', type: 'STEP_STARTED', text: 'kyc' },
    ]);
    expect(toldBy([])).toEqual([]);
  });

  verifies('WEB-32', 'only what is missing is asked for', () => {
    const known = new Map([2, 3, 5].map((seq) => [seq, seq]));
    expect([
      firstMissing(known, 2, 3),
      firstMissing(known, 2, 5),
      firstMissing(known, 1, 5),
      firstMissing(known, 6, 5),
    ]).toEqual([undefined, 4, 1, undefined]);
  });
});

describe('the strip of time', () => {
  const book = withStored(emptyBook('e'), [
    came(1, { type: 'RUN_STARTED' }),
    came(2, { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [] } }),
    came(3, { type: 'RUN_STARTED' }),
    came(4, { type: 'RUN_ERROR' }),
    came(5, { type: 'RUN_FINISHED' }),
  ]);
  const span = { from: 1, to: 5 };

  verifies('WEB-33', 'every kept event has its place, and each place its event', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 500 }), (from, size) => {
        const all = { from, to: from + size };
        const seq = from + (size >> 1);
        expect(size === 0 || seqAt(placeOf(seq, all), all) === seq).toBe(true);
        for (const place of [-1, 0, 0.3, 1, 7]) {
          const found = seqAt(place, all);
          expect(found >= all.from && found <= all.to).toBe(true);
        }
      }),
    );
  });

  verifies('WEB-33', 'keys go by one, by a hundred, to either end and from landmark to landmark', () => {
    const marks = landmarksOf(book);
    expect(marks).toEqual([
      { seq: 2, kind: 'wait' },
      { seq: 4, kind: 'bad' },
      { seq: 5, kind: 'ok' },
    ]);
    const go = (key: string, from: number) => seqByKey(key, from, { span, landmarks: marks });
    const wide = (key: string, from: number) =>
      seqByKey(key, from, { span: { from: 1, to: 500 }, landmarks: marks });
    const keys = ['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'];
    expect(keys.map((key) => wide(key, 300))).toEqual([299, 301, 200, 400, 1, 500]);
    expect([wide('PageUp', 60), wide('PageDown', 460), go('ArrowRight', 5)]).toEqual([1, 500, 5]);
    expect([go('[', 4), go(']', 2), go('[', 2), go('x', 2)]).toEqual([2, 4, 2, undefined]);
  });

  verifies('WEB-43', 'a place named in the address is one that is kept, or live', () => {
    const kept = { from: 40, to: 90 };
    expect([0, 39, 40, 90].map((seq) => placeWithin(seq, kept))).toEqual([40, 40, 40, 90]);
    expect([91, 10 ** 14, undefined].map((seq) => placeWithin(seq, kept))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(placeWithin(7, { from: 0, to: 0 })).toBe(7);
  });

  verifies('WEB-33', 'in the past nothing later is there, refused events neither', () => {
    const full = {
      ...book,
      refused: [2_500, 9_000].map((at) => ({ kind: 'refused' as const, at, rule: 'x', event: {} })),
    };
    const then = bookUntil(full, 3);
    expect(then.stored.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(then.refused.map(({ at }) => at)).toEqual([2_500]);
    expect(bookUntil(full, 5)).toEqual(full);
  });

  verifies('WEB-33', 'draws no pace where nothing is loaded', () => {
    const bars = barsOf(withStored(emptyBook('e'), [came(9, { type: 'CUSTOM' })]), { from: 1, to: 10 }, 5);
    expect(bars.map((bar) => bar === undefined)).toEqual([true, true, true, true, false]);
  });

  verifies('WEB-33', 'the state is read from the surface’s own snapshot', () => {
    const held = heldIn([
      { type: 'RUN_STARTED' },
      {
        type: 'MESSAGES_SNAPSHOT',
        messages: [
          { id: 'm', role: 'assistant', content: 'Hi', toolCalls: [{ function: { name: 'openAccount' } }] },
        ],
      },
      { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } },
    ]);
    expect(held).toEqual({
      state: { a: 1 },
      messages: [{ id: 'm', role: 'assistant', text: 'Hi', calls: ['openAccount'] }],
    });
    expect(heldIn([])).toEqual({ state: undefined, messages: [] });
  });
});
