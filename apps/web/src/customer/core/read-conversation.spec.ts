/** Proves what a customer reads out of a thread's events. */
import { emptyModel, modelStep, prelude, type AguiEvent, type ThreadSummary } from '@triptych/protocol';
import { verifies } from '../../../../../test/spec/verifies.js';
import { askedRows, spokenRef } from './asked-rows.js';
import { actingOf, readConversation, titleOf, type Reading } from './read-conversation.js';
import { standingOf, withStanding } from './thread-standing.js';
import type { HeldBefore, HeldCall, ToolStep, Turn } from './turns.js';

const asked = { id: 'u1', role: 'user', content: 'Invest 2 million\nplease' };
const started: AguiEvent = {
  type: 'RUN_STARTED',
  threadId: 't',
  runId: 'run-12345',
  input: { threadId: 't', runId: 'run-12345', messages: [asked], tools: [], context: [] },
};
const call: readonly AguiEvent[] = [
  { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'Checking your identity' },
  { type: 'TOOL_CALL_END', toolCallId: 'c1' },
];
const result: AguiEvent = {
  type: 'TOOL_CALL_RESULT',
  messageId: 'r1',
  toolCallId: 'c1',
  content: '{}',
  role: 'tool',
};
const say = (id: string, delta: string): readonly AguiEvent[] => [
  { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta },
  { type: 'TEXT_MESSAGE_END', messageId: id },
];
const card = (id: string, label = 'a'): AguiEvent => ({
  type: 'CUSTOM',
  name: 'GENERATIVE_UI',
  value: { id, component: 'x', props: { label } },
});
const finished = (outcome?: object): AguiEvent => ({
  type: 'RUN_FINISHED',
  threadId: 't',
  runId: 'run-12345',
  ...(outcome ? { outcome } : {}),
});
const held = finished({
  type: 'interrupt',
  interrupts: [{ id: 'p', reason: 'hub:under_review', metadata: { hub: { ref: 'A-1' } } }],
});
const question = finished({ type: 'interrupt', interrupts: [{ id: 'q', reason: 'input_required' }] });

const modelOf = (events: readonly AguiEvent[]) => events.reduce(modelStep, emptyModel());
const NEVER_HELD: ReadonlyMap<string, HeldBefore> = new Map();
const read = (events: readonly AguiEvent[], heldBefore = NEVER_HELD): Reading =>
  readConversation(modelOf(events), 'file', heldBefore);
const stepIn = (reading: Reading): ToolStep | undefined =>
  reading.turns
    .flatMap((turn) => (turn.who === 'assistant' ? turn.parts : []))
    .flatMap((part) => (part.kind === 'steps' ? part.steps : []))[0];
const kinds = (turns: readonly Turn[]): readonly string[] =>
  turns.flatMap((turn) => (turn.who === 'you' ? ['you'] : turn.parts.map((part) => part.kind)));

describe('tool steps', () => {
  verifies('WEB-4', 'done needs the result; every other end has its own word', () => {
    const state = (...more: readonly AguiEvent[]) => stepIn(read([started, ...call, ...more]))?.state;
    expect(state()).toBe('running');
    expect(state(result)).toBe('done');
    expect(state(finished())).toBe('over');
    expect(state(question)).toBe('you');
    expect(state(finished({ type: 'cancelled' }))).toBe('stopped');
    expect(state({ type: 'RUN_ERROR', message: 'x', code: 'hub/cancelled' })).toBe('stopped');
    expect(state({ type: 'RUN_ERROR', message: 'x', code: 'hub/runner-lost' })).toBe('unclear');
  });

  verifies(
    'WEB-103',
    'work that is to be seen is told once: a step or words under way, until they are not',
    () => {
      const begun = { type: 'TEXT_MESSAGE_START', messageId: 'w', role: 'assistant' };
      const shows = (...more: readonly AguiEvent[]) => read([started, ...more]).showsWork;
      expect(shows()).toBe(false);
      expect([shows(begun), shows(begun, { type: 'TEXT_MESSAGE_END', messageId: 'w' })]).toEqual([
        true,
        false,
      ]);
      expect([shows(...call), shows(...call, result)]).toEqual([true, false]);
      expect(shows(...call, held)).toBe(false);
    },
  );

  verifies('WEB-4', 'a result that says nothing was done is not done', () => {
    const state = (content: string) =>
      stepIn(read([started, ...call, { ...result, content }, finished()]))?.state;
    expect(state('{"status":"declined","reason":"no"}')).toBe('declined');
    expect(state('{"status":"cancelled"}')).toBe('cancelled');
    expect(state('{"status":"failed"}')).toBe('failed');
    for (const content of ['{"status":"opened"}', '{"status":1}', 'null', '[]', 'declined by nobody', ''])
      expect(state(content)).toBe('done');
  });

  verifies('WEB-4', 'work that follows work is one list', () => {
    const second: readonly AguiEvent[] = [
      { type: 'TOOL_CALL_START', toolCallId: 'c2', toolCallName: 'b' },
      { type: 'TOOL_CALL_END', toolCallId: 'c2' },
    ];
    const reading = read([started, ...call, result, ...second, ...say('m', 'text')]);
    expect(kinds(reading.turns)).toEqual(['you', 'steps', 'text']);
  });
});

