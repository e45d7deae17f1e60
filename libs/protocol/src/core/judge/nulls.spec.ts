/** Sets every member of every event to null, one at a time, and asks the judge and the reference client. */
import { verifies } from '../../../../../test/spec/verifies.js';
import * as w from '../../../test/events.js';
import { eventsOf, judgeAll } from '../../../test/judge-all.js';
import { refusedByReference } from '../../../test/reference-client.js';
import type { AguiEvent } from '../agui.js';
import { EVENT_TYPES } from '../event-types.js';

const BASE = { timestamp: 7, rawEvent: { r: 1 }, metadata: { k: 1 } };
const TAG = { subagentRunId: 's1' };
const message = (role: string, more: object): object => ({
  id: `m-${role}`,
  role,
  metadata: { k: 1 },
  ...more,
});
const MEDIA = {
  type: 'image',
  source: { type: 'url', value: 'x', mimeType: 'image/png' },
  metadata: { k: 1 },
};
const CALL = { id: 'c9', type: 'function', function: { name: 'f', arguments: '{}' }, encryptedValue: 'z' };
const MESSAGES = [
  message('user', { name: 'n', content: [{ type: 'text', text: 'x' }, MEDIA] }),
  message('assistant', { name: 'n', content: 'x', toolCalls: [CALL], encryptedValue: 'z' }),
  message('tool', { toolCallId: 'c9', content: 'x', error: 'e' }),
  message('system', { name: 'n', content: 'x' }),
  message('reasoning', { content: 'x', encryptedValue: 'z' }),
  message('activity', { activityType: 'PLAN', content: { a: null } }),
];
const INPUT = {
  threadId: w.THREAD,
  runId: w.RUN,
  parentRunId: 'p',
  state: { a: 1 },
  messages: MESSAGES,
  tools: [{ name: 'f', description: 'd', parameters: { type: 'object' } }],
  context: [{ description: 'd', value: 'v' }],
  forwardedProps: { a: 1 },
  resume: [{ interruptId: 'i', status: 'resolved', payload: { a: 1 }, metadata: { k: 1 } }],
};
const INTERRUPT = {
  id: 'i',
  reason: 'tool_call',
  message: 'x',
  toolCallId: 'c',
  responseSchema: { type: 'object' },
  expiresAt: '2030-01-01T00:00:00Z',
  metadata: { k: 1 },
};
const USAGE = [{ model: 'x', inputTokens: 1, outputTokens: 1 }];
const [OPEN_TEXT, OPEN_CALL] = [w.textStart('m', TAG), w.callStart('c', TAG)];
const OPEN_THOUGHT = w.thoughtStart('q', TAG);

/** Whole events with the ones they need before them; each has every member that its kind may have. */
const SAMPLES: readonly (readonly [before: readonly AguiEvent[], event: AguiEvent])[] = [
  [[], w.textStart('m', { role: 'assistant', name: 'n', ...TAG })],
  [[OPEN_TEXT], w.textContent('m', 'x', TAG)],
  [[OPEN_TEXT], w.textEnd('m', TAG)],
  [[], w.textChunk({ messageId: 'm', role: 'assistant', name: 'n', delta: 'x', ...TAG })],
  [[], w.callStart('c', { parentMessageId: 'p', ...TAG })],
  [[OPEN_CALL], w.callArgs('c', '{}', TAG)],
  [[OPEN_CALL], w.callEnd('c', TAG)],
  [[], w.callChunk({ toolCallId: 'c', toolCallName: 'f', parentMessageId: 'p', delta: '{}', ...TAG })],
  [[OPEN_CALL, w.callEnd('c')], w.callResult('c', 'r', { role: 'tool', ...TAG })],
  [[], { ...w.state({ a: null }), ...TAG }],
  [[], { ...w.stateDelta({ op: 'add', path: '/a', value: { b: 1 } }), ...TAG }],
  [[], w.messages(...MESSAGES)],
  [[], w.activity('a', { b: 1 }, { replace: true, ...TAG })],
  [[w.activity('a', {}, TAG)], w.activityDelta('a', [{ op: 'add', path: '/b', value: 1 }], TAG)],
  [[], w.e('RAW', { event: { a: 1 }, source: 's', ...TAG })],
  [[], { ...w.custom('x', { a: 1 }), ...TAG }],
  [[], w.stepStarted('s', TAG)],
  [[w.stepStarted('s', TAG)], w.stepFinished('s', TAG)],
  [[], w.spanStart('q', TAG)],
  [[w.spanStart('q', TAG)], w.spanEnd('q', TAG)],
  [[], w.thoughtStart('q', TAG)],
  [[OPEN_THOUGHT], w.thought('q', 'x', TAG)],
  [[OPEN_THOUGHT], w.thoughtEnd('q', TAG)],
  [[], w.e('REASONING_MESSAGE_CHUNK', { messageId: 'q', delta: 'x', ...TAG })],
  [[], w.e('REASONING_ENCRYPTED_VALUE', { subtype: 'message', entityId: 'm', encryptedValue: 'z', ...TAG })],
  [
    [],
    w.subStarted('s2', {
      description: 'd',
      parentSubagentRunId: 's1',
      parentToolCallId: 'c',
      parentMessageId: 'm',
    }),
  ],
  [[], w.subFinished('s1', { result: { a: 1 }, outcome: { type: 'suspended', interruptIds: ['i'] } })],
  [[], w.subError('s1', { code: 'E' })],
  [
    [],
    w.runFinished({
      result: { a: 1 },
      usage: USAGE,
      outcome: { type: 'success', pendingToolCallIds: ['c'] },
    }),
  ],
  [[], w.runFinished({ outcome: { type: 'interrupt', interrupts: [INTERRUPT] } })],
  [[], w.runError({ code: 'E', usage: USAGE })],
];

