import {
  emptyModel,
  modelStep,
  type AguiEvent,
  type Message,
  type Model,
  type RunAgentInput,
} from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { catchUpAfter } from './catch-up.js';

const hello: Message = { id: 'm1', role: 'user', content: 'hello' };
const again: Message = { id: 'm2', role: 'user', content: 'again' };
const answer: Message = { id: 'a1', role: 'assistant', content: 'good day' };

const startedWith = (messages: readonly Message[], runId = 'r2'): AguiEvent => ({
  type: 'RUN_STARTED',
  threadId: 't',
  runId,
  input: { threadId: 't', runId, messages, tools: [], context: [] },
});

const modelOf = (events: readonly AguiEvent[]): Model => events.reduce(modelStep, emptyModel());

/** A surface that has seen one run: a question, an answer, a plan, and some state. */
const BEFORE = modelOf([
  startedWith([hello], 'r1'),
  { type: 'TEXT_MESSAGE_START', messageId: 'a1', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a1', delta: 'good day' },
  { type: 'TEXT_MESSAGE_END', messageId: 'a1' },
  { type: 'ACTIVITY_SNAPSHOT', messageId: 'p1', activityType: 'PLAN', content: { steps: 2 } },
  { type: 'STATE_SNAPSHOT', snapshot: { status: 'open', progress: { done: 1, of: 3 } } },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r1' },
]);
const STATE = { progress: { of: 3, done: 1 }, status: 'open' };

const input = (messages: readonly Message[], state?: unknown): RunAgentInput =>
  ({ threadId: 't', runId: 'r2', messages, tools: [], context: [], state }) as unknown as RunAgentInput;

const added = (before: Model, given: RunAgentInput): readonly string[] =>
  catchUpAfter(before, startedWith([again]), given).map(({ type }) => type);

describe('a client is told what it does not know', () => {
  const BOTH = ['MESSAGES_SNAPSHOT', 'STATE_SNAPSHOT'];
  const tables: readonly (readonly [name: string, given: RunAgentInput, told: readonly string[]])[] = [
    ['not who knows all, in whatever order its members come', input([hello, answer, again], STATE), []],
    ['who sends its new message alone', input([again], STATE), BOTH],
    ['who lost the middle', input([hello, again], STATE), BOTH],
    ['whose words differ', input([hello, { ...answer, content: 'Good day' } as Message, again], STATE), BOTH],
    ['whose state differs', input([hello, answer, again], { ...STATE, status: 'closed' }), BOTH],
    ['whose state has more', input([hello, answer, again], { ...STATE, more: 1 }), BOTH],
    ['who says nothing of the state', input([hello, answer, again]), BOTH],
  ];
  for (const [name, given, told] of tables)
    verifies('HUB-25', name, () => expect(added(BEFORE, given)).toEqual(told));

  verifies('HUB-25', 'no state, null and {} are one and the same', () => {
    for (const state of [undefined, null, {}]) expect(added(emptyModel(), input([again], state))).toEqual([]);
  });

  verifies('HUB-25', 'what it is told is what the surface shows, with the new message and the plan', () => {
    const started = startedWith([again]);
    const [messages, state] = catchUpAfter(BEFORE, started, input([again]));
    expect(messages?.messages).toEqual([...BEFORE.messages, again]);
    expect(messages?.messages).toContainEqual(expect.objectContaining({ role: 'activity' }));
    expect(state?.snapshot).toEqual(STATE);
  });

  verifies('HUB-25', 'who speaks 0.0.59 knows what it was told in its words', () => {
    const seen = (content: unknown): Message =>
      ({ id: 'k1', role: 'tool', toolCallId: 'c1', content }) as Message;
    const parts = [
      { type: 'text', text: 'two' },
      { type: 'document', source: { type: 'file', value: 'f' } },
    ];
    const before = modelOf([startedWith([hello, seen(parts)], 'r1')]);
    const old = input([hello, seen('two'), again]);
    expect(added(before, old)).toEqual([]);
    expect(added(before, { ...old, protocolVersion: '1.0' })).toEqual(BOTH);
  });
});
