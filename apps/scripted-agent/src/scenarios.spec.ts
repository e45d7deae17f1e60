/** The scenarios that are shipped: legal streams, all of AG-UI between them, and truth about what was done. */
import { enforceEvents, transformChunks, verifyEvents } from '@ag-ui/client';
import { EventType } from '@ag-ui/core';
import type { BaseEvent } from '@ag-ui/core';
import { EventSchema } from '@ag-ui/core/schemas';
import type { AguiEvent, Message, ResumeEntry, RunAgentInput } from '@triptych/protocol';
import fastJsonPatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import { from, lastValueFrom, toArray } from 'rxjs';
import { verifies } from '../../../test/spec/verifies.js';
import { readScenarios, scenariosDir } from './adapters/scenario-files.js';
import { play } from './core/play.js';
import type { Scenario } from './core/scenario.js';

const SCENARIOS = await readScenarios(scenariosDir());
const said = (content: string): Message[] => [{ id: 'u1', role: 'user', content }];

const inputFor = (messages: Message[], more: Partial<RunAgentInput> = {}): RunAgentInput => ({
  threadId: 'thread-1',
  runId: 'run-1',
  messages,
  tools: [],
  context: [],
  ...more,
});

const scenario = (id: string): Scenario => {
  const found = SCENARIOS.get(id);
  if (!found) throw new Error(`no scenario ${id}`);
  return found;
};

const eventsOf = (id: string, input: RunAgentInput): AguiEvent[] =>
  play(scenario(id), input).flatMap((planned) => ('event' in planned ? [planned.event] : []));

/** What the newest client makes of a stream; throws at the first rule it breaks. */
const verified = (events: readonly AguiEvent[]): Promise<BaseEvent[]> =>
  lastValueFrom(
    from(events as unknown as BaseEvent[]).pipe(
      enforceEvents(),
      transformChunks(),
      verifyEvents(),
      toArray(),
    ),
  );

const messagesOf = (events: readonly AguiEvent[]): Message[] =>
  (events.findLast(({ type }) => type === 'MESSAGES_SNAPSHOT')?.messages ?? []) as Message[];

const askedIn = (
  events: readonly AguiEvent[],
): { id: string; toolCallId: string; responseSchema: object } => {
  const outcome = events.at(-1)?.outcome as {
    interrupts: [{ id: string; toolCallId: string; responseSchema: object }];
  };
  return outcome.interrupts[0];
};

/** The input of the run that answers a question, as a hub composes it from its own log. */
const resuming = (
  events: readonly AguiEvent[],
  entry: Partial<ResumeEntry>,
  added: Message[] = [],
): RunAgentInput => ({
  ...inputFor([...messagesOf(events), ...added], { runId: 'run-2', state: stateAfter({}, events) }),
  resume: [{ interruptId: askedIn(events).id, status: 'resolved', ...entry }],
});

const stateAfter = (start: unknown, events: readonly AguiEvent[]): unknown =>
  events.reduce<unknown>((state, event) => {
    if (event.type === 'STATE_SNAPSHOT') return event.snapshot;
    if (event.type !== 'STATE_DELTA') return state;
    return fastJsonPatch.applyPatch(structuredClone(state), event.delta as Operation[], true).newDocument;
  }, start);

const textOf = (events: readonly AguiEvent[]): string =>
  events
    .map(({ type, delta }) => (type.startsWith('TEXT_MESSAGE') && typeof delta === 'string' ? delta : ''))
    .join('');

const resultsIn = (events: readonly AguiEvent[]): Record<string, unknown>[] =>
  events.flatMap(({ type, content }) => (type === 'TOOL_CALL_RESULT' ? [JSON.parse(String(content))] : []));

const cardsIn = (events: readonly AguiEvent[]): { component: string; id: string }[] =>
  events.flatMap(({ name, value }) =>
    name === 'GENERATIVE_UI' ? [value as { component: string; id: string }] : [],
  );

const QUESTIONS: readonly [string, string][] = [
  ['onboarding', 'I want to invest 2 million euros'],
  ['refund', 'Refund €489 for order N-20118'],
  ['trip-planner', 'A weekend in Porto for at most 2,000 euros'],
];
const ANSWERS: readonly [string, Partial<ResumeEntry>][] = [
  ['approved', { payload: { approved: true } }],
  ['rejected with a reason', { payload: { approved: false, reason: 'The source of wealth is not proven.' } }],
  ['rejected', { payload: { approved: false } }],
  ['cancelled', { status: 'cancelled' }],
  ['no payload', {}],
  ['another payload', { payload: 'yes' }],
];

