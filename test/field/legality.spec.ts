/** Proves, against the whole product, that faults other people's streams had in the field are no faults of ours. */
import type { AguiEvent, Message, TaskView } from '@triptych/protocol';
import { AMELIA, MO, TOVE } from '@triptych/testkit';
import { verifies } from '../spec/verifies.js';
import { FieldStage, STAGE_MS, type Seen } from './stage.js';
import { frame, type Answer } from './told-agent.js';
import { ends, finished, opens, saidIn, says, started } from './words.js';

let stage: FieldStage;
beforeAll(async () => {
  stage = await FieldStage.start();
}, STAGE_MS);
afterAll(() => stage.stop(), STAGE_MS);

const calls = (toolCallId: string, toolCallName = 'book', more: object = {}): AguiEvent => ({
  type: 'TOOL_CALL_START',
  toolCallId,
  toolCallName,
  ...more,
});
const args = (toolCallId: string, delta: string): AguiEvent => ({
  type: 'TOOL_CALL_ARGS',
  toolCallId,
  delta,
});
const called = (toolCallId: string): AguiEvent => ({ type: 'TOOL_CALL_END', toolCallId });

/** Plays one run of the thread, wrapped in its start. */
const playRun = (thread: string, events: readonly AguiEvent[]): Promise<Seen> =>
  stage.play(thread, [started(thread), ...events]);

const surfacesOf = ({ live }: Seen) => Object.values(live);
const codes = (seen: Seen) => surfacesOf(seen).map(({ model }) => model.run?.error?.code);
const callsIn = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
const refusals = ({ log }: Seen) => log.filter(({ refused }) => refused === true).map(({ rule }) => rule);

/** The run ended as a violation for everybody, nothing is left open, and the operator is told why. */
const expectViolation = (seen: Seen, rule: string): void => {
  expect(codes(seen)).toEqual(['hub/protocol-violation', 'hub/protocol-violation', 'hub/protocol-violation']);
  for (const { model } of surfacesOf(seen)) expect(model.open).toEqual([]);
  expect(refusals(seen)).toEqual([rule]);
};

const goesOn = async (thread: string, run = 'run-2'): Promise<void> => {
  stage.agent.tell(thread, [started(thread, run), finished(thread, run)]);
  const events = await stage.run(thread, run);
  expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', runId: run });
};

describe('streams that end too early', () => {
  const cuts: readonly (readonly [string, (thread: string) => Answer])[] = [
    ['in a message', (t) => [started(t), opens('m'), says('m', 'Your refund of')]],
    ['right after its start', (t) => [started(t)]],
    ['before its start', () => []],
    ['in a tool call', (t) => [started(t), calls('c'), args('c', '{"a')]],
    ['in a step', (t) => [started(t), { type: 'STEP_STARTED', stepName: 'risk' }]],
    [
      'in a subagent',
      (t) => [started(t), { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'law' }, opens('m')],
    ],
    [
      'in an event',
      (t) => (response) => void response.end(frame(started(t)) + frame(says('m', 'x')).slice(0, 20)),
    ],
    [
      'in a character',
      (t) => (response) =>
        void response.end(Buffer.concat([Buffer.from(`${frame(started(t))}data: "`), Buffer.from([0xf0])])),
    ],
    [
      'with its connection',
      (t) => (response) => void response.write(frame(started(t)), () => response.destroy()),
    ],
  ];
  for (const [nth, [where, answer]] of cuts.entries())
    verifies(
      'PRO-15',
      `SL-02: an answer that ends ${where} is told as truncated, and the thread goes on`,
      async () => {
        const thread = `sl-02-${nth}`;
        const seen = await stage.play(thread, answer(thread));
        expect(codes(seen)).toEqual(Array(3).fill('hub/upstream-truncated'));
        for (const { model } of surfacesOf(seen)) expect(model.open).toEqual([]);
        expect(seen.log.at(-1)).toMatchObject({ source: 'hub', event: { type: 'RUN_ERROR' } });
        await goesOn(thread);
      },
    );

  verifies('PRO-15', 'SL-02: and so is a further run in the same answer', async () => {
    const thread = 'sl-02-further';
    const first = [started(thread), finished(thread)];
    const seen = await stage.play(thread, [...first, started(thread, 'other'), opens('m')]);
    expect(codes(seen)).toEqual(Array(3).fill('hub/upstream-truncated'));
    const token = await stage.product.token(MO);
    const run = (id: string) =>
      stage.product.json<{ status: string }>(`/v1/threads/${thread}/runs/${id}`, { token });
    expect([(await run('run-1')).status, (await run('other')).status]).toEqual(['success', 'failed']);
  });
});

