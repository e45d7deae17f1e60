/** Writes the few AG-UI events that are the hub's own words. */
import { RUN_ERRORS } from '@triptych/protocol';
import type { AguiEvent, JsonPatch, Message, RunErrorCode } from '@triptych/protocol';
import type { NewEvent } from './ports.js';

interface RunWords {
  readonly threadId: string;
  readonly runId: string;
  readonly messages: readonly Message[];
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

export const hubRunStarted = (run: RunWords): AguiEvent => ({
  type: 'RUN_STARTED',
  threadId: run.threadId,
  runId: run.runId,
  input: inputOf(run),
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
  const started: AguiEvent = { ...event, input: inputOf(run) };
  return { event: started, stored: { json: JSON.stringify(started), source: 'agent', raw: text } };
};
