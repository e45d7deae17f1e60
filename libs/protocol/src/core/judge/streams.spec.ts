import type { AguiEvent } from '../agui.js';
import { verifies } from '../../../../../test/spec/verifies.js';
import * as w from '../../../test/events.js';
import { judgeAll } from '../../../test/judge-all.js';
import { accepted, refused } from '../../../test/verdicts.js';

const [RS, RF] = [w.runStarted(), w.runFinished()];
const of = (subagentRunId: string): { subagentRunId: string } => ({ subagentRunId });

describe('what is opened', () => {
  verifies(
    'PRO-10',
    'takes case 42: a message begun again',
    accepted([...w.text('m', 'a'), ...w.text('m', 'b')]),
  );
  verifies(
    'PRO-10',
    'takes case 49, SL-04: calls and text side by side',
    accepted([
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
    ]),
  );
  verifies(
    'PRO-10',
    'takes case 50, SL-05: arguments that are no JSON',
    accepted([w.callStart('a'), w.callArgs('a', '{oops'), w.callArgs('a', '{"q":"beta"}'), w.callEnd('a')]),
  );
  verifies(
    'PRO-10',
    'takes case 51: a result of parts, a file among them',
    accepted([
      w.callResult('c', 'r', {
        content: [{ type: 'document', source: { type: 'file', value: 'file-1', provider: 'x' } }],
      }),
    ]),
  );
  verifies(
    'PRO-10',
    'takes case 52: the same result twice',
    accepted([w.callResult('c', 'r'), w.callResult('c', 'r')]),
  );
  verifies(
    'PRO-10',
    'takes case 56: an encrypted value of nobody',
    accepted([
      w.e('REASONING_ENCRYPTED_VALUE', { subtype: 'message', entityId: 'gone', encryptedValue: 'z' }),
    ]),
  );
  verifies(
    'PRO-10',
    'takes case 57: a span and its message of one id',
    accepted([w.spanStart('q'), w.thoughtStart('q'), w.thought('q', 'x'), w.thoughtEnd('q'), w.spanEnd('q')]),
  );
  verifies(
    'PRO-10',
    'takes SL-15: reasoning within a text message',
    accepted([
      w.textStart('m'),
      w.spanStart('q'),
      w.thoughtStart('q'),
      w.thoughtEnd('q'),
      w.spanEnd('q'),
      w.textEnd('m'),
    ]),
  );
  verifies(
    'PRO-10',
    'takes case 79: an activity and a patch of one that is not there',
    accepted([
      w.activity('a', { n: 0 }),
      w.activityDelta('a', [{ op: 'replace', path: '/n', value: 1 }]),
      w.activityDelta('gone', []),
    ]),
  );
  verifies(
    'PRO-10',
    'takes case 72: a patch before any snapshot',
    accepted([w.stateDelta({ op: 'add', path: '/a', value: 1 })]),
  );

  verifies('PRO-10', 'refuses case 41: content of nothing', refused([w.textContent('m', 'x')], 'not-open'));
  verifies(
    'PRO-10',
    'refuses case 41: two beginnings',
    refused([w.textStart('m'), w.textStart('m')], 'already-open'),
  );
  verifies('PRO-10', 'refuses case 41: two ends', refused([...w.text('m'), w.textEnd('m')], 'not-open'));
  verifies(
    'PRO-10',
    'refuses SL-06: a call begun twice',
    refused([w.callStart('a'), w.callStart('a')], 'already-open'),
  );
  verifies('PRO-10', 'refuses arguments of nothing', refused([w.callArgs('a', '')], 'not-open'));
  verifies('PRO-10', 'refuses the end of no call', refused([w.callEnd('a')], 'not-open'));
  verifies(
    'PRO-10',
    'refuses case 57: reasoning that only a span surrounds',
    refused([w.spanStart('q'), w.thought('q', 'x')], 'not-open'),
  );
  verifies(
    'PRO-10',
    'refuses a span begun twice',
    refused([w.spanStart('q'), w.spanStart('q')], 'already-open'),
  );
  verifies(
    'PRO-10',
    'refuses the end of no span',
    refused([w.thoughtStart('q'), w.spanEnd('q')], 'not-open'),
  );
  verifies(
    'PRO-10',
    'refuses case 58: a step begun twice',
    refused([w.stepStarted('s'), w.stepStarted('s')], 'already-open'),
  );
  verifies('PRO-10', 'refuses the end of no step', refused([w.stepFinished('s')], 'not-open'));
  verifies('PRO-10', 'refuses case 60: the end of no subagent', refused([w.subFinished('s9')], 'not-open'));
  verifies(
    'PRO-10',
    'refuses a subagent begun twice',
    refused([w.subStarted('s'), w.subStarted('s')], 'already-open'),
  );
  verifies(
    'PRO-10',
    'refuses case 60: a subagent begun again',
    refused([w.subStarted('s'), w.subError('s'), w.subStarted('s')], 'subagent-reused'),
  );
  verifies(
    'PRO-10',
    'refuses case 60: a child of nobody',
    refused([w.subStarted('s', { parentSubagentRunId: 'z' })], 'unknown-parent'),
  );
  verifies(
    'PRO-10',
    'takes case 60, 110a: a child of one that has ended',
    accepted([
      w.subStarted('s1'),
      w.subFinished('s1'),
      w.subStarted('s2', { parentSubagentRunId: 's1' }),
      w.subFinished('s2'),
    ]),
  );
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
  verifies(
    'PRO-11',
    'takes case 59: two subagents side by side',
    accepted([
      w.textStart('a', of('s1')),
      w.textStart('b', of('s2')),
      w.textContent('a', 'x', of('s1')),
      w.textContent('b', 'x', of('s2')),
      w.textContent('a', 'untagged'),
      w.textEnd('a'),
      w.textEnd('b', of('s2')),
    ]),
  );
  verifies(
    'PRO-11',
    'takes case 61: tags of subagents nobody announced',
    accepted([w.textStart('m', of('s')), w.textEnd('m')]),
  );
  verifies(
    'PRO-11',
    'takes case 58: one step name under two agents',
    accepted([
      w.stepStarted('tools'),
      w.stepStarted('tools', of('s1')),
      w.stepFinished('tools', of('s1')),
      w.stepFinished('tools'),
    ]),
  );
  verifies('PRO-11', "takes state with a subagent's tag", accepted([{ ...w.state({}), ...of('s1') }]));
  verifies(
    'PRO-11',
    'takes an untagged call inside a tagged message',
    accepted([
      ...w.text('m').map((event) => ({ ...event, ...of('s1') })),
      w.callStart('c', { parentMessageId: 'm' }),
      w.callEnd('c', of('s1')),
    ]),
  );

  verifies(
    'PRO-11',
    "refuses case 59, SL-20: a subagent's words in the parent's message",
    refused([w.subStarted('s1'), w.textStart('m'), w.textContent('m', 'x', of('s1'))], 'wrong-owner'),
  );
  verifies(
    'PRO-11',
    'refuses a message begun again by another',
    refused([w.textStart('m', of('s1')), w.textEnd('m'), w.textStart('m', of('s2'))], 'wrong-owner'),
  );
  verifies(
    'PRO-11',
    'refuses subagent-attribution-mismatch: a call ended by another',
    refused([w.callStart('c', of('s1')), w.callEnd('c', of('s2'))], 'wrong-owner'),
  );
  verifies(
    'PRO-11',
    "refuses rule 16: a call in another's message",
    refused([...w.text('m'), w.callStart('c', { parentMessageId: 'm', ...of('s1') })], 'wrong-owner'),
  );
  verifies(
    'PRO-11',
    "refuses rule 17: a call begun again under another's message",
    refused(
      [
        w.callStart('c', of('s1')),
        w.callEnd('c'),
        ...w.text('m'),
        w.callStart('c', { parentMessageId: 'm' }),
      ],
      'wrong-owner',
    ),
  );
  verifies(
    'PRO-11',
    "refuses case 58: a subagent closing the parent's step",
    refused([w.stepStarted('tools'), w.stepFinished('tools', of('s1'))], 'wrong-owner'),
  );
  verifies(
    'PRO-11',
    "refuses a patch of another's activity",
    refused([w.activity('a', {}), w.activityDelta('a', [], of('s1'))], 'wrong-owner'),
  );
  verifies(
    'PRO-11',
    "refuses an encrypted value for another's reasoning",
    refused(
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
    ),
  );
  verifies(
    'PRO-11',
    'refuses what a snapshot says another owns',
    refused(
      [w.messages({ id: 'm', role: 'assistant', subagentRunId: 's1' }), w.textStart('m', of('s2'))],
      'wrong-owner',
    ),
  );
  verifies(
    'PRO-11',
    'refuses a message made for the call of another',
    refused(
      [w.callStart('c', { parentMessageId: 'm', ...of('s1') }), w.textStart('m', of('s2'))],
      'wrong-owner',
    ),
  );

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
  verifies(
    'PRO-13',
    'refuses case 94: two interrupts of one id',
    refused([w.interrupted(['a', 'a'])], 'duplicate-interrupt'),
  );
  verifies(
    'PRO-13',
    'refuses ST-11: two messages of one id in a snapshot',
    refused(
      [
        w.messages(
          { id: 'A', role: 'reasoning', content: '' },
          { id: 'A', role: 'assistant', content: '42' },
        ),
      ],
      'duplicate-message',
    ),
  );
  verifies(
    'PRO-13',
    'refuses SL-11: text into an activity',
    refused([w.activity('m1', {}), w.textStart('m1')], 'id-clash'),
  );
  verifies(
    'PRO-13',
    'refuses reasoning into an activity',
    refused([w.activity('m1', {}), w.thoughtStart('m1')], 'id-clash'),
  );
  verifies(
    'PRO-13',
    'refuses an activity over a message being written',
    refused([w.textStart('m1'), w.activity('m1', {})], 'id-clash'),
  );
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

  verifies(
    'HUB-120',
    'warns of questions before which no snapshot of state or messages came in their run',
    () => {
      const snapshots = [{ type: 'STATE_SNAPSHOT', snapshot: {} }, w.messages()];
      const warned = (...events: AguiEvent[]): readonly string[] => judgeAll(events).warnings;
      expect(warned(RS, w.interrupted(['a']))).toEqual([
        'The run asks, and had no STATE_SNAPSHOT and no MESSAGES_SNAPSHOT before',
      ]);
      expect(warned(RS, ...snapshots.slice(1), w.interrupted(['a']))).toEqual([
        'The run asks, and had no STATE_SNAPSHOT before',
      ]);
      expect(warned(RS, ...snapshots, w.interrupted(['a']))).toEqual([]);
      expect(warned(RS, RF)).toEqual([]);
      const next = [w.runStarted({ runId: 'r2' }), w.interrupted(['a'], { runId: 'r2' })];
      expect(warned(RS, ...snapshots, RF, ...next)).toHaveLength(1);
    },
  );
});
