/** The planner with its subagents, and the agents that fail on purpose. */
import type { AguiEvent, Message, ResumeEntry } from '@triptych/protocol';
import {
  said,
  inputFor,
  scenario,
  eventsOf,
  verified,
  messagesOf,
  askedIn,
  resuming,
  stateAfter,
  textOf,
  resultsIn,
} from '../../../test/streams/scenario-stage.js';
import { verifies } from '../../../test/spec/verifies.js';
import { play } from './core/play.js';

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

describe('payout', () => {
  const events = eventsOf('payout', inputFor(said('Pay S-300 1,500 euros')));
  const { toolCallId } = events.find(({ type }) => type === 'TOOL_CALL_START') as unknown as {
    toolCallId: string;
  };
  const text = events.flatMap(({ type, delta }) => (type === 'TOOL_CALL_ARGS' ? [delta] : [])).join('');
  const calling = {
    id: toolCallId,
    role: 'assistant',
    toolCalls: [{ id: toolCallId, type: 'function', function: { name: 'sendPayout', arguments: text } }],
  };
  const goesOn = (content: string, more: object = {}) => {
    const answer = { id: 'a', role: 'tool', toolCallId, content, ...more };
    const messages = [...said('Pay S-300 1,500 euros'), calling, answer] as Message[];
    return eventsOf('payout', inputFor(messages, { runId: 'run-2' }));
  };

  verifies('AGT-30', 'calls its client’s tool and asks nobody', async () => {
    await verified(events);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(JSON.stringify(events)).not.toContain('interrupt');
  });

  verifies('AGT-30', 'goes on with the tool message its run begins with, and only a yes is one', async () => {
    const yes = goesOn('{"approved":true}');
    await verified(yes);
    expect(textOf(yes)).toContain('Paid.');
    for (const no of [
      goesOn('{"approved":false,"reason":"No."}'),
      goesOn('{"approved":true}', { error: 'cancelled' }),
      goesOn('Paid!'),
    ])
      expect(textOf(no)).toContain('Nothing was paid');
  });
});
