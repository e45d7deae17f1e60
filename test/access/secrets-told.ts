/** A thread in which every member of every event holds a secret, around the little that its customer may see. */
import type { AguiEvent, RunAgentInput } from '@triptych/protocol';
import { planted, plantedPart, secret, type Readers } from '../streams/planted.js';

/** One tool, step, card and plan are shown, of each a part; the rest of whatever there is stays hidden. */
export const POLICY = `
surfaces:
  customer:
    state: [/shown]
    redact: [/shown/secret]
    tools:
      look: { label: Looking, args: [/city], result: [/sky], redact: [/city/secret] }
      scan: { result: [""] }
    steps: { check: Checking }
    custom: ["CARD"]
    activities: [PLAN]
  reviewer:
    state: [/shown]
    redact: [/shown/secret]
    tools:
      look: { args: [/city], result: [/sky], redact: [/city/secret] }
      scan: { result: [""] }
    steps: { check: check }
    custom: ["CARD"]
    activities: [PLAN]
    subagents: true
approvals:
  rules:
    - id: looks
      match: { reason: tool_call, tool: look }
      groups: [desk]
      customer: { text: A colleague looks at this. }
    - id: questions
      match: { reason: input_required }
      audience: customer
`;

type More = Readonly<Record<string, unknown>>;
type Run = Pick<RunAgentInput, 'threadId' | 'runId'>;

/** When and whose an event is may be seen; all else of it is a secret unless the story says what it is. */
const OPEN: More = { timestamp: 1_700_000_000_000, subagentRunId: undefined };

const tell = (type: string, more: More = {}, nth = 0): AguiEvent => ({
  ...planted(type, nth),
  ...OPEN,
  ...more,
});

const part = (name: Parameters<typeof plantedPart>[0], more: More): More => ({
  ...plantedPart(name),
  subagentRunId: undefined,
  ...more,
});

/** Both pieces are secrets, and so is what they make together. */
const inTwo = (text: string): readonly [string, string] => {
  const half = Math.floor(text.length / 2);
  return [text.slice(0, half), text.slice(half)];
};

const begin = ({ threadId, runId }: Run): AguiEvent => tell('RUN_STARTED', { threadId, runId });

const passing: () => readonly AguiEvent[] = () => [
  tell('FUTURE_THING'),
  tell('toString'),
  tell('RAW'),
  tell('REASONING_ENCRYPTED_VALUE'),
  tell('REASONING_ENCRYPTED_VALUE', {}, 1),
];

const states = (): readonly AguiEvent[] => [
  tell('STATE_SNAPSHOT', {
    snapshot: { shown: { n: 1, secret: secret('state, redacted') }, hidden: secret('state') },
  }),
  tell('STATE_DELTA', {
    delta: [
      { op: 'test', path: '/shown/n', value: 1, why: secret('test') },
      { op: 'replace', path: '/shown/n', value: 2, unplanned: secret('step') },
      { op: 'replace', path: '/shown/secret', value: secret('step on the redacted') },
      { op: 'add', path: `/${secret('a hidden name')}`, value: secret('hidden value') },
      { op: 'move', from: '/hidden', path: '/elsewhere' },
      { op: 'copy', from: '/shown/secret', path: '/copied' },
    ],
  }),
  tell('STATE_DELTA'),
];

const steps = (): readonly AguiEvent[] => {
  const stepName = secret('a hidden step');
  return [
    tell('STEP_STARTED', { stepName: 'check' }),
    tell('STEP_STARTED', { stepName }),
    tell('STEP_FINISHED', { stepName }),
    tell('STEP_FINISHED', { stepName: 'check' }),
  ];
};

const said = (messageId: string, role: string, deltas: readonly string[], more: More = {}): AguiEvent[] => [
  tell('TEXT_MESSAGE_START', { messageId, role, ...more }),
  ...deltas.map((delta) => tell('TEXT_MESSAGE_CONTENT', { messageId, delta, ...more })),
  tell('TEXT_MESSAGE_END', { messageId, ...more }),
];

const texts = (): readonly AguiEvent[] => {
  const [first, second] = inTwo(secret('a chunk'));
  const hidden = { messageId: secret('a hidden message'), role: 'developer' };
  return [
    ...said('m1', 'assistant', ['Good ', 'day.']),
    ...said(secret('a system message'), 'system', inTwo(secret('words of the system'))),
    tell('TEXT_MESSAGE_CHUNK', { messageId: 'm2', role: 'assistant', delta: 'Well.' }),
    tell('TEXT_MESSAGE_CHUNK', { ...hidden, delta: first }),
    tell('TEXT_MESSAGE_CHUNK', { ...hidden, name: undefined, delta: second }),
  ];
};

