/** Writes the few AG-UI events that are the hub's own words. */
import { RUN_ERRORS } from '@triptych/protocol';
import type { AguiEvent, JsonPatch, Message, RunErrorCode } from '@triptych/protocol';
import type { NewEvent } from './ports.js';

interface RunWords {
  readonly threadId: string;
  readonly runId: string;
  readonly messages: readonly Message[];
  /** Names of the frontend tools this run brought; its owner is shown their calls. */
  readonly tools: readonly string[];
}

/** `RUN_STARTED.input` is the hub's on every surface: what this run added, no tools, no context. */
const inputOf = ({ threadId, runId, messages }: RunWords) => ({
  threadId,
  runId,
  messages,
  tools: [],
  context: [],
});

export const hubEvent = (event: AguiEvent): NewEvent => ({ json: JSON.stringify(event), source: 'hub' });

/** `metadata.hub` is the hub's alone: an agent that writes it would decide what customers are shown. */
const metadataOf = (given: unknown, { tools }: RunWords) => {
  const { hub: _forged, ...rest } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const own = tools.length === 0 ? rest : { ...rest, hub: { frontendTools: tools } };
  return Object.keys(own).length === 0 ? {} : { metadata: own };
};

export const hubRunStarted = (run: RunWords): AguiEvent => ({
  type: 'RUN_STARTED',
  threadId: run.threadId,
  runId: run.runId,
  input: inputOf(run),
  ...metadataOf(undefined, run),
});

export const hubRunError = (code: RunErrorCode, message: string = RUN_ERRORS[code]): AguiEvent => ({
  type: 'RUN_ERROR',
  message,
  code,
});

export const hubStateDelta = (delta: JsonPatch): AguiEvent => ({ type: 'STATE_DELTA', delta });

/** The agent's RUN_STARTED with the hub's input in place of its echo; its own text is kept beside it. */
export const startedByAgent = (
  event: AguiEvent,
  text: string,
  run: RunWords,
): { event: AguiEvent; stored: NewEvent } => {
  const { metadata, ...rest } = event;
  const started = { ...rest, input: inputOf(run), ...metadataOf(metadata, run) } as AguiEvent;
  return { event: started, stored: { json: JSON.stringify(started), source: 'agent', raw: text } };
};
