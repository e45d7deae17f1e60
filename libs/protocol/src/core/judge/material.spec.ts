import { verifies } from '../../../../../test/spec/verifies.js';
import * as w from '../../../test/events.js';
import { eventsOf, judgeAll } from '../../../test/judge-all.js';
import type { AguiEvent } from '../agui.js';

const [RS, RF] = [w.runStarted(), w.runFinished()];

/** One event within a run; as text where JSON.stringify would not write it so. */
const within = (event: AguiEvent | string): ReturnType<typeof judgeAll> => judgeAll([RS, event]);

describe('what an event is', () => {
  const none: readonly (readonly [string, string, string])[] = [
    ['case 118: [DONE]', '[DONE]', 'not-json'],
    ['an empty text', '', 'not-json'],
    ['half an object', '{"type":"CUSTOM"', 'not-json'],
    ['case 118: a batch', '[{"type":"CUSTOM"}]', 'not-an-object'],
    ['null', 'null', 'not-an-object'],
    ['a text', '"RUN_STARTED"', 'not-an-object'],
    ['no type', '{"messageId":"m"}', 'no-type'],
    ['a type that is a number', '{"type":7}', 'no-type'],
  ];
  for (const [name, text, rule] of none)
    verifies('PRO-1', `refuses ${name}`, () => expect(within(text).rule).toBe(rule));

  const kept: readonly (readonly [string, string])[] = [
    ['case 38: half a character', '{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\\ud83d"}'],
    ['case 40: odd characters', '{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\\u0000\u2028\\n"}'],
    ['case 37: an empty delta', '{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":""}'],
    ['case 39: a mark cut from its base', '{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\u0301"}'],
    ['case 32: CUSTOM null', '{"type":"CUSTOM","name":"x","value":null}'],
    ['case 32: RAW null', '{"type":"RAW","event":null}'],
    ['case 32, 71: state null', '{"type":"STATE_SNAPSHOT","snapshot":null}'],
    ['case 71: state 0', '{"type":"STATE_SNAPSHOT","snapshot":0}'],
    ['case 71: state false', '{"type":"STATE_SNAPSHOT","snapshot":false}'],
    ['case 71: state ""', '{"type":"STATE_SNAPSHOT","snapshot":""}'],
    ['case 26: unknown members', '{"foo":1,"toString":2,"type":"CUSTOM","name":"x","value":1}'],
    ['case 30: null under a key', '{"type":"CUSTOM","name":"x","value":1,"metadata":{"k":null}}'],
    ['case 35: a member twice', '{"type":"CUSTOM","name":"x","value":1,"value":2}'],
    ['case 35: __proto__', '{"type":"CUSTOM","name":"x","value":{"__proto__":{"admin":true}}}'],
    ['a large integer', '{"type":"CUSTOM","name":"x","value":9007199254740993}'],
    ['white space', '{ "type" : "CUSTOM", "name": "x", "value": 1 }'],
    [
      'case 75: extras of an operation',
      '{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a","value":7}]}',
    ],
    [
      'case 21: an unknown outcome',
      '{"type":"SUBAGENT_FINISHED","subagentRunId":"s1","outcome":{"type":"later"}}',
    ],
  ];
  for (const [name, text] of kept)
    verifies('PRO-2', `passes unchanged: ${name}`, () => {
      const outcome = judgeAll([RS, w.textStart('m'), w.subStarted('s1'), text]);
      expect(outcome.events.at(-1)?.json).toBe(text);
    });

  verifies('PRO-2', 'puts a text of several lines on one', () => {
    const outcome = within('{\r\n "type": "CUSTOM",\n "name": "a\\nb",\n "value": 1\n}');
    expect(outcome.events[1]?.json).toBe('{   "type": "CUSTOM",  "name": "a\\nb",  "value": 1 }');
  });

  verifies('PRO-2', 'escapes half a character that was written raw', () => {
    const outcome = within('{"type":"CUSTOM","name":"x","value":"\ud83d"}');
    expect(outcome.events[1]?.json).toBe('{"type":"CUSTOM","name":"x","value":"\\ud83d"}');
  });

  verifies('PRO-2', 'case 35: leaves the prototype alone', () => {
    within('{"type":"CUSTOM","name":"x","value":1,"__proto__":{"admin":true}}');
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });
});

