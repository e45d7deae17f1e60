import { verifies } from '../../../../../test/spec/verifies.js';
import * as w from '../../../test/events.js';
import { eventsOf, judgeAll } from '../../../test/judge-all.js';
import type { AguiEvent } from '../agui.js';

type Stream = readonly AguiEvent[];
const [RS, RF] = [w.runStarted(), w.runFinished()];
const of = (subagentRunId: string): { subagentRunId: string } => ({ subagentRunId });

const accepts = (rule: string, name: string, stream: Stream): void =>
  verifies(rule, `takes ${name}`, () => {
    const outcome = judgeAll([RS, ...stream, RF]);
    expect(outcome.rule).toBeUndefined();
    expect(eventsOf(outcome)).toEqual([RS, ...stream, RF]);
  });
const refuses = (rule: string, name: string, [stream, broken]: readonly [Stream, string]): void =>
  verifies(rule, `refuses ${name}`, () => {
    const outcome = judgeAll([RS, ...stream]);
    expect([outcome.rule, outcome.at]).toEqual([broken, stream.length]);
  });
const expands = (name: string, [stream, expanded]: readonly [Stream, Stream]): void =>
  verifies('PRO-12', `writes out ${name}`, () => {
    const outcome = judgeAll([RS, ...stream]);
    expect(outcome.rule).toBeUndefined();
    expect(eventsOf(outcome).slice(1)).toEqual(expanded);
  });

