/** Short words for writing down what an agent sends. */
import type { AguiEvent } from '@triptych/protocol';

export interface RunNames {
  readonly threadId: string;
  readonly runId: string;
}
/** Of a run's input its names alone. */
export const names = ({ threadId, runId }: RunNames): RunNames => ({ threadId, runId });

/** The run after it. */
export const next = (run: RunNames): RunNames => ({ ...run, runId: `${run.runId}-next` });
/** Whose event it is. */
export const by = (subagentRunId: string) => ({ subagentRunId });

type More = Readonly<{ [member: string]: unknown }>;

export const e = (type: string, more: More = {}): AguiEvent => ({ type, ...more });
export const RS = (run: RunNames, more: More = {}): AguiEvent => e('RUN_STARTED', { ...run, ...more });
export const RF = (run: RunNames, outcome?: unknown): AguiEvent =>
  e('RUN_FINISHED', { ...run, ...(outcome === undefined ? {} : { outcome }) });
export const RE = (message = 'the agent broke', more: More = {}): AguiEvent =>
  e('RUN_ERROR', { message, ...more });
export const asks = (run: RunNames, ...interrupts: readonly More[]): AguiEvent =>
  RF(run, {
    type: 'interrupt',
    interrupts: interrupts.map((given) => ({ reason: 'confirmation', ...given })),
  });

export const open = (messageId: string, more: More = {}): AguiEvent =>
  e('TEXT_MESSAGE_START', { messageId, ...more });
export const say = (messageId: string, delta: string, more: More = {}): AguiEvent =>
  e('TEXT_MESSAGE_CONTENT', { messageId, delta, ...more });
export const close = (messageId: string, more: More = {}): AguiEvent =>
  e('TEXT_MESSAGE_END', { messageId, ...more });
export const text = (messageId: string, ...deltas: readonly string[]): AguiEvent[] => [
  open(messageId),
  ...deltas.map((delta) => say(messageId, delta)),
  close(messageId),
];
export const chunk = (more: More): AguiEvent => e('TEXT_MESSAGE_CHUNK', more);

export const callOpen = (toolCallId: string, toolCallName = 'lookUp', more: More = {}): AguiEvent =>
  e('TOOL_CALL_START', { toolCallId, toolCallName, ...more });
export const callArgs = (toolCallId: string, delta: string, more: More = {}): AguiEvent =>
  e('TOOL_CALL_ARGS', { toolCallId, delta, ...more });
export const callEnd = (toolCallId: string, more: More = {}): AguiEvent =>
  e('TOOL_CALL_END', { toolCallId, ...more });
export const call = (toolCallId: string, toolCallName: string, ...args: readonly string[]): AguiEvent[] => [
  callOpen(toolCallId, toolCallName),
  ...args.map((delta) => callArgs(toolCallId, delta)),
  callEnd(toolCallId),
];
export const result = (toolCallId: string, content: unknown = 'done', more: More = {}): AguiEvent =>
  e('TOOL_CALL_RESULT', { messageId: `${toolCallId}-result`, toolCallId, content, ...more });

export const spanOpen = (messageId: string): AguiEvent => e('REASONING_START', { messageId });
export const spanEnd = (messageId: string): AguiEvent => e('REASONING_END', { messageId });
export const thinkOpen = (messageId: string, more: More = { role: 'reasoning' }): AguiEvent =>
  e('REASONING_MESSAGE_START', { messageId, ...more });
export const think = (messageId: string, delta: string): AguiEvent =>
  e('REASONING_MESSAGE_CONTENT', { messageId, delta });
export const thinkEnd = (messageId: string): AguiEvent => e('REASONING_MESSAGE_END', { messageId });

export const step = (stepName: string, more: More = {}): AguiEvent =>
  e('STEP_STARTED', { stepName, ...more });
export const stepEnd = (stepName: string, more: More = {}): AguiEvent =>
  e('STEP_FINISHED', { stepName, ...more });
export const sub = (subagentRunId: string, more: More = {}): AguiEvent =>
  e('SUBAGENT_STARTED', { subagentRunId, name: 'scout', ...more });
export const subEnd = (subagentRunId: string, more: More = {}): AguiEvent =>
  e('SUBAGENT_FINISHED', { subagentRunId, ...more });

export const state = (snapshot: unknown): AguiEvent => e('STATE_SNAPSHOT', { snapshot });
export const delta = (...operations: readonly unknown[]): AguiEvent =>
  e('STATE_DELTA', { delta: operations });
export const restate = (...messages: readonly unknown[]): AguiEvent => e('MESSAGES_SNAPSHOT', { messages });
export const plan = (messageId: string, content: More, more: More = {}): AguiEvent =>
  e('ACTIVITY_SNAPSHOT', { messageId, activityType: 'PLAN', content, ...more });
export const custom = (name: string, value: unknown = null): AguiEvent => e('CUSTOM', { name, value });
