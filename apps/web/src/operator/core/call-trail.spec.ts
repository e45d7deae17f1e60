/** Proves that a tool call is told in steps, each once, whatever comes between. */
import type { AguiEvent } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { argumentCount, callTrail } from './call-trail.js';
import { emptyBook, withStored } from './log-book.js';

const bookOf = (...events: readonly AguiEvent[]) =>
  withStored(
    emptyBook('e'),
    events.map((event, index) => ({ kind: 'stored', seq: index + 1, at: index, source: 'agent', event })),
  );
const piece = (toolCallId: string, delta: string): AguiEvent => ({
  type: 'TOOL_CALL_ARGS',
  toolCallId,
  delta,
});
const word: AguiEvent = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'word' };
const asking = (toolCallId: string): AguiEvent => ({
  type: 'RUN_FINISHED',
  outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'tool_call', toolCallId }] },
});

const whole = bookOf(
  { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'pay' },
  piece('c', '{"a":'),
  word,
  piece('other', '{"b":2}'),
  piece('c', '1}'),
  { type: 'TOOL_CALL_END', toolCallId: 'c' },
  asking('other'),
  asking('c'),
  { type: 'TOOL_CALL_RESULT', toolCallId: 'c', content: '{}' },
);

describe('the trail of a tool call', () => {
  verifies('WEB-110', 'called, with its arguments put together, asked of people, answered', () => {
    const steps = callTrail(whole, 'c');
    expect(steps.map(({ kind, entry, lastSeq, args }) => [kind, entry.seq, lastSeq, args])).toEqual([
      ['called', 1, 1, undefined],
      ['args', 2, 6, '{"a":1}'],
      ['asks', 8, 8, undefined],
      ['result', 9, 9, undefined],
    ]);
    expect(callTrail(whole, 'none')).toEqual([]);
    expect(callTrail(whole, undefined)).toEqual([]);
  });

  verifies('WEB-110', 'arguments are counted only where they can be read', () => {
    expect(argumentCount('{"a":1,"b":[1,2,3]}')).toBe(2);
    expect(argumentCount('{}')).toBe(0);
    for (const unread of ['', '{"a":', '[1,2]', 'null', '7']) expect(argumentCount(unread)).toBeUndefined();
  });
});
