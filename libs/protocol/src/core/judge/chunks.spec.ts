import { verifies } from '../../../../../test/spec/verifies.js';
import * as w from '../../../test/events.js';
import { judgeAll } from '../../../test/judge-all.js';
import { expanded, refused } from '../../../test/verdicts.js';

const [RS, RF] = [w.runStarted(), w.runFinished()];
const of = (subagentRunId: string): { subagentRunId: string } => ({ subagentRunId });

describe('chunks', () => {
  const metadata = { k: 1 };
  verifies(
    'PRO-12',
    'writes out case 43: a message',
    expanded(
      [w.textChunk({ messageId: 'm', delta: 'a' }), w.textChunk({ delta: 'b' }), RF],
      [
        w.textStart('m', { role: 'assistant' }),
        w.textContent('m', 'a'),
        w.textContent('m', 'b'),
        w.textEnd('m'),
        RF,
      ],
    ),
  );
  verifies(
    'PRO-12',
    'writes out case 45: what repeats its opener',
    expanded(
      [
        w.callChunk({ toolCallId: 'c', toolCallName: 'f', parentMessageId: 'm', delta: '{' }),
        w.callChunk({ toolCallId: 'c', toolCallName: 'f', parentMessageId: 'm', delta: '}' }),
        w.textChunk({ messageId: 'k', delta: 'x', role: 'assistant', name: 'n' }),
      ],
      [
        w.callStart('c', { toolCallName: 'f', parentMessageId: 'm' }),
        w.callArgs('c', '{'),
        w.callArgs('c', '}'),
        w.callEnd('c'),
        w.textStart('k', { role: 'assistant', name: 'n' }),
        w.textContent('k', 'x'),
      ],
    ),
  );
  verifies(
    'PRO-12',
    'writes out metadata, raw events and no timestamp',
    expanded(
      [
        w.textChunk({ messageId: 'm', delta: 'a', metadata, rawEvent: { x: 1 }, timestamp: 5 }),
        w.textChunk({ metadata }),
        w.textChunk({}),
      ],
      [
        w.textStart('m', { role: 'assistant', metadata }),
        w.textContent('m', 'a', { metadata, rawEvent: { x: 1 } }),
        w.textContent('m', '', { metadata }),
      ],
    ),
  );
  verifies(
    'PRO-12',
    'writes out case 46: across RAW and activities',
    expanded(
      [
        w.textChunk({ messageId: 'm', delta: 'a' }),
        w.e('RAW', { event: 1 }),
        w.activity('x', {}),
        w.textChunk({ delta: 'b' }),
      ],
      [
        w.textStart('m', { role: 'assistant' }),
        w.textContent('m', 'a'),
        w.e('RAW', { event: 1 }),
        w.activity('x', {}),
        w.textContent('m', 'b'),
      ],
    ),
  );
  verifies(
    'PRO-12',
    'writes out case 47: the end of a subagent, which closes its lane',
    expanded(
      [w.subStarted('s1'), w.textChunk({ messageId: 'm', delta: 'a', ...of('s1') }), w.subFinished('s1')],
      [
        w.subStarted('s1'),
        w.textStart('m', { role: 'assistant', ...of('s1') }),
        w.textContent('m', 'a', of('s1')),
        w.textEnd('m', of('s1')),
        w.subFinished('s1'),
      ],
    ),
  );
  verifies(
    'PRO-12',
    'writes out two lanes side by side',
    expanded(
      [
        w.textChunk({ messageId: 'a', delta: '1', ...of('s1') }),
        w.textChunk({ messageId: 'b', delta: '1' }),
        w.textChunk({ delta: '2', ...of('s1') }),
        w.textChunk({ delta: '2' }),
      ],
      [
        w.textStart('a', { role: 'assistant', ...of('s1') }),
        w.textContent('a', '1', of('s1')),
        w.textStart('b', { role: 'assistant' }),
        w.textContent('b', '1'),
        w.textContent('a', '2', of('s1')),
        w.textContent('b', '2'),
      ],
    ),
  );

  verifies(
    'PRO-12',
    'refuses case 44: a first chunk without id',
    refused([w.textChunk({ delta: 'x' })], 'chunk-without-id'),
  );
  verifies(
    'PRO-12',
    'refuses case 44: a first call chunk without name',
    refused([w.callChunk({ toolCallId: 'c' })], 'chunk-without-id'),
  );
  verifies(
    'PRO-12',
    'refuses case 45: another role',
    refused(
      [w.textChunk({ messageId: 'm', role: 'user' }), w.textChunk({ messageId: 'm', role: 'assistant' })],
      'chunk-conflict',
    ),
  );
  verifies(
    'PRO-12',
    'refuses case 45: another tool',
    refused(
      [w.callChunk({ toolCallId: 'c', toolCallName: 'f' }), w.callChunk({ toolCallName: 'g' })],
      'chunk-conflict',
    ),
  );
  verifies(
    'PRO-12',
    'refuses case 46: "as before" after CUSTOM',
    refused(
      [w.textChunk({ messageId: 'm', delta: 'a' }), w.custom('x'), w.textChunk({ delta: 'b' })],
      'chunk-without-id',
    ),
  );
  verifies(
    'PRO-12',
    'refuses case 47: a chunk of either of two subagents',
    refused(
      [
        w.textChunk({ messageId: 'a', ...of('s1') }),
        w.textChunk({ messageId: 'b', ...of('s2') }),
        w.textChunk({ delta: 'x' }),
      ],
      'chunk-ambiguous',
    ),
  );
  verifies(
    'PRO-12',
    'refuses a chunk of another',
    refused(
      [w.textChunk({ messageId: 'a', ...of('s1') }), w.textChunk({ messageId: 'a', ...of('s2') })],
      'wrong-owner',
    ),
  );
  verifies('PRO-14', 'case 48: an end beside a chunk is refused, its closer handed over', () => {
    const outcome = judgeAll([RS, w.textChunk({ messageId: 'm', delta: 'a' }), w.textEnd('m')]);
    expect(outcome.rule).toBe('not-open');
    expect(outcome.types.slice(1)).toEqual([
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
    ]);
  });
  verifies('PRO-14', 'a run that ends too early has its chunks closed all the same', () => {
    const outcome = judgeAll([RS, w.textStart('n'), w.textChunk({ messageId: 'm', ...of('s') }), RF]);
    expect(outcome.rule).toBe('open-at-end');
    expect(outcome.types.at(-1)).toBe('TEXT_MESSAGE_END');
  });
});