describe('what waited for an adviser', () => {
  const arguing: readonly AguiEvent[] = [
    { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'Account opening' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"amount":2000000,"currency":"EUR","mandate":"b"}' },
    { type: 'TOOL_CALL_END', toolCallId: 'c1' },
  ];
  const waits = [started, ...arguing, held];
  const resumed: AguiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'run-2' };
  const heldIn = (reading: Reading): readonly HeldCall[] =>
    reading.turns
      .flatMap((turn) => (turn.who === 'assistant' ? turn.parts : []))
      .flatMap((part) => (part.kind === 'held' ? [part.call] : []));
  const after = (...more: readonly AguiEvent[]) =>
    heldIn(read([...waits, resumed, ...more], new Map([['c1', { ref: 'A-1' }]])))[0];
  const settled = (content: string) => after({ ...result, content }, finished());

  verifies('WEB-101', 'is told by the panel alone while it waits, with what was asked for', () => {
    const reading = read(waits);
    expect(kinds(reading.turns)).toEqual(['you']);
    expect(reading.held.map(({ id, state }) => [id, state])).toEqual([['c1', 'adviser']]);
    const rows = askedRows(reading.held);
    expect(rows.map(({ label }) => label)).toEqual(['Amount', 'Mandate']);
    expect(rows[0]?.value).toEqual({ kind: 'money', value: 2_000_000, currency: 'EUR' });
    expect(askedRows([{ args: undefined }, { args: [1] }])).toEqual([]);
  });

  verifies('WEB-101', 'is not what the customer is asked about themselves', () => {
    const both = finished({
      type: 'interrupt',
      interrupts: [
        { id: 'p', reason: 'hub:under_review' },
        { id: 'q', reason: 'tool_call', toolCallId: 'c1' },
      ],
    });
    expect(read([started, ...arguing, both]).held).toEqual([]);
  });

  verifies('WEB-101', 'has a reference that can be read aloud', () => {
    expect(spokenRef('49803d09')).toBe('4980\u00A03D09');
    expect(spokenRef('A-20917')).toBe('A-20917');
  });

  verifies('WEB-100', 'keeps its place, and each end has its own word', () => {
    expect(after()).toMatchObject({ state: 'running', ref: 'A-1' });
    expect(settled('{"status":"opened"}')?.state).toBe('done');
    expect(settled('{"status":"declined","reason":"Too much"}')).toMatchObject({
      state: 'declined',
      reason: 'Too much',
    });
    expect(settled('{"status":"cancelled"}')?.state).toBe('cancelled');
    expect(settled('{"status":"failed"}')?.state).toBe('failed');
    expect(after(finished())?.state).toBe('over');
  });

  verifies('WEB-100', 'is called approved only where the result says how it ended', () => {
    for (const content of ['declined by a colleague', '{}', 'null', '[]'])
      expect(settled(content)?.state).toBe('answered');
  });

  verifies('WEB-100', 'waits on where the run that was to carry it out failed', () => {
    const reading = read(
      [...waits, resumed, { type: 'RUN_ERROR', message: 'x', code: 'hub/runner-lost' }],
      new Map([['c1', {}]]),
    );
    expect(heldIn(reading)).toEqual([]);
    expect(reading.held.map(({ id }) => id)).toEqual(['c1']);
  });

  verifies('WEB-100', 'is a step like any other where nobody saw it wait', () => {
    const reading = read([...waits, resumed, { ...result, content: '{"status":"declined"}' }, finished()]);
    expect(heldIn(reading)).toEqual([]);
    expect(stepIn(reading)?.state).toBe('declined');
  });
});

describe('who is to act', () => {
  verifies('WEB-5', 'the agent only while a run is under way, nobody once it is over', () => {
    expect(actingOf(read([started]))).toBe('agent');
    expect(actingOf(read([started, held]))).toBe('adviser');
    expect(actingOf(read([started, question]))).toBe('you');
    expect(actingOf(read([started, finished()]))).toBe('nobody');
    expect(actingOf(read([started, { type: 'RUN_ERROR', message: 'x' }]))).toBe('nobody');
  });
});