describe('bounds', () => {
  const big = (bytes: number): string => 'x'.repeat(bytes);

  verifies('PRO-3', 'case 78: limits an event, and more generously a snapshot', () => {
    const limits = { maxEventBytes: 1000, maxSnapshotBytes: 5000 };
    expect(judgeAll([RS, w.custom('x', big(2000))], limits).rule).toBe('too-large');
    expect(judgeAll([RS, w.state(big(2000))], limits).rule).toBeUndefined();
    expect(judgeAll([RS, w.state(big(6000))], limits).rule).toBe('too-large');
  });

  verifies('PRO-3', 'counts bytes, not characters', () => {
    const limits = { maxEventBytes: 1000 };
    expect(judgeAll([RS, w.custom('x', 'é'.repeat(450))], limits).rule).toBeUndefined();
    expect(judgeAll([RS, w.custom('x', 'é'.repeat(500))], limits).rule).toBe('too-large');
  });

  verifies('PRO-3', 'limits nesting', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const event = (depth: number): string => `{"type":"STATE_SNAPSHOT","snapshot":${nested(depth)}}`;
    expect(within(event(63)).rule).toBeUndefined();
    expect(within(event(64)).rule).toBe('too-deep');
    expect(within(event(50_000)).rule).toBe('too-deep');
  });

  verifies('PRO-3', 'limits the operations of a patch', () => {
    const patch = Array.from({ length: 5001 }, () => ({ op: 'remove', path: '/a' }));
    expect(within(w.stateDelta(...patch)).rule).toBe('too-many-operations');
    expect(within(w.activityDelta('a', patch)).rule).toBe('too-many-operations');
    expect(within(w.stateDelta(...patch.slice(1))).rule).toBeUndefined();
  });

  verifies('PRO-3', 'limits the interrupts of a run', () => {
    const ids = Array.from({ length: 201 }, (_, n) => `i${n}`);
    expect(within(w.interrupted(ids)).rule).toBe('too-many-interrupts');
    expect(within(w.interrupted(ids.slice(1))).rule).toBeUndefined();
  });

  verifies('PRO-3', 'keeps to the bounds it is given', () => {
    const given = { maxDepth: 3, maxPatchOps: 1, maxInterrupts: 1 };
    const rule = (event: AguiEvent): string | undefined => judgeAll([RS, event], given).rule;
    expect(rule(w.state({ a: [1] }))).toBeUndefined();
    expect(rule(w.state({ a: [[1]] }))).toBe('too-deep');
    const operation = { op: 'add', path: '/a', value: 1 } as const;
    expect(rule(w.stateDelta(operation, operation))).toBe('too-many-operations');
    expect(judgeAll([RS, w.interrupted(['i1', 'i2'])], { maxInterrupts: 1 }).rule).toBe(
      'too-many-interrupts',
    );
  });
});

