/** Composes what an agent is sent: the hub's own history and state, never a client's. */
import { applyPatch, PROTOCOL_VERSION } from '@triptych/protocol';
import type { JsonPatch, Message, ResumeEntry, RunAgentInput } from '@triptych/protocol';
import type { Intake } from './intake.js';

interface Composition {
  readonly threadId: string;
  readonly runId: string;
  readonly history: { readonly messages: readonly Message[]; readonly state: unknown };
  readonly intake: Intake;
  /** The state after what the client was allowed to write. */
  readonly state: unknown;
  readonly resume?: readonly ResumeEntry[];
}

const answeredBy = (message: Message): readonly string[] =>
  message.role === 'tool' ? [message.toolCallId] : [];

/** RUN-50: of two answers to one call the agent is sent the newer: people may have been asked again. Activity messages are the screens' own and never go back to an agent. */
export const composeInput = ({
  threadId,
  runId,
  history,
  intake,
  state,
  resume,
}: Composition): RunAgentInput => {
  const known = new Set(history.messages.map((message) => message.id));
  const added = intake.messages.filter((message) => !known.has(message.id));
  const answered = new Set(added.flatMap(answeredBy));
  const kept = history.messages.filter((message) => !answeredBy(message).some((call) => answered.has(call)));
  const messages = [...kept.filter((message) => message.role !== 'activity'), ...added];
  return {
    threadId,
    runId,
    protocolVersion: PROTOCOL_VERSION,
    messages,
    state,
    tools: [...intake.tools],
    context: [...intake.context],
    ...(intake.forwardedProps === undefined ? {} : { forwardedProps: intake.forwardedProps }),
    ...(resume ? { resume: [...resume] } : {}),
  };
};

interface Ordered {
  readonly threadId: string;
  readonly runId: string;
  readonly intake: Intake;
  readonly resume?: readonly ResumeEntry[] | undefined;
}

/** What a run's agent is sent of the thread as it stands, and what of the client's state writes still applies to it. */
export const inputFor = (
  { threadId, runId, intake, resume }: Ordered,
  history: { readonly messages: readonly Message[]; readonly state: unknown },
): { readonly input: RunAgentInput; readonly statePatch: JsonPatch } => {
  const patched = applyPatch(history.state ?? {}, intake.statePatch);
  const state = patched.ok ? patched.value : history.state;
  const run = { threadId, runId, history, intake, state };
  return {
    input: composeInput(resume ? { ...run, resume } : run),
    statePatch: patched.ok ? intake.statePatch : [],
  };
};