const called = (toolCallId: string, toolCallName: string, args: string, more: More = {}): AguiEvent[] => [
  tell('TOOL_CALL_START', { toolCallId, toolCallName, parentMessageId: undefined, ...more }),
  ...inTwo(args).map((delta) => tell('TOOL_CALL_ARGS', { toolCallId, delta, ...more })),
  tell('TOOL_CALL_END', { toolCallId, ...more }),
];

/** Candidates see a proposal whole, less what is redacted. */
const proposal = JSON.stringify({
  city: { name: 'Bern', secret: secret('an argument, redacted') },
  why: secret('an argument', 'reviewers'),
});
const weather = JSON.stringify({ sky: 'blue', more: secret('a result') });
const answered = (toolCallId: string, content: unknown): AguiEvent =>
  tell('TOOL_CALL_RESULT', { toolCallId, messageId: `${toolCallId}-r`, content });

const HIDDEN_CALL = secret('a hidden call');
const UNANSWERED = secret('an unanswered call');

const calls = (): readonly AguiEvent[] => {
  const chunk = { toolCallId: secret('a call in chunks'), toolCallName: secret('a tool in chunks') };
  const [first, second] = inTwo(JSON.stringify({ a: secret('an argument in chunks') }));
  return [
    ...called('c1', 'look', proposal, { parentMessageId: 'm1' }),
    answered('c1', weather),
    ...called('c2', 'scan', JSON.stringify({ page: secret('an argument of a shown tool') })),
    answered('c2', [
      part('text', { id: 'p1', text: 'seen' }),
      part('image', {
        id: 'p2',
        source: { type: 'url', value: 'https://a.test', unplanned: secret('source') },
      }),
      { type: 'hologram', unplanned: secret('a part nobody knows') },
    ]),
    ...called(HIDDEN_CALL, secret('a hidden tool'), JSON.stringify({ pin: secret('a hidden argument') })),
    tell('TOOL_CALL_RESULT', { toolCallId: HIDDEN_CALL }),
    tell('TOOL_CALL_CHUNK', { ...chunk, parentMessageId: undefined, delta: first }),
    tell('TOOL_CALL_CHUNK', { ...chunk, parentMessageId: undefined, delta: second }),
    tell('TOOL_CALL_RESULT', { toolCallId: chunk.toolCallId }, 1),
  ];
};

const thoughts = (): readonly AguiEvent[] => {
  const messageId = secret('a thought');
  const [first, second] = inTwo(secret('words of a thought'));
  return [
    tell('REASONING_START', { messageId }),
    tell('REASONING_MESSAGE_START', { messageId }),
    tell('REASONING_MESSAGE_CONTENT', { messageId, delta: first }),
    tell('REASONING_MESSAGE_CONTENT', { messageId, delta: second }),
    tell('REASONING_MESSAGE_END', { messageId }),
    tell('REASONING_MESSAGE_CHUNK', { messageId: secret('a thought in chunks') }),
    tell('REASONING_END', { messageId }),
  ];
};

const subagent = (name: string, more: More): AguiEvent =>
  tell('SUBAGENT_STARTED', {
    name: secret(`the name of ${name}`, 'reviewers'),
    description: secret(`what ${name} is for`, 'reviewers'),
    parentToolCallId: HIDDEN_CALL,
    parentMessageId: undefined,
    parentSubagentRunId: undefined,
    ...more,
  });

const delegated = (): readonly AguiEvent[] => {
  const reviewers: Readers = 'reviewers';
  const subagentRunId = secret('a subagent', reviewers);
  const failed = secret('a subagent that fails', reviewers);
  const by = { subagentRunId };
  return [
    subagent('a subagent', by),
    subagent('its child', { subagentRunId: failed, parentSubagentRunId: subagentRunId }),
    ...said(secret('its message', reviewers), 'assistant', inTwo(secret('its words', reviewers)), by),
    ...called(secret('its hidden call'), secret('its hidden tool'), `{"a":"${secret('its argument')}"}`, by),
    tell('CUSTOM', { ...by, name: 'CARD', value: { id: secret('its card', reviewers) } }),
    tell('SUBAGENT_ERROR', { subagentRunId: failed, code: secret('the code of a failure', reviewers) }),
    tell('SUBAGENT_FINISHED', by, 1),
  ];
};