/** Every stream that the shipped scenarios make here, by name. */
const streams = (): Map<string, { id: string; input: RunAgentInput; events: AguiEvent[] }> => {
  const all = new Map<string, { id: string; input: RunAgentInput; events: AguiEvent[] }>();
  const add = (label: string, id: string, input: RunAgentInput): AguiEvent[] => {
    const events = eventsOf(id, input);
    all.set(`${id}: ${label}`, { id, input, events });
    return events;
  };
  for (const id of SCENARIOS.keys()) add('a plain hello', id, inputFor(said('hello')));
  for (const text of ['1,200,000 please', '€900k']) add(text, 'onboarding', inputFor(said(text)));
  for (const [id, text] of QUESTIONS) {
    const asked = add(text, id, inputFor(said(text)));
    for (const [label, entry] of ANSWERS) add(label, id, resuming(asked, entry));
    add('an answer to nothing', id, inputFor([], { resume: [{ interruptId: 'x', status: 'resolved' }] }));
  }
  return all;
};

describe('shipped scenarios', () => {
  for (const [label, { events, input }] of streams())
    verifies('AGT-20', `${label} is a legal stream`, async () => {
      for (const event of events) expect(EventSchema.safeParse(event).error).toBeUndefined();
      await verified(events);
      expect(events[0]).toMatchObject({ type: 'RUN_STARTED', threadId: input.threadId, runId: input.runId });
      expect(() => stateAfter(input.state ?? {}, events)).not.toThrow();
      expect(JSON.stringify(events)).not.toContain('{{');
    });

  verifies('AGT-21', 'use every event of AG-UI 1.0', () => {
    const used = new Set([...streams().values()].flatMap(({ events }) => events.map(({ type }) => type)));
    expect([...used].toSorted()).toEqual(
      Object.values(EventType)
        .filter((type) => !type.startsWith('THINKING'))
        .toSorted(),
    );
    expect(used.size).toBe(31);
  });

  verifies('AGT-22', 'say the same to the same input, and name no tool in an id', () => {
    for (const { id, input, events } of streams().values()) {
      expect(eventsOf(id, input)).toEqual(events);
      const ids = JSON.stringify(events.map(({ messageId, toolCallId }) => [messageId, toolCallId]));
      expect(ids).not.toMatch(/openAccount|issueRefund|bookTrip|search|verify|assess|route/i);
    }
    const first = eventsOf('cards', inputFor(said('hello')));
    const later = eventsOf('cards', inputFor(said('hello'), { runId: 'run-9' }));
    expect(cardsIn(later).map(({ id }) => id)).toEqual(cardsIn(first).map(({ id }) => id));
    expect(later[1]?.messageId).not.toBe(first[1]?.messageId);
  });

  verifies('AGT-23', 'restate exactly what they said before they ask', async () => {
    for (const [id, text] of QUESTIONS) {
      const events = eventsOf(id, inputFor(said(text)));
      const last = events.slice(-3).map(({ type }) => type);
      expect(last).toEqual(['STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
      expect(events.at(-3)?.snapshot).toEqual(stateAfter({}, events.slice(0, -3)));
      const texts = new Map<unknown, string>();
      for (const event of (await verified(events)) as unknown as AguiEvent[])
        if (event.type === 'TEXT_MESSAGE_CONTENT')
          texts.set(event.messageId, (texts.get(event.messageId) ?? '') + String(event.delta));
      const restated = messagesOf(events).filter(({ role, content }) => role === 'assistant' && content);
      expect(new Map(restated.map(({ id: messageId, content }) => [messageId, content]))).toEqual(texts);
    }
  });
});

describe('onboarding', () => {
  const asked = eventsOf('onboarding', inputFor(said('I want to invest 2 million')));

  it('opens a small account itself', () => {
    const events = eventsOf('onboarding', inputFor(said('€900k')));
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', result: { accountId: expect.any(String) } });
    expect(resultsIn(events).at(-1)).toMatchObject({ status: 'opened' });
    expect(cardsIn(events).map(({ component }) => component)).toEqual([
      'identity-result',
      'allocation',
      'growth',
      'account-opened',
    ]);
    expect(events.filter(({ type }) => type === 'STEP_FINISHED').map(({ stepName }) => stepName)).toEqual([
      'identity',
      'risk',
      'routing',
      'opening',
    ]);
  });

  it('asks from 1.5 million on, with the arguments as JSON and a schema for edits', () => {
    expect(eventsOf('onboarding', inputFor(said('1.5 million'))).at(-1)).toMatchObject({
      outcome: { type: 'interrupt' },
    });
    const { toolCallId, responseSchema } = askedIn(asked);
    const args = asked.filter((event) => event.type === 'TOOL_CALL_ARGS' && event.toolCallId === toolCallId);
    expect(JSON.parse(args.map(({ delta }) => delta).join(''))).toMatchObject({
      accountId: expect.any(String),
      amount: 2_000_000,
      currency: 'EUR',
      mandate: 'balanced',
      fundingIban: expect.any(String),
      taxId: expect.any(String),
      fee: 0.85,
      sourceOfWealth: expect.any(String),
    });
    expect(responseSchema).toMatchObject({
      required: ['approved'],
      properties: { editedArgs: { type: 'object' } },
    });
    expect(resultsIn(asked).some(({ status }) => status === 'opened')).toBe(false);
  });

  it('keeps forty facts of an application, and what the customer wrote', () => {
    const contact = { email: 'me@example.com' };
    const state = stateAfter(
      {},
      eventsOf('onboarding', inputFor(said('2 million'), { state: { application: { contact } } })),
    );
    const { application } = state as { application: object };
    expect(Object.keys(application)).toHaveLength(40);
    expect(application).toMatchObject({ contact });
  });

  it('asks for the sum when none is named, and opens no second account', () => {
    expect(textOf(eventsOf('onboarding', inputFor(said('hello'))))).toContain('How much');
    const state = { application: { accountId: 'A-1' } };
    expect(textOf(eventsOf('onboarding', inputFor(said('2 million'), { state })))).toContain(
      'A-1 is open already',
    );
  });

  it('carries out what was approved, on the call that was asked about', () => {
    const events = eventsOf('onboarding', resuming(asked, { payload: { approved: true } }));
    const result = events.find(({ type }) => type === 'TOOL_CALL_RESULT');
    expect(result?.toolCallId).toBe(askedIn(asked).toolCallId);
    expect(events.some(({ type }) => type === 'TOOL_CALL_START')).toBe(false);
    expect(stateAfter(stateAfter({}, asked), events)).toMatchObject({
      application: { status: 'Open', accountId: expect.any(String) },
    });
  });

  it('takes edited arguments whole, and shows them', () => {
    const editedArgs = {
      accountId: 'A-7',
      amount: 1_000_000,
      currency: 'CHF',
      mandate: 'defensive',
      fundingIban: 'x',
      fee: 0.6,
    };
    const events = eventsOf('onboarding', resuming(asked, { payload: { approved: true, editedArgs } }));
    expect(resultsIn(events)).toEqual([
      {
        status: 'opened',
        accountId: 'A-7',
        amount: 1_000_000,
        currency: 'CHF',
        mandate: 'defensive',
        fee: 0.6,
      },
    ]);
    const calls = messagesOf(events).flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []) : [],
    );
    expect(calls.find(({ id }) => id === askedIn(asked).toolCallId)?.function.arguments).toBe(
      JSON.stringify(editedArgs),
    );
    expect(textOf(events)).toContain('CHF\u00a01,000,000');
    expect(stateAfter(stateAfter({}, asked), events)).toMatchObject({
      application: { amount: 1_000_000, mandate: 'defensive', fee: 0.6 },
    });
  });
});