describe('what is opened', () => {
  accepts('PRO-10', 'case 42: a message begun again', [...w.text('m', 'a'), ...w.text('m', 'b')]);
  accepts('PRO-10', 'case 49, SL-04: calls and text side by side', [
    w.callStart('a'),
    w.callStart('b'),
    w.callArgs('a', '{"x":'),
    w.textStart('m1'),
    w.callArgs('b', '{"y":'),
    w.textContent('m1', 'working'),
    w.callArgs('a', '1}'),
    w.callArgs('b', '2}'),
    w.textEnd('m1'),
    w.callEnd('b'),
    w.callEnd('a'),
    w.callResult('b', 'rb'),
    w.callResult('a', 'ra'),
  ]);
  accepts('PRO-10', 'case 50, SL-05: arguments that are no JSON', [
    w.callStart('a'),
    w.callArgs('a', '{oops'),
    w.callArgs('a', '{"q":"beta"}'),
    w.callEnd('a'),
  ]);
  accepts('PRO-10', 'case 51: a result of parts, a file among them', [
    w.callResult('c', 'r', {
      content: [{ type: 'document', source: { type: 'file', value: 'file-1', provider: 'x' } }],
    }),
  ]);
  accepts('PRO-10', 'case 52: the same result twice', [w.callResult('c', 'r'), w.callResult('c', 'r')]);
  accepts('PRO-10', 'case 56: an encrypted value of nobody', [
    w.e('REASONING_ENCRYPTED_VALUE', { subtype: 'message', entityId: 'gone', encryptedValue: 'z' }),
  ]);
  accepts('PRO-10', 'case 57: a span and its message of one id', [
    w.spanStart('q'),
    w.thoughtStart('q'),
    w.thought('q', 'x'),
    w.thoughtEnd('q'),
    w.spanEnd('q'),
  ]);
  accepts('PRO-10', 'SL-15: reasoning within a text message', [
    w.textStart('m'),
    w.spanStart('q'),
    w.thoughtStart('q'),
    w.thoughtEnd('q'),
    w.spanEnd('q'),
    w.textEnd('m'),
  ]);
  accepts('PRO-10', 'case 79: an activity and a patch of one that is not there', [
    w.activity('a', { n: 0 }),
    w.activityDelta('a', [{ op: 'replace', path: '/n', value: 1 }]),
    w.activityDelta('gone', []),
  ]);
  accepts('PRO-10', 'case 72: a patch before any snapshot', [
    w.stateDelta({ op: 'add', path: '/a', value: 1 }),
  ]);

  refuses('PRO-10', 'case 41: content of nothing', [[w.textContent('m', 'x')], 'not-open']);
  refuses('PRO-10', 'case 41: two beginnings', [[w.textStart('m'), w.textStart('m')], 'already-open']);
  refuses('PRO-10', 'case 41: two ends', [[...w.text('m'), w.textEnd('m')], 'not-open']);
  refuses('PRO-10', 'SL-06: a call begun twice', [[w.callStart('a'), w.callStart('a')], 'already-open']);
  refuses('PRO-10', 'arguments of nothing', [[w.callArgs('a', '')], 'not-open']);
  refuses('PRO-10', 'the end of no call', [[w.callEnd('a')], 'not-open']);
  refuses('PRO-10', 'case 57: reasoning that only a span surrounds', [
    [w.spanStart('q'), w.thought('q', 'x')],
    'not-open',
  ]);
  refuses('PRO-10', 'a span begun twice', [[w.spanStart('q'), w.spanStart('q')], 'already-open']);
  refuses('PRO-10', 'the end of no span', [[w.thoughtStart('q'), w.spanEnd('q')], 'not-open']);
  refuses('PRO-10', 'case 58: a step begun twice', [
    [w.stepStarted('s'), w.stepStarted('s')],
    'already-open',
  ]);
  refuses('PRO-10', 'the end of no step', [[w.stepFinished('s')], 'not-open']);
  refuses('PRO-10', 'case 60: the end of no subagent', [[w.subFinished('s9')], 'not-open']);
  refuses('PRO-10', 'a subagent begun twice', [[w.subStarted('s'), w.subStarted('s')], 'already-open']);
  refuses('PRO-10', 'case 60: a subagent begun again', [
    [w.subStarted('s'), w.subError('s'), w.subStarted('s')],
    'subagent-reused',
  ]);
  refuses('PRO-10', 'case 60: a child of nobody', [
    [w.subStarted('s', { parentSubagentRunId: 'z' })],
    'unknown-parent',
  ]);
  accepts('PRO-10', 'case 60, 110a: a child of one that has ended', [
    w.subStarted('s1'),
    w.subFinished('s1'),
    w.subStarted('s2', { parentSubagentRunId: 's1' }),
    w.subFinished('s2'),
  ]);
  verifies('PRO-10', 'takes case 60: the same subagent id in the next run', () => {
    const sub = [w.subStarted('s1'), w.subFinished('s1')];
    const next = [w.runStarted({ runId: 'r2' }), ...sub, w.runFinished({ runId: 'r2' })];
    expect(judgeAll([RS, ...sub, RF, ...next]).complete).toBe(true);
  });
  verifies('PRO-10', 'takes case 62: a suspended subagent and its interrupt', () => {
    const interrupts = [{ id: 'i', reason: 'tool_call', subagentRunId: 's1' }];
    const suspended = w.subFinished('s1', { outcome: { type: 'suspended', interruptIds: ['i'] } });
    const end = w.runFinished({ outcome: { type: 'interrupt', interrupts } });
    expect(judgeAll([RS, w.subStarted('s1'), suspended, end]).complete).toBe(true);
  });
});

