/** Short words for writing streams down in tests. */
import type { AguiEvent } from '../src/core/agui.js';

export const THREAD = 't';
export const RUN = 'r';

type More = Record<string, unknown>;

export const e = (type: string, more: More = {}): AguiEvent => ({ type, ...more });

export const runStarted = (more: More = {}): AguiEvent =>
  e('RUN_STARTED', { threadId: THREAD, runId: RUN, ...more });
export const runFinished = (more: More = {}): AguiEvent =>
  e('RUN_FINISHED', { threadId: THREAD, runId: RUN, ...more });
export const runError = (more: More = {}): AguiEvent => e('RUN_ERROR', { message: 'broken', ...more });
export const interrupted = (ids: readonly string[], more: More = {}): AguiEvent =>
  runFinished({
    outcome: { type: 'interrupt', interrupts: ids.map((id) => ({ id, reason: 'tool_call' })) },
    ...more,
  });

export const textStart = (messageId: string, more: More = {}): AguiEvent =>
  e('TEXT_MESSAGE_START', { messageId, ...more });
export const textContent = (messageId: string, delta: string, more: More = {}): AguiEvent =>
  e('TEXT_MESSAGE_CONTENT', { messageId, delta, ...more });
export const textEnd = (messageId: string, more: More = {}): AguiEvent =>
  e('TEXT_MESSAGE_END', { messageId, ...more });
export const text = (messageId: string, ...deltas: readonly string[]): readonly AguiEvent[] => [
  textStart(messageId),
  ...deltas.map((delta) => textContent(messageId, delta)),
  textEnd(messageId),
];
export const textChunk = (more: More): AguiEvent => e('TEXT_MESSAGE_CHUNK', more);

export const callStart = (toolCallId: string, more: More = {}): AguiEvent =>
  e('TOOL_CALL_START', { toolCallId, toolCallName: 'lookup', ...more });
export const callArgs = (toolCallId: string, delta: string, more: More = {}): AguiEvent =>
  e('TOOL_CALL_ARGS', { toolCallId, delta, ...more });
export const callEnd = (toolCallId: string, more: More = {}): AguiEvent =>
  e('TOOL_CALL_END', { toolCallId, ...more });
export const callResult = (toolCallId: string, messageId: string, more: More = {}): AguiEvent =>
  e('TOOL_CALL_RESULT', { toolCallId, messageId, content: 'done', ...more });
export const callChunk = (more: More): AguiEvent => e('TOOL_CALL_CHUNK', more);

export const spanStart = (messageId: string, more: More = {}): AguiEvent =>
  e('REASONING_START', { messageId, ...more });
export const spanEnd = (messageId: string, more: More = {}): AguiEvent =>
  e('REASONING_END', { messageId, ...more });
export const thoughtStart = (messageId: string, more: More = {}): AguiEvent =>
  e('REASONING_MESSAGE_START', { messageId, role: 'reasoning', ...more });
export const thought = (messageId: string, delta: string, more: More = {}): AguiEvent =>
  e('REASONING_MESSAGE_CONTENT', { messageId, delta, ...more });
export const thoughtEnd = (messageId: string, more: More = {}): AguiEvent =>
  e('REASONING_MESSAGE_END', { messageId, ...more });

export const stepStarted = (stepName: string, more: More = {}): AguiEvent =>
  e('STEP_STARTED', { stepName, ...more });
export const stepFinished = (stepName: string, more: More = {}): AguiEvent =>
  e('STEP_FINISHED', { stepName, ...more });

export const subStarted = (subagentRunId: string, more: More = {}): AguiEvent =>
  e('SUBAGENT_STARTED', { subagentRunId, name: 'helper', ...more });
export const subFinished = (subagentRunId: string, more: More = {}): AguiEvent =>
  e('SUBAGENT_FINISHED', { subagentRunId, ...more });
export const subError = (subagentRunId: string, more: More = {}): AguiEvent =>
  e('SUBAGENT_ERROR', { subagentRunId, message: 'broken', ...more });

export const activity = (messageId: string, content: More, more: More = {}): AguiEvent =>
  e('ACTIVITY_SNAPSHOT', { messageId, activityType: 'PLAN', content, ...more });
export const activityDelta = (messageId: string, patch: readonly unknown[], more: More = {}): AguiEvent =>
  e('ACTIVITY_DELTA', { messageId, activityType: 'PLAN', patch, ...more });

export const state = (snapshot: unknown): AguiEvent => e('STATE_SNAPSHOT', { snapshot });
export const stateDelta = (...delta: readonly unknown[]): AguiEvent => e('STATE_DELTA', { delta });
export const messages = (...list: readonly unknown[]): AguiEvent =>
  e('MESSAGES_SNAPSHOT', { messages: list });
export const custom = (name: string, value: unknown = null): AguiEvent => e('CUSTOM', { name, value });