describe('an answer', () => {
  verifies('AGT-25', 'without approved: true never does what was asked', () => {
    const both: Partial<ResumeEntry>[] = [
      { payload: { approved: 'true' } },
      { payload: null },
      { payload: [true] },
    ];
    for (const [id, text] of QUESTIONS) {
      const asked = eventsOf(id, inputFor(said(text)));
      const refusals = ANSWERS.filter(([label]) => label !== 'approved').map(([, entry]) => entry);
      for (const entry of [...refusals, ...both]) {
        const events = eventsOf(id, resuming(asked, entry));
        expect(resultsIn(events).map(({ status }) => status)).toEqual([
          expect.stringMatching(/^(declined|cancelled)$/),
        ]);
        expect(cardsIn(events)).toEqual([]);
        expect(textOf(events)).toMatch(/nothing was|not book/i);
      }
    }
  });

  verifies('AGT-25', 'given twice and differently does not either', () => {
    const asked = eventsOf('onboarding', inputFor(said('2 million')));
    const input = resuming(asked, { payload: { approved: true } });
    const torn = {
      ...input,
      resume: [...(input.resume ?? []), { interruptId: askedIn(asked).id, status: 'cancelled' as const }],
    };
    expect(resultsIn(eventsOf('onboarding', torn))).toEqual([{ status: 'cancelled' }]);
  });

  it('tells the customer the reason of a no', () => {
    const asked = eventsOf('onboarding', inputFor(said('2 million')));
    const events = eventsOf(
      'onboarding',
      resuming(asked, { payload: { approved: false, reason: 'Too soon.' } }),
    );
    expect(textOf(events)).toContain('“Too soon.”');
    expect(resultsIn(events)).toEqual([{ status: 'declined', reason: 'Too soon.' }]);
    expect(events.filter(({ type }) => type === 'STEP_FINISHED')).toEqual([
      { type: 'STEP_FINISHED', stepName: 'review' },
    ]);
    expect(stateAfter(stateAfter({}, asked), events)).toMatchObject({
      application: { status: 'Declined', progress: { now: null } },
    });
  });

  verifies('AGT-24', 'that is repeated carries out only what is not done yet', () => {
    for (const [id, text] of QUESTIONS) {
      const asked = eventsOf(id, inputFor(said(text)));
      const answer = { payload: { approved: true } };
      const whole = eventsOf(id, resuming(asked, answer));
      const given = whole.find(({ type }) => type === 'TOOL_CALL_RESULT')!;
      const tool: Message = {
        id: String(given.messageId),
        role: 'tool',
        toolCallId: String(given.toolCallId),
        content: String(given.content),
      };
      const again = eventsOf(id, { ...resuming(asked, answer, [tool]), runId: 'run-3' });
      expect(resultsIn(again)).toEqual([]);
      expect(textOf(again)).toBe(textOf(whole));
      const closing: Message = { id: 'closing', role: 'assistant', content: textOf(whole) };
      const third = eventsOf(id, { ...resuming(asked, answer, [tool, closing]), runId: 'run-4' });
      expect(textOf(third)).toBe('');
      expect(third.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    }
  });

  it('to nothing does nothing', () => {
    const events = eventsOf(
      'onboarding',
      inputFor([], {
        resume: [{ interruptId: 'ask-unknown', status: 'resolved', payload: { approved: true } }],
      }),
    );
    expect(resultsIn(events)).toEqual([]);
    expect(textOf(events)).toContain('nothing was done');
  });
});

describe('trip-planner', () => {
  const trip = { city: 'Rome', month: 'June' };
  const asked = eventsOf('trip-planner', inputFor(said('A weekend away')));

  it('asks the customer where to, about no call, and plans with what they answer', async () => {
    expect(asked.at(-1)).toMatchObject({
      outcome: { type: 'interrupt', interrupts: [{ reason: 'input_required' }] },
    });
    expect(askedIn(asked).toolCallId).toBeUndefined();
    const events = eventsOf('trip-planner', resuming(asked, { payload: trip }));
    await verified(events);
    expect(stateAfter({}, events)).toMatchObject({ trip: { ...trip, status: 'waiting' } });
    expect(events.at(-1)).toMatchObject({ outcome: { interrupts: [{ reason: 'tool_call' }] } });
  });

  verifies('AGT-24', 'says nothing twice when an answer is repeated', () => {
    const first = eventsOf('trip-planner', resuming(asked, { payload: trip }));
    const input = resuming(asked, { payload: trip });
    const texts = (events: readonly AguiEvent[]) => new Set(messagesOf(events).map(({ content }) => content));
    const again = eventsOf('trip-planner', { ...input, messages: messagesOf(first), runId: 'run-3' });
    expect(texts(again)).toEqual(texts(first));
    expect(textOf(again)).toBe('');
  });

  verifies('AGT-25', 'plans nothing without an answer', async () => {
    for (const entry of [{ status: 'cancelled' }, { payload: 'Rome' }, {}] as Partial<ResumeEntry>[]) {
      const events = eventsOf('trip-planner', resuming(asked, entry));
      await verified(events);
      expect(textOf(events)).toContain('nothing was planned');
      expect(resultsIn(events)).toEqual([]);
    }
  });

  it('interleaves two subagents that use equal step names', () => {
    const events = eventsOf('trip-planner', inputFor(said('Porto')));
    const owners = events.flatMap(({ subagentRunId, type }) =>
      subagentRunId && type !== 'SUBAGENT_STARTED' ? [subagentRunId] : [],
    );
    const turns = owners.filter((owner, at) => owner !== owners[at - 1]);
    expect(turns.length).toBeGreaterThan(6);
    expect(
      events.filter(({ type, stepName }) => type === 'STEP_STARTED' && stepName === 'search'),
    ).toHaveLength(3);
    expect(events.some(({ parentSubagentRunId }) => parentSubagentRunId)).toBe(true);
  });
});

describe('fails and cut-off', () => {
  it('leave things open and say so, or do not', () => {
    const failed = eventsOf('fails', inputFor(said('hello')));
    expect(failed.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'model_overloaded' });
    const count = (type: string): number => failed.filter((event) => event.type === type).length;
    for (const item of ['TEXT_MESSAGE', 'TOOL_CALL'])
      expect(count(`${item}_START`)).toBeGreaterThan(count(`${item}_END`));
    expect(count('STEP_STARTED')).toBeGreaterThan(count('STEP_FINISHED'));
    expect(play(scenario('cut-off'), inputFor(said('hello'))).at(-1)).toMatchObject({ cut: true });
  });
});
