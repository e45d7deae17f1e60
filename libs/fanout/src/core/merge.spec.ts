/** Proves what may be merged and that nothing else is touched. */
import type { AguiEvent } from '@triptych/protocol';
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { foldAll, note, text } from '../../test/story.js';
import { mergeDeltas, mergesDeltas } from './merge.js';
import type { Shown } from './shown.js';

const shownOf = (events: readonly (AguiEvent | string)[]): readonly Shown[] =>
  events.map((event, nth) => {
    const json = typeof event === 'string' ? event : JSON.stringify(event);
    return { seq: nth + 1, index: 0, type: JSON.parse(json).type, json, at: nth, source: 'agent' };
  });
const merged = (events: readonly (AguiEvent | string)[]) => mergeDeltas(shownOf(events));
const eventsOf = (shown: readonly Shown[]) => shown.map((one) => JSON.parse(one.json) as AguiEvent);

describe('merging', () => {
  verifies('FAN-9', 'adjacent deltas of one id become one, in the place of the last', () => {
    const args = (delta: string): AguiEvent => ({ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta });
    const thought = (delta: string): AguiEvent => ({
      type: 'REASONING_MESSAGE_CONTENT',
      messageId: 'r',
      delta,
    });
    const out = merged([
      text('a', 'x'),
      text('a', 'y'),
      text('b', 'z'),
      args('{'),
      args('}'),
      thought('1'),
      thought('2'),
    ]);
    expect(eventsOf(out)).toEqual([text('a', 'xy'), text('b', 'z'), args('{}'), thought('12')]);
    expect(out.map(({ seq }) => seq)).toEqual([2, 3, 5, 7]);
  });

  verifies('FAN-9', 'whatever stands between, differs or carries more keeps deltas apart', () => {
    const apart = [
      [text('a', 'x'), note(1), text('a', 'y')],
      [text('a', 'x'), { ...text('a', 'y'), subagentRunId: 's' }],
      [text('a', 'x'), { ...text('a', 'y'), metadata: { k: 1 } }],
      [
        { ...text('a', 'x'), metadata: { k: 1 } },
        { ...text('a', 'y'), metadata: { k: 1 } },
      ],
      [
        { ...text('a', 'x'), timestamp: 1 },
        { ...text('a', 'y'), timestamp: 2 },
      ],
      [
        { ...text('a', 'x'), rawEvent: 1 },
        { ...text('a', 'y'), rawEvent: 1 },
      ],
      [{ type: 'TEXT_MESSAGE_CONTENT', messageId: 'a' }, text('a', 'y')],
    ];
    for (const events of apart) expect(eventsOf(merged(events))).toEqual(events);
    const alike = [
      { ...text('a', 'x'), timestamp: 1 },
      { timestamp: 1, ...text('a', 'y') },
    ];
    expect(merged(alike)).toHaveLength(1);
  });

  verifies('FAN-9', 'what is not merged keeps its text; a letter cut in two comes together', () => {
    const odd = '{"type":"TEXT_MESSAGE_CONTENT" , "messageId":"a","delta":"\\u0041"}';
    expect(merged([odd])[0]!.json).toBe(odd);
    expect(merged([odd, note(1)])[0]!.json).toBe(odd);
    const halves = ['\\ud83d', '\\ude00'].map((half) => odd.replace('\\u0041', half));
    expect(eventsOf(merged(halves))[0]!['delta']).toBe('😀');
  });

  verifies('FAN-9', 'adds up to the same, however the stream is cut', () => {
    const event = fc.oneof(
      fc
        .tuple(fc.constantFrom('a', 'b'), fc.string({ unit: 'binary' }))
        .map(([id, delta]) => text(id, delta)),
      fc.integer().map(note),
    );
    fc.assert(
      fc.property(fc.array(event), fc.nat(), (events, cut) => {
        const at = events.length === 0 ? 0 : cut % events.length;
        const parts = [...merged(events.slice(0, at)), ...merged(events.slice(at))];
        expect(foldAll(eventsOf(parts))).toEqual(foldAll(events));
      }),
    );
  });

  verifies('FAN-9', 'the operator sees what was stored', () => {
    expect(
      ['customer', 'reviewer', 'operator'].map((surface) => mergesDeltas(surface as 'customer')),
    ).toEqual([true, true, false]);
  });
});
