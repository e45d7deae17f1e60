/** Where a scenario is played: the stream written so far, the clock, and what everyone knows by now. */
import type { AguiEvent, Message, RunAgentInput } from '@triptych/protocol';
import { fill, fillWords } from './fill.js';
import type { RunIds } from './run-ids.js';
import type { Scenario, Step } from './scenario.js';

/** One thing that happens, that long after the one before. */
export type Planned =
  | { readonly delayMs: number; readonly event: AguiEvent }
  /** The connection is dropped. */
  | { readonly delayMs: number; readonly cut: true };

export type Moment = { readonly atMs: number } & ({ readonly event: AguiEvent } | { readonly cut: true });

export interface Track {
  nowMs: number;
  readonly moments: Moment[];
}

/** What the thread holds, as the agent knows it. */
export interface Knowledge {
  messages: Message[];
  state: unknown;
  /** Counts what has no name of its own. */
  unnamed: number;
}

export interface Stage {
  readonly scenario: Scenario;
  readonly input: RunAgentInput;
  readonly ids: RunIds;
  readonly known: Knowledge;
  readonly track: Track;
  /** Names that placeholders may use; `state` is always the newest. */
  readonly scope: Record<string, unknown>;
  /** The subagent that acts; the agent itself when absent. */
  readonly owner?: string;
  /** The answered call whose branch is played, in a resumed run. */
  readonly answering?: string;
  /** Where in the messages the talk begins whose question was answered, in a resumed run. */
  readonly repliedAt?: number;
}

/** `over` when the run has ended and nothing may follow. */
export type Flow = 'on' | 'over';
export type PerformSteps = (steps: readonly Step[], stage: Stage) => Flow;
export type Performer<S extends Step> = (step: S, stage: Stage, perform: PerformSteps) => Flow;

export const wait = (stage: Stage, ms: number): void => {
  stage.track.nowMs += ms;
};

/** Events of a subagent carry its id. */
export const emit = (stage: Stage, event: AguiEvent): void => {
  const tagged = stage.owner === undefined ? event : { ...event, subagentRunId: stage.owner };
  emitUntagged(stage, tagged);
};

export const emitUntagged = (stage: Stage, event: AguiEvent): void => {
  stage.track.moments.push({ atMs: stage.track.nowMs, event });
};

/** The last event of a run. */
export const emitEnd = (stage: Stage, event: AguiEvent): Flow => {
  const { usage } = stage.scenario;
  emitUntagged(stage, usage ? { ...event, usage } : event);
  return 'over';
};

export const nextName = (stage: Stage): string => String((stage.known.unnamed += 1));

const scopeNow = (stage: Stage): Record<string, unknown> => ({ ...stage.scope, state: stage.known.state });

export const filled = (stage: Stage, template: unknown): unknown => fill(template, scopeNow(stage));
export const worded = (stage: Stage, template: string): string => fillWords(template, scopeNow(stage));

export const learn = (stage: Stage, message: Message): void => {
  const tagged = stage.owner === undefined ? message : { ...message, subagentRunId: stage.owner };
  stage.known.messages = [...stage.known.messages, tagged];
};

/** Which came first is told by time; at one time, by the order in which it was written. */
export const inOrder = (moments: readonly Moment[]): Planned[] => {
  const sorted = moments.toSorted((a, b) => a.atMs - b.atMs);
  return sorted.map(({ atMs, ...rest }, at) => ({ delayMs: atMs - (sorted[at - 1]?.atMs ?? 0), ...rest }));
};