type Path = readonly (string | number)[];
type Members = Record<string | number, unknown>;

const pathsIn = (value: unknown): Path[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [
        [key],
        ...pathsIn(inner).map((path) => [key, ...path]),
      ]);

const withNull = (event: AguiEvent, path: Path): AguiEvent => {
  const copy = structuredClone(event) as Members;
  const holder = path.slice(0, -1).reduce<Members>((at, key) => at[key] as Members, copy);
  holder[path.at(-1) ?? ''] = null;
  return copy as unknown as AguiEvent;
};

interface Verdict {
  readonly at: string;
  readonly ours: boolean;
  readonly theirs: boolean;
}

const verdicts = async (before: readonly AguiEvent[], event: AguiEvent): Promise<readonly Verdict[]> => {
  const whole = { ...event, ...BASE };
  const stream = (last: AguiEvent) => [...before, last];
  expect({ event: whole, rule: judgeAll(stream(whole)).rule }).toEqual({ event: whole, rule: undefined });
  const all: Verdict[] = [];
  for (const path of pathsIn(whole).filter(([key]) => key !== 'type')) {
    const given = stream(withNull(whole, path));
    all.push({
      at: `${event.type}/${path.join('/')}`,
      ours: judgeAll(given).rule === undefined,
      theirs: (await refusedByReference(given)) === undefined,
    });
  }
  return all;
};

describe('a null', () => {
  const begun = [w.runStarted(), w.subStarted('s1')];
  const cases: readonly (readonly [readonly AguiEvent[], AguiEvent])[] = [
    ...SAMPLES.map(
      ([before, event]) =>
        [event.type === 'RUN_FINISHED' ? [w.runStarted()] : [...begun, ...before], event] as const,
    ),
    [[], w.runStarted({ parentRunId: 'p', protocolVersion: '1.0', input: INPUT })],
  ];

  it('is tried in every kind of event', () => {
    expect(new Set(cases.map(([, { type }]) => type))).toEqual(new Set(EVENT_TYPES));
  });

  verifies(
    'PRO-7',
    'is taken wherever a stock client takes it, and refused wherever it does not',
    async () => {
      for (const [before, event] of cases)
        for (const { at, ours, theirs } of await verdicts(before, event))
          expect({ at, taken: ours }).toEqual({ at, taken: theirs });
    },
  );

  verifies('PRO-7', 'SL-09: of a serializer that writes absent members so ends no run', () => {
    const nulls = { rawEvent: null };
    const stream = [
      w.runStarted(nulls),
      ...w.text('m', 'x').map((event) => ({ ...event, ...nulls })),
      w.callStart('c', { parentMessageId: null, ...nulls }),
      w.callArgs('c', '{}', nulls),
      w.callEnd('c', nulls),
      w.callChunk({ toolCallId: 'd', toolCallName: 'f', parentMessageId: null, delta: '{}', ...nulls }),
      w.runFinished({ result: null, outcome: null, ...nulls }),
    ];
    const outcome = judgeAll(stream);
    expect(outcome).toMatchObject({ complete: true });
    expect(JSON.stringify(eventsOf(outcome))).not.toContain('null');
  });
});