describe('who goes on with it', () => {
  accepts('PRO-11', 'case 59: two subagents side by side', [
    w.textStart('a', of('s1')),
    w.textStart('b', of('s2')),
    w.textContent('a', 'x', of('s1')),
    w.textContent('b', 'x', of('s2')),
    w.textContent('a', 'untagged'),
    w.textEnd('a'),
    w.textEnd('b', of('s2')),
  ]);
  accepts('PRO-11', 'case 61: tags of subagents nobody announced', [
    w.textStart('m', of('s')),
    w.textEnd('m'),
  ]);
  accepts('PRO-11', 'case 58: one step name under two agents', [
    w.stepStarted('tools'),
    w.stepStarted('tools', of('s1')),
    w.stepFinished('tools', of('s1')),
    w.stepFinished('tools'),
  ]);
  accepts('PRO-11', "state with a subagent's tag", [{ ...w.state({}), ...of('s1') }]);
  accepts('PRO-11', 'an untagged call inside a tagged message', [
    ...w.text('m').map((event) => ({ ...event, ...of('s1') })),
    w.callStart('c', { parentMessageId: 'm' }),
    w.callEnd('c', of('s1')),
  ]);

  refuses('PRO-11', "case 59, SL-20: a subagent's words in the parent's message", [
    [w.subStarted('s1'), w.textStart('m'), w.textContent('m', 'x', of('s1'))],
    'wrong-owner',
  ]);
  refuses('PRO-11', 'a message begun again by another', [
    [w.textStart('m', of('s1')), w.textEnd('m'), w.textStart('m', of('s2'))],
    'wrong-owner',
  ]);
  refuses('PRO-11', 'subagent-attribution-mismatch: a call ended by another', [
    [w.callStart('c', of('s1')), w.callEnd('c', of('s2'))],
    'wrong-owner',
  ]);
  refuses('PRO-11', "rule 16: a call in another's message", [
    [...w.text('m'), w.callStart('c', { parentMessageId: 'm', ...of('s1') })],
    'wrong-owner',
  ]);
  refuses('PRO-11', "rule 17: a call begun again under another's message", [
    [w.callStart('c', of('s1')), w.callEnd('c'), ...w.text('m'), w.callStart('c', { parentMessageId: 'm' })],
    'wrong-owner',
  ]);
  refuses('PRO-11', "case 58: a subagent closing the parent's step", [
    [w.stepStarted('tools'), w.stepFinished('tools', of('s1'))],
    'wrong-owner',
  ]);
  refuses('PRO-11', "a patch of another's activity", [
    [w.activity('a', {}), w.activityDelta('a', [], of('s1'))],
    'wrong-owner',
  ]);
  refuses('PRO-11', "an encrypted value for another's reasoning", [
    [
      w.thoughtStart('q', of('s1')),
      w.e('REASONING_ENCRYPTED_VALUE', {
        subtype: 'message',
        entityId: 'q',
        encryptedValue: '',
        ...of('s2'),
      }),
    ],
    'wrong-owner',
  ]);
  refuses('PRO-11', 'what a snapshot says another owns', [
    [w.messages({ id: 'm', role: 'assistant', subagentRunId: 's1' }), w.textStart('m', of('s2'))],
    'wrong-owner',
  ]);
  refuses('PRO-11', 'a message made for the call of another', [
    [w.callStart('c', { parentMessageId: 'm', ...of('s1') }), w.textStart('m', of('s2'))],
    'wrong-owner',
  ]);

  verifies('PRO-11', 'refuses to change owners in a later run: who joins there is told the first', () => {
    const first = [RS, w.activity('plan', {}, of('s1')), RF, w.runStarted({ runId: 'r2' })];
    expect(judgeAll([...first, w.activityDelta('plan', [], of('s2'))]).rule).toBe('wrong-owner');
    expect(judgeAll([...first, w.activityDelta('plan', [])]).rule).toBeUndefined();
    expect(judgeAll([...first, w.activity('plan', {}, of('s2'))]).rule).toBeUndefined();
  });

  verifies('PRO-11', 'knows the owners in the history it is given', () => {
    const history = [{ id: 'u', role: 'user' as const, content: 'hi' }];
    expect(judgeAll([RS, w.textStart('u', of('s1'))], { history }).rule).toBe('wrong-owner');
    expect(judgeAll([RS, w.textStart('u')], { history }).rule).toBeUndefined();
  });
});