describe('ids that are not the run’s own', () => {
  const foreign: readonly (readonly [string, string, (thread: string) => readonly AguiEvent[]])[] = [
    ['another run’s end', 'wrong-run', (t) => [started(t), finished(t, 'run-9')]],
    ['another thread’s end', 'wrong-thread', (t) => [started(t), finished('sl-21-victim')]],
    ['another thread’s start', 'wrong-thread', () => [started('sl-21-victim')]],
    ['another run’s start', 'wrong-run', (t) => [started(t, 'run-9')]],
    [
      'another run’s error',
      'wrong-run',
      (t) => [started(t), { type: 'RUN_ERROR', message: 'x', runId: 'run-9' }],
    ],
    [
      'another thread’s error',
      'wrong-thread',
      (t) => [started(t), { type: 'RUN_ERROR', message: 'x', threadId: 'sl-21-victim' }],
    ],
    [
      'a second run of another thread',
      'wrong-thread',
      (t) => [started(t), finished(t), started('sl-21-victim', 'run-2')],
    ],
  ];
  verifies('PRO-5', 'SL-21: none of them ends or writes to what is not the agent’s', async () => {
    const victim = await playRun('sl-21-victim', [finished('sl-21-victim')]);
    for (const [nth, [, rule, events]] of foreign.entries()) {
      const thread = `sl-21-${nth}`;
      const seen = await stage.play(thread, events(thread));
      expect(refusals(seen)).toEqual([rule]);
      await goesOn(thread, `next-${nth}`);
    }
    expect(await stage.log('sl-21-victim')).toEqual(victim.log);
  });
});

