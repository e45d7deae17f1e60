/** Plays the shipped scenarios for tests, and reads what came of it. */
import { enforceEvents, transformChunks, verifyEvents } from '@ag-ui/client';
import type { BaseEvent } from '@ag-ui/core';
import type { AguiEvent, Message, ResumeEntry, RunAgentInput } from '@triptych/protocol';
import fastJsonPatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import { from, lastValueFrom, toArray } from 'rxjs';
import { readScenarios, scenariosDir } from '../../apps/scripted-agent/src/adapters/scenario-files.js';
import { play } from '../../apps/scripted-agent/src/core/play.js';
import type { Scenario } from '../../apps/scripted-agent/src/core/scenario.js';

export const SCENARIOS = await readScenarios(scenariosDir());
export const said = (content: string): Message[] => [{ id: 'u1', role: 'user', content }];

export const inputFor = (messages: Message[], more: Partial<RunAgentInput> = {}): RunAgentInput => ({
  threadId: 'thread-1',
  runId: 'run-1',
  messages,
  tools: [],
  context: [],
  ...more,
});

export const scenario = (id: string): Scenario => {
  const found = SCENARIOS.get(id);
  if (!found) throw new Error(`no scenario ${id}`);
  return found;
};

export const eventsOf = (id: string, input: RunAgentInput): AguiEvent[] =>
  play(scenario(id), input).flatMap((planned) => ('event' in planned ? [planned.event] : []));

/** What the newest client makes of a stream; throws at the first rule it breaks. */
export const verified = (events: readonly AguiEvent[]): Promise<BaseEvent[]> =>
  lastValueFrom(
    from(events as unknown as BaseEvent[]).pipe(
      enforceEvents(),
      transformChunks(),
      verifyEvents(),
      toArray(),
    ),
  );

export const messagesOf = (events: readonly AguiEvent[]): Message[] =>
  (events.findLast(({ type }) => type === 'MESSAGES_SNAPSHOT')?.messages ?? []) as Message[];

export const askedIn = (
  events: readonly AguiEvent[],
): { id: string; toolCallId: string; responseSchema: object } => {
  const outcome = events.at(-1)?.outcome as {
    interrupts: [{ id: string; toolCallId: string; responseSchema: object }];
  };
  return outcome.interrupts[0];
};

/** The input of the run that answers a question, as a hub composes it from its own log. */
export const resuming = (
  events: readonly AguiEvent[],
  entry: Partial<ResumeEntry>,
  added: Message[] = [],
): RunAgentInput => ({
  ...inputFor([...messagesOf(events), ...added], { runId: 'run-2', state: stateAfter({}, events) }),
  resume: [{ interruptId: askedIn(events).id, status: 'resolved', ...entry }],
});

export const stateAfter = (start: unknown, events: readonly AguiEvent[]): unknown =>
  events.reduce<unknown>((state, event) => {
    if (event.type === 'STATE_SNAPSHOT') return event.snapshot;
    if (event.type !== 'STATE_DELTA') return state;
    return fastJsonPatch.applyPatch(structuredClone(state), event.delta as Operation[], true).newDocument;
  }, start);

export const textOf = (events: readonly AguiEvent[]): string =>
  events
    .map(({ type, delta }) => (type.startsWith('TEXT_MESSAGE') && typeof delta === 'string' ? delta : ''))
    .join('');

export const resultsIn = (events: readonly AguiEvent[]): Record<string, unknown>[] =>
  events.flatMap(({ type, content }) => (type === 'TOOL_CALL_RESULT' ? [JSON.parse(String(content))] : []));

export const cardsIn = (events: readonly AguiEvent[]): { component: string; id: string }[] =>
  events.flatMap(({ name, value }) =>
    name === 'GENERATIVE_UI' ? [value as { component: string; id: string }] : [],
  );