describe('ids', () => {
  refuses('PRO-13', 'case 94: two interrupts of one id', [
    [w.interrupted(['a', 'a'])],
    'duplicate-interrupt',
  ]);
  refuses('PRO-13', 'ST-11: two messages of one id in a snapshot', [
    [w.messages({ id: 'A', role: 'reasoning', content: '' }, { id: 'A', role: 'assistant', content: '42' })],
    'duplicate-message',
  ]);
  refuses('PRO-13', 'SL-11: text into an activity', [[w.activity('m1', {}), w.textStart('m1')], 'id-clash']);
  refuses('PRO-13', 'reasoning into an activity', [[w.activity('m1', {}), w.thoughtStart('m1')], 'id-clash']);
  refuses('PRO-13', 'an activity over a message being written', [
    [w.textStart('m1'), w.activity('m1', {})],
    'id-clash',
  ]);
  verifies('PRO-13', 'warns of case 79: an activity in the place of a message', () => {
    const outcome = judgeAll([RS, ...w.text('m'), w.activity('m', {}), RF]);
    expect(outcome).toMatchObject({ complete: true, warnings: [expect.stringContaining("'m'")] });
  });
  it('ST-10: takes two messages of the same words', () => {
    const yes = (id: string): unknown => ({ id, role: 'user', content: 'yes' });
    expect(judgeAll([RS, w.messages(yes('u1'), yes('u2')), RF]).complete).toBe(true);
  });
  it('case 53: warns of results nobody waits for', () => {
    expect(judgeAll([RS, w.callResult('c', 'r')]).warnings).toHaveLength(1);
    expect(judgeAll([RS, w.callStart('c'), w.callResult('c', 'r')]).warnings).toHaveLength(1);
    expect(judgeAll([RS, w.callStart('c'), w.callEnd('c'), w.callResult('c', 'r')]).warnings).toEqual([]);
  });
});

describe('chunks', () => {
  const metadata = { k: 1 };
  expands('case 43: a message', [
    [w.textChunk({ messageId: 'm', delta: 'a' }), w.textChunk({ delta: 'b' }), RF],
    [
      w.textStart('m', { role: 'assistant' }),
      w.textContent('m', 'a'),
      w.textContent('m', 'b'),
      w.textEnd('m'),
      RF,
    ],
  ]);
  expands('case 45: what repeats its opener', [
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
  ]);
  expands('metadata, raw events and no timestamp', [
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
  ]);
  expands('case 46: across RAW and activities', [
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
  ]);
  expands('case 47: the end of a subagent, which closes its lane', [
    [w.subStarted('s1'), w.textChunk({ messageId: 'm', delta: 'a', ...of('s1') }), w.subFinished('s1')],
    [
      w.subStarted('s1'),
      w.textStart('m', { role: 'assistant', ...of('s1') }),
      w.textContent('m', 'a', of('s1')),
      w.textEnd('m', of('s1')),
      w.subFinished('s1'),
    ],
  ]);
  expands('two lanes side by side', [
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
  ]);

  refuses('PRO-12', 'case 44: a first chunk without id', [[w.textChunk({ delta: 'x' })], 'chunk-without-id']);
  refuses('PRO-12', 'case 44: a first call chunk without name', [
    [w.callChunk({ toolCallId: 'c' })],
    'chunk-without-id',
  ]);
  refuses('PRO-12', 'case 45: another role', [
    [w.textChunk({ messageId: 'm', role: 'user' }), w.textChunk({ messageId: 'm', role: 'assistant' })],
    'chunk-conflict',
  ]);
  refuses('PRO-12', 'case 45: another tool', [
    [w.callChunk({ toolCallId: 'c', toolCallName: 'f' }), w.callChunk({ toolCallName: 'g' })],
    'chunk-conflict',
  ]);
  refuses('PRO-12', 'case 46: "as before" after CUSTOM', [
    [w.textChunk({ messageId: 'm', delta: 'a' }), w.custom('x'), w.textChunk({ delta: 'b' })],
    'chunk-without-id',
  ]);
  refuses('PRO-12', 'case 47: a chunk of either of two subagents', [
    [
      w.textChunk({ messageId: 'a', ...of('s1') }),
      w.textChunk({ messageId: 'b', ...of('s2') }),
      w.textChunk({ delta: 'x' }),
    ],
    'chunk-ambiguous',
  ]);
  refuses('PRO-12', 'a chunk of another', [
    [w.textChunk({ messageId: 'a', ...of('s1') }), w.textChunk({ messageId: 'a', ...of('s2') })],
    'wrong-owner',
  ]);
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