describe('what is open at once', () => {
  verifies('PRO-10', 'SL-04: texts and several tool calls interleave', async () => {
    const seen = await playRun('sl-04', [
      calls('a', 'plus'),
      calls('b', 'minus'),
      args('a', '{"n":'),
      opens('m'),
      args('b', '{"n":'),
      says('m', 'on it'),
      args('a', '1}'),
      args('b', '2}'),
      ends('m'),
      called('b'),
      called('a'),
      finished('sl-04'),
    ]);
    for (const { model } of surfacesOf(seen)) {
      expect(callsIn(model.messages).map((call) => [call.function.name, call.function.arguments])).toEqual([
        ['plus', '{"n":1}'],
        ['minus', '{"n":2}'],
      ]);
      expect(saidIn(model)).toBe('on it');
    }
    expect(seen.log.map(({ event }) => event)).toHaveLength(13);
  });

  verifies('PRO-10', 'SL-15: reasoning begins while a message is open', async () => {
    const thinks = [
      { type: 'REASONING_START', messageId: 'q' },
      { type: 'REASONING_MESSAGE_START', messageId: 'q', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'q', delta: 'hm' },
      { type: 'REASONING_MESSAGE_END', messageId: 'q' },
    ];
    const stops = { type: 'REASONING_END', messageId: 'q' };
    const thread = 'sl-15';
    const seen = await playRun(thread, [
      ...[opens('m'), says('m', 'Let me see')],
      ...[...thinks, stops, ends('m'), finished(thread)],
    ]);
    expect(codes(seen)).toEqual([undefined, undefined, undefined]);
    for (const { model } of surfacesOf(seen)) expect(saidIn(model)).toBe('Let me seehm');
    const never = await playRun('sl-15-open', [...thinks, finished('sl-15-open')]);
    expectViolation(never, 'open-at-end');
  });

  const left: readonly (readonly [string, readonly AguiEvent[]])[] = [
    ['a message', [opens('m'), says('m', 'one moment'), calls('c'), args('c', '{}'), called('c')]],
    ['a tool call', [calls('c'), args('c', '{}')]],
    ['a step', [{ type: 'STEP_STARTED', stepName: 'risk' }]],
    ['a subagent', [{ type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'law' }]],
  ];
  for (const [nth, [what, events]] of left.entries())
    verifies(
      'PRO-6',
      `SL-03: a run that finishes over ${what} still open is refused, and nobody is left waiting`,
      async () => {
        const thread = `sl-03-${nth}`;
        expectViolation(await playRun(thread, [...events, finished(thread)]), 'open-at-end');
        await goesOn(thread);
      },
    );

  verifies('PRO-10', 'SL-06: a call that begins twice is one call, told once', async () => {
    const twice = await playRun('sl-06', [calls('a', 'pay'), args('a', '{"to"'), calls('a', 'pay')]);
    expectViolation(twice, 'already-open');
    for (const { model } of surfacesOf(twice)) expect(callsIn(model.messages)).toHaveLength(1);
    const again = [calls('a', 'pay'), args('a', '{}'), called('a')];
    const after = await playRun('sl-06-after', [...again, ...again, finished('sl-06-after')]);
    for (const { model } of surfacesOf(after)) {
      const ids = callsIn(model.messages).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});

describe('ids of two kinds', () => {
  const activity = (messageId: string): AguiEvent => ({
    type: 'ACTIVITY_SNAPSHOT',
    messageId,
    activityType: 'plan',
    content: { step: 1 },
  });
  const spoken = [opens('m'), says('m', 'hello'), ends('m')];

  verifies('PRO-13', 'SL-11: a message is never written into an activity, nor over one', async () => {
    const thread = 'sl-11';
    const seen = await playRun(thread, [activity('m'), ...spoken]);
    expectViolation(seen, 'id-clash');
    for (const { model } of surfacesOf(seen))
      expect(model.messages).toMatchObject([{ id: 'm', role: 'activity', content: { step: 1 } }]);
    const nextRun = await stage.play('sl-11-runs', [
      ...[started('sl-11-runs'), activity('m'), finished('sl-11-runs')],
      ...[started('sl-11-runs', 'b'), ...spoken],
    ]);
    expectViolation(nextRun, 'id-clash');
  });

  verifies('PRO-13', 'SL-11: an activity never takes the place of a message being written', async () => {
    const seen = await playRun('sl-11-over', [...spoken.slice(0, 2), activity('m')]);
    expectViolation(seen, 'id-clash');
    for (const { model } of surfacesOf(seen)) expect(saidIn(model)).toBe('hello');
  });
});

describe('what comes after the end', () => {
  verifies('PRO-4', 'SL-16: a snapshot after the end changes nothing, and the operator is told', async () => {
    const thread = 'sl-16';
    const restated = { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'assistant', content: 'no' }] };
    const spoken = [opens('m'), says('m', 'hi'), ends('m')];
    const seen = await playRun(thread, [...spoken, finished(thread), restated]);
    for (const { model } of surfacesOf(seen)) expect(saidIn(model)).toBe('hi');
    expect(codes(seen)).toEqual([undefined, undefined, undefined]);
    expect(refusals(seen)).toEqual(['run-over']);
    await goesOn(thread);
  });

  verifies('PRO-4', 'SL-17: a cancelled run stays cancelled, whatever its agent still says', async () => {
    const thread = 'sl-17';
    const over = finished(thread, 'run-1', { outcome: { type: 'cancelled' } });
    const call = [calls('a', 'build'), args('a', '{"x":1}'), called('a')];
    const result = { type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'a', content: 'built' };
    const seen = await playRun(thread, [...call, over, result, opens('m')]);
    for (const { model } of surfacesOf(seen)) {
      expect(model.run?.finished).toMatchObject({ outcome: { type: 'cancelled' } });
      expect(saidIn(model)).not.toContain('built');
      expect(model.open).toEqual([]);
    }
    expect(refusals(seen)).toEqual(['run-over']);
    const token = await stage.product.token(AMELIA);
    expect(await stage.product.json(`/v1/threads/${thread}/runs/run-1`, { token })).toMatchObject({
      status: 'cancelled',
    });
    expect(await stage.product.json(`/v1/threads/${thread}`, { token })).toMatchObject({ status: 'idle' });
  });
});

describe('who says what', () => {
  verifies('PRO-11', 'SL-20: a subagent’s words never stand in another’s message', async () => {
    const law = { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'law' };
    const seen = await playRun('sl-20', [law, opens('m'), says('m', 'we accept', { subagentRunId: 's' })]);
    expectViolation(seen, 'wrong-owner');
    for (const { model } of surfacesOf(seen)) expect(saidIn(model)).toBe('');
    const own = { ...opens('m'), subagentRunId: 's' };
    const other = { type: 'SUBAGENT_STARTED', subagentRunId: 'z', name: 'tax' };
    const between = await playRun('sl-20-two', [law, other, own, says('m', 'x', { subagentRunId: 'z' })]);
    expectViolation(between, 'wrong-owner');
  });

  verifies('PRO-7', 'SL-09: members that are null are members that are not there', async () => {
    const thread = 'sl-09';
    const events = [
      calls('a', 'look', { parentMessageId: null, rawEvent: null }),
      args('a', '{}'),
      called('a'),
      finished(thread, 'run-1', { outcome: null, result: null }),
    ];
    const seen = await playRun(thread, events);
    expect(codes(seen)).toEqual([undefined, undefined, undefined]);
    for (const { events: shown } of surfacesOf(seen))
      expect(JSON.stringify(shown)).not.toContain('parentMessageId');
    expect(JSON.stringify(seen.log)).not.toContain('outcome');
    const tagged = await playRun('sl-09-tag', [calls('a', 'look', { subagentRunId: null })]);
    expectViolation(tagged, 'malformed');
  });
});

describe('arguments that nobody can read', () => {
  const unreadable = ['{"q":"alpha"}{"q":"beta"}', '{"q":', '{"n":1,"n":2}', '{"n":9007199254740993}'];
  verifies('ACC-27', 'SL-05: cannot be approved by anyone, and are shown as they came', async () => {
    for (const [nth, text] of unreadable.entries()) {
      const thread = `sl-05-${nth}`;
      const interrupts = [{ id: 'i', reason: 'tool_call', toolCallId: 'a' }];
      const events = [calls('a', 'pay'), args('a', text), called('a')];
      const seen = await playRun(thread, [
        ...events,
        finished(thread, 'run-1', { outcome: { type: 'interrupt', interrupts } }),
      ]);
      expect(codes(seen)).toEqual([undefined, undefined, undefined]);
      const operator = await stage.product.token(MO);
      const { items } = await stage.product.json<{ items: TaskView[] }>(`/v1/approvals?threadId=${thread}`, {
        token: operator,
      });
      const [task] = items;
      expect(task?.proposal).toMatchObject({ toolName: 'pay', argsText: text });
      expect(task?.may).not.toContain('approve');
      for (const { model } of surfacesOf(seen))
        expect(callsIn(model.messages)[0]?.function.arguments).toBe(text);
      for (const person of [MO, TOVE]) {
        const token = await stage.product.token(person);
        const { taskId, proposalHash, rev } = task as TaskView;
        const decided = await stage.product.fetch(`/v1/approvals/${taskId}/decide`, {
          token,
          headers: { 'if-match': `"${rev}"` },
          body: { verb: 'approve', proposalHash },
        });
        expect(decided.ok).toBe(false);
      }
    }
  });
});