describe('malformed values', () => {
  const malformed: readonly (readonly [string, AguiEvent, string])[] = [
    ['case 27: a number for an id', w.e('TEXT_MESSAGE_START', { messageId: 7 }), '/messageId'],
    [
      'malformed-known-field: a number for text',
      w.e('TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: 42 }),
      '/delta',
    ],
    ['case 28: role tool', w.textStart('m', { role: 'tool' }), '/role'],
    ['case 28: role wizard', w.textStart('m', { role: 'wizard' }), '/role'],
    ['case 29: timestamp 1.5', w.textStart('m', { timestamp: 1.5 }), '/timestamp'],
    ['case 29: timestamp text', w.textStart('m', { timestamp: '2026' }), '/timestamp'],
    ['case 29: timestamp null', w.textStart('m', { timestamp: null }), '/timestamp'],
    ['case 30: metadata null', w.textStart('m', { metadata: null }), '/metadata'],
    ['case 30: metadata list', w.textStart('m', { metadata: [] }), '/metadata'],
    ['case 31: name null', w.textStart('m', { name: null }), '/name'],
    ['case 31: tag null', w.textStart('m', { subagentRunId: null }), '/subagentRunId'],
    ['case 31: description null', w.subStarted('s', { description: null }), '/description'],
    ['case 62: subagent outcome null', w.subFinished('s', { outcome: null }), '/outcome'],
    ['case 33: CUSTOM without value', w.e('CUSTOM', { name: 'x' }), '/value'],
    ['case 33: RAW without event', w.e('RAW'), '/event'],
    ['case 33: no snapshot', w.e('STATE_SNAPSHOT'), '/snapshot'],
    ['case 22: outcome list', w.runFinished({ outcome: [] }), '/outcome'],
    ['case 22: outcome text', w.runFinished({ outcome: 'success' }), '/outcome'],
    ['case 24: usage below 0', w.runFinished({ usage: [{ inputTokens: -1 }] }), '/usage/0/inputTokens'],
    ['case 52: a result that is an object', w.callResult('c', 'r', { content: {} }), '/content'],
    [
      'case 56: an unknown subtype',
      w.e('REASONING_ENCRYPTED_VALUE', { subtype: 'x', entityId: 'm', encryptedValue: '' }),
      '/subtype',
    ],
    ['case 57: reasoning without role', w.e('REASONING_MESSAGE_START', { messageId: 'q' }), '/role'],
    ['reasoning-message-wrong-role', w.thoughtStart('q', { role: 'assistant' }), '/role'],
    ['case 73: pointer ~2', w.stateDelta({ op: 'add', path: '/a~2', value: 1 }), '/delta/0/path'],
    [
      'case 73, ST-06: pointer without slash',
      w.stateDelta({ op: 'add', path: 'a', value: 1 }),
      '/delta/0/path',
    ],
    ['case 95: no interrupts', w.interrupted([]), '/outcome/interrupts'],
    [
      'case 95: no reason',
      w.runFinished({ outcome: { type: 'interrupt', interrupts: [{ id: 'a' }] } }),
      '/outcome/interrupts/0/reason',
    ],
    [
      'case 89: schema true',
      w.runFinished({
        outcome: { type: 'interrupt', interrupts: [{ id: 'a', reason: 'x', responseSchema: true }] },
      }),
      '/outcome/interrupts/0/responseSchema',
    ],
    [
      'case 31: interrupt message null',
      w.runFinished({
        outcome: { type: 'interrupt', interrupts: [{ id: 'a', reason: 'x', message: null }] },
      }),
      '/outcome/interrupts/0/message',
    ],
    [
      'rule 9: null tag in a snapshot',
      w.messages({ id: 'm', role: 'user', content: '', subagentRunId: null }),
      '/messages/0/subagentRunId',
    ],
  ];
  for (const [name, event, pointer] of malformed)
    verifies('PRO-9', `refuses ${name}`, () =>
      expect(within(event)).toMatchObject({ rule: 'malformed', pointer }),
    );
  it('case 24: takes usage on an error', () => {
    expect(within(w.runError({ usage: [{ inputTokens: 1 }] })).rule).toBeUndefined();
  });
  it('case 95: takes a reason nobody knows', () => {
    const interrupts = [{ id: 'a', reason: 'acme:whim' }];
    expect(within(w.runFinished({ outcome: { type: 'interrupt', interrupts } })).rule).toBeUndefined();
  });
});

describe('words of later versions', () => {
  verifies('PRO-8', 'case 25: keeps an unknown event within a run', () => {
    const event = w.e('FUTURE_THING', { x: null });
    const outcome = judgeAll([RS, event, RF]);
    expect(eventsOf(outcome)).toEqual([RS, event, RF]);
    expect(outcome.warnings).toHaveLength(1);
  });

  verifies('PRO-8', 'leaves an unknown event outside a run out', () => {
    const outcome = judgeAll([w.e('FUTURE_THING'), RS, RF, w.e('FUTURE_THING')]);
    expect(outcome.types).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    expect(outcome.complete).toBe(true);
  });

  verifies('PRO-8', 'an unknown type that looks like a built-in is just unknown', () => {
    expect(judgeAll([RS, w.e('toString'), w.e('__proto__'), RF]).types).toHaveLength(4);
  });

  const later: readonly (readonly [string, AguiEvent])[] = [
    [
      'case 34: a message of an unknown role',
      w.messages({ id: 'a', role: 'oracle' }, { id: 'b', role: 'user', content: '' }),
    ],
    [
      'case 34: a part of an unknown type',
      w.messages({ id: 'a', role: 'user', content: [{ type: 'hologram' }, { type: 'text', text: 'x' }] }),
    ],
    [
      'a part with an unknown source',
      w.messages({ id: 'a', role: 'user', content: [{ type: 'image', source: { type: 'dream' } }] }),
    ],
    ['a part of an unknown type in a result', w.callResult('c', 'r', { content: [{ type: 'hologram' }] })],
    [
      'case 75: an unknown operation',
      w.stateDelta({ op: 'increment', path: '/n' }, { op: 'add', path: '/k', value: 1 }),
    ],
    ['an unknown operation on an activity', w.activityDelta('a', [{ op: 'increment', path: '/n' }])],
    ['case 21: an unknown outcome', w.runFinished({ outcome: { type: 'future', why: 1 } })],
  ];
  for (const [name, event] of later)
    verifies('PRO-8', `keeps ${name}, and warns`, () => {
      const outcome = within(event);
      expect(outcome.rule).toBeUndefined();
      expect(outcome.events[1]?.json).toBe(JSON.stringify(event));
      expect(outcome.warnings.some((warning) => warning.includes('not of this version'))).toBe(true);
    });

  verifies('PRO-9', 'unknown material does not excuse a malformed value beside it', () => {
    const event = w.messages({ id: 'a', role: 'oracle' }, { id: 7, role: 'user', content: '' });
    expect(within(event)).toMatchObject({ rule: 'malformed', pointer: '/messages/0/id' });
  });

  verifies('PRO-8', 'case 36: a newer or odd version only warns', () => {
    for (const protocolVersion of ['1.9', '2.0', 'banana'])
      expect(judgeAll([w.runStarted({ protocolVersion }), RF])).toMatchObject({
        complete: true,
        warnings: [expect.stringContaining(protocolVersion)],
      });
    for (const protocolVersion of ['1.0', '0.0.59'])
      expect(judgeAll([w.runStarted({ protocolVersion }), RF]).warnings).toEqual([]);
  });
});

describe('words of earlier versions', () => {
  const nulls: readonly (readonly [string, AguiEvent, AguiEvent])[] = [
    ['case 23: rawEvent', { ...w.custom('x'), rawEvent: null }, w.custom('x')],
    ['case 23, SL-09: result and outcome', w.runFinished({ outcome: null, result: null }), w.runFinished()],
    ["a subagent's result", w.subFinished('s1', { result: null }), w.subFinished('s1')],
    ['case 31, SL-09: parentMessageId', w.callStart('c', { parentMessageId: null }), w.callStart('c')],
    [
      "a part's metadata",
      w.messages({
        id: 'u',
        role: 'user',
        content: [{ type: 'image', source: { type: 'url', value: 'x' }, metadata: null }],
      }),
      w.messages({
        id: 'u',
        role: 'user',
        content: [{ type: 'image', source: { type: 'url', value: 'x' } }],
      }),
    ],
  ];
  for (const [name, given, meant] of nulls)
    verifies('PRO-7', `takes null for absent: ${name}`, () => {
      const before = meant.type === 'RUN_FINISHED' ? [RS] : [RS, w.subStarted('s1')];
      const outcome = judgeAll([...before, given]);
      expect(eventsOf(outcome).at(-1)).toEqual(meant);
      expect(outcome.events.at(-1)?.json).toBe(JSON.stringify(meant));
      expect(outcome.warnings).toHaveLength(1);
    });

  verifies('PRO-7', "takes null for absent within a run's input", () => {
    const input = {
      threadId: 't',
      runId: 'r',
      messages: [],
      forwardedProps: null,
      tools: [{ name: 'f', description: '', parameters: null }],
      resume: [{ interruptId: 'a', status: 'resolved', payload: null }],
      context: [],
    };
    expect(eventsOf(judgeAll([w.runStarted({ input })]))[0]?.input).toEqual({
      threadId: 't',
      runId: 'r',
      messages: [],
      tools: [{ name: 'f', description: '' }],
      resume: [{ interruptId: 'a', status: 'resolved' }],
      context: [],
    });
  });

  verifies('PRO-7', 'era-0-0-45: translates THINKING', () => {
    const stream = [
      RS,
      w.e('THINKING_START', { title: 'Working' }),
      w.e('THINKING_TEXT_MESSAGE_START'),
      w.e('THINKING_TEXT_MESSAGE_CONTENT', { delta: 'Let me check.' }),
      w.e('THINKING_TEXT_MESSAGE_END'),
      w.e('THINKING_END'),
      RF,
    ];
    const [span, message] = ['r:thinking:1', 'r:thinking:2'];
    expect(eventsOf(judgeAll(stream))).toEqual([
      RS,
      w.spanStart(span),
      w.thoughtStart(message),
      w.thought(message, 'Let me check.'),
      w.thoughtEnd(message),
      w.spanEnd(span),
      RF,
    ]);
  });

  verifies('PRO-7', 'refuses THINKING that nothing opened', () => {
    expect(within(w.e('THINKING_TEXT_MESSAGE_CONTENT', { delta: 'x' })).rule).toBe('not-open');
    expect(within(w.e('THINKING_END')).rule).toBe('not-open');
  });

  verifies('PRO-7', 'makes media of binary parts', () => {
    const parts = (...content: readonly unknown[]): AguiEvent =>
      w.messages({ id: 'u', role: 'user', content });
    const given = parts(
      { type: 'binary', mimeType: 'image/png', data: 'AA==', filename: 'a.png' },
      { type: 'binary', mimeType: 'application/pdf', url: 'https://x' },
    );
    expect(eventsOf(within(given))[1]).toEqual(
      parts(
        {
          type: 'image',
          source: { type: 'data', value: 'AA==', mimeType: 'image/png' },
          metadata: { filename: 'a.png' },
        },
        { type: 'document', source: { type: 'url', value: 'https://x', mimeType: 'application/pdf' } },
      ),
    );
  });
});
