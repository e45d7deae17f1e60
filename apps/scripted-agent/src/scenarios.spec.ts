/** The scenarios that are shipped: legal streams, all of AG-UI between them, and truth about what was done. */
import { EventType } from '@ag-ui/core';
import { EventSchema } from '@ag-ui/core/schemas';
import type { AguiEvent, Message, ResumeEntry, RunAgentInput } from '@triptych/protocol';
import {
  SCENARIOS,
  said,
  inputFor,
  eventsOf,
  verified,
  messagesOf,
  askedIn,
  resuming,
  stateAfter,
  textOf,
  resultsIn,
  cardsIn,
} from '../../../test/streams/scenario-stage.js';
import { verifies } from '../../../test/spec/verifies.js';

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