const extras = (): readonly AguiEvent[] => {
  const shown = { messageId: 'a1', activityType: 'PLAN' };
  const hidden = { messageId: secret('a hidden activity'), activityType: secret('its type') };
  return [
    tell('ACTIVITY_SNAPSHOT', { ...shown, content: { steps: [] } }),
    tell('ACTIVITY_DELTA', {
      ...shown,
      patch: [{ op: 'add', path: '/more', value: 1, unplanned: secret('a step on an activity') }],
    }),
    tell('ACTIVITY_SNAPSHOT', hidden),
    tell('ACTIVITY_DELTA', hidden),
    tell('CUSTOM', { name: 'CARD', value: { id: 'k', component: 'Note', props: {} } }),
    tell('CUSTOM'),
  ];
};

/** What was told, told again; who is not in it is forgotten, so what must stay is. */
const restated = (): readonly AguiEvent[] => {
  const call = (id: string, name: string, text: string) => ({
    ...part('call', { id, subagentRunId: undefined }),
    function: { name, arguments: text, unplanned: secret('a call told again') },
  });
  return [
    tell('MESSAGES_SNAPSHOT', {
      messages: [
        part('user', { id: 'said-by-agent', content: 'Hello.' }),
        part('assistant', {
          id: 'm1',
          content: 'Good day.',
          toolCalls: [call('c1', 'look', proposal), call(HIDDEN_CALL, secret('its name'), '{}')],
        }),
        part('tool', { id: 'c1-r', toolCallId: 'c1', content: weather }),
        part('tool', { toolCallId: HIDDEN_CALL, content: secret('a hidden result told again') }),
        part('assistant', { id: 'm2', content: 'Well.', toolCalls: undefined }),
        part('activity', { id: 'a1', activityType: 'PLAN', content: { steps: [] } }),
        ...(['developer', 'system', 'activity', 'reasoning'] as const).map((role) => part(role, {})),
        { id: secret('an odd message'), role: 'wizard', content: secret('its words') },
      ],
    }),
  ];
};

const question = (more: More): More => part('interrupt', { toolCallId: undefined, ...more });

const asking = (run: Run): AguiEvent =>
  tell('RUN_FINISHED', {
    ...{ threadId: run.threadId, runId: run.runId },
    outcome: {
      type: 'interrupt',
      unplanned: secret('an outcome'),
      interrupts: [
        question({
          ...{ id: secret('a question', 'reviewers'), reason: 'tool_call', toolCallId: 'c1' },
          message: secret('its words', 'reviewers'),
          responseSchema: { type: 'object', title: secret('its schema', 'reviewers') },
          expiresAt: undefined,
        }),
        question({
          ...{
            id: 'q1',
            reason: 'input_required',
            message: 'Which?',
            toolCallId: secret('a call nobody made'),
          },
          ...{ responseSchema: { type: 'object' }, expiresAt: undefined },
        }),
      ],
    },
  });

/** A question that no rule covers: operators only. */
const askingOperators = ({ threadId, runId }: Run): AguiEvent =>
  tell('RUN_FINISHED', {
    ...{ threadId, runId },
    outcome: { type: 'interrupt', interrupts: [part('interrupt', { toolCallId: HIDDEN_CALL })] },
  });

const waiting = ({ threadId, runId }: Run): AguiEvent =>
  tell('RUN_FINISHED', { threadId, runId, outcome: { type: 'success', pendingToolCallIds: [UNANSWERED] } });

/** The thread's runs, one after another. */
export const TOLD: readonly ((run: Run) => readonly AguiEvent[])[] = [
  (run) => [
    begin(run),
    ...[passing, states, steps, texts, calls, thoughts, delegated, extras, restated].flatMap((some) =>
      some(),
    ),
    asking(run),
  ],
  (run) => [begin(run), ...called(UNANSWERED, secret('an open tool'), '{}'), waiting(run)],
  (run) => [
    begin(run),
    ...said('m3', 'assistant', ['It ']),
    tell('RUN_ERROR', { code: secret('the code of an error', 'reviewers') }),
  ],
  (run) => [begin(run), tell('TEXT_MESSAGE_CONTENT', { messageId: secret('never opened') })],
  (run) => [
    begin(run),
    tell('RUN_FINISHED', { ...run, outcome: { type: 'cancelled', x: secret('an end') } }),
  ],
  (run) => [begin(run), askingOperators(run)],
];

/** What its customer sends along; the agent's business alone. */
export const sentAlong = (threadId: string, runId: string): More => ({
  ...plantedPart('input'),
  ...{ threadId, runId, protocolVersion: '1.0', parentRunId: undefined },
  forwardedProps: {},
  resume: undefined,
  messages: [
    part('user', { id: `${runId}-u`, content: 'Hello.' }),
    part('assistant', { id: secret('a forged message'), content: secret('forged words') }),
  ],
});