describe('what waits', () => {
  verifies('WEB-13', 'a placeholder is a wait with what is known of it, a question is a question', () => {
    expect(read([started, held]).waiting).toEqual({ hold: { ref: 'A-1' }, questions: [] });
    expect(read([started, question]).waiting.questions.map(({ id }) => id)).toEqual(['q']);
  });

  verifies('WEB-13', 'while a run is under way nothing waits: it may be the answer', () => {
    const resumed: AguiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'run-2' };
    expect(read([started, held, resumed]).waiting).toEqual({ questions: [] });
    const failed: AguiEvent = { type: 'RUN_ERROR', message: 'x', code: 'hub/runner-lost' };
    expect(read([started, held, resumed, failed]).waiting.hold).toEqual({ ref: 'A-1' });
  });
});

describe('how a run ended', () => {
  const ending = (code: string | undefined, message: string) =>
    read([started, { type: 'RUN_ERROR', message, ...(code ? { code } : {}) }]).ending;

  verifies('WEB-14', '“nothing was changed” is said when the hub knows it, whatever the code', () => {
    const words = 'The agent reported an error. Nothing was changed. Reference ab12cd34.';
    for (const code of ['hub/agent-error', 'hub/runner-lost', 'hub/agent-unavailable', 'hub/later'])
      expect(ending(code, words)).toEqual({ kind: 'safe', ref: 'ab12cd34' });
    expect(ending('hub/agent-unavailable', 'The agent could not be reached. Reference ab12cd34.')).toEqual({
      kind: 'unclear',
      ref: 'ab12cd34',
    });
  });

  verifies('WEB-14', 'words that are not the hub’s promise nothing; there is always a reference', () => {
    const unclear = { kind: 'unclear', ref: 'run-1234' };
    expect(ending('later/code', 'Nothing was changed. Reference x.')).toEqual(unclear);
    expect(ending(undefined, 'x')).toEqual(unclear);
    expect(ending('hub/runner-lost', 'x')).toEqual(unclear);
    expect(ending('hub/cancelled', 'The run was cancelled. Reference ab.')).toEqual({ kind: 'stopped' });
    expect(read([started, finished()]).ending).toBeUndefined();
  });
});

describe('cards in the talk', () => {
  const live = [started, ...say('m1', 'one'), card('a'), ...say('m2', 'two')];

  verifies(
    'WEB-22',
    'a card stays after the message it came after, also on a device that never saw it come',
    () => {
      for (const events of [live, prelude(modelOf(live))])
        expect(kinds(read(events).turns)).toEqual(['you', 'text', 'card', 'text']);
    },
  );

  verifies('WEB-22', 'a card that came before any message stands first, one whose message went last', () => {
    const { input: _input, ...bare } = started;
    expect(kinds(read([bare, card('a'), ...say('m1', 'one')]).turns)).toEqual(['card', 'text']);
    const restated: AguiEvent = {
      type: 'MESSAGES_SNAPSHOT',
      messages: [asked, { id: 'm2', role: 'assistant', content: 'two' }],
    };
    expect(kinds(read([...live, restated]).turns)).toEqual(['you', 'text', 'card']);
  });

  verifies('WEB-3', 'the same id is the same card, in its first place with its last value', () => {
    const reading = read([...live, card('a', 'later')]);
    const cards = reading.turns
      .flatMap((turn) => (turn.who === 'assistant' ? turn.parts : []))
      .filter((part) => part.kind === 'card');
    expect(cards).toEqual([
      { kind: 'card', id: 'a', card: { id: 'a', component: 'x', props: { label: 'later' } } },
    ]);
    expect(kinds(reading.turns)).toEqual(['you', 'text', 'card', 'text']);
  });
});

describe('the row of the open conversation', () => {
  const row = (...events: readonly AguiEvent[]) => standingOf('t', modelOf([started, ...events]))?.status;

  verifies('WEB-26', 'says what is on the screen', () => {
    expect(standingOf('t', emptyModel())).toBeUndefined();
    expect(row()).toBe('running');
    expect(row(held)).toBe('waiting');
    expect(row(held, { type: 'RUN_STARTED', threadId: 't', runId: 'run-2' })).toBe('running');
    expect(row(finished())).toBe('idle');
    expect(row({ type: 'RUN_ERROR', message: 'x' })).toBe('failed');
    expect(row({ type: 'RUN_ERROR', message: 'x', code: 'hub/cancelled' })).toBe('idle');
  });

  verifies('WEB-26', 'only its own row is told anew', () => {
    const rows = ['t', 'u'].map((threadId) => ({ threadId, status: 'running', openInterrupts: [] }));
    const told = withStanding(
      rows as unknown as readonly ThreadSummary[],
      standingOf('t', modelOf([started, held])),
    );
    expect(told.map(({ status }) => status)).toEqual(['waiting', 'running']);
    expect(told[0]?.openInterrupts).toHaveLength(1);
  });
});

describe('the title', () => {
  verifies('WEB-18', 'a conversation is called by what was said first', () => {
    expect(titleOf(read([started]).turns)).toBe('Invest 2 million');
  });
});
