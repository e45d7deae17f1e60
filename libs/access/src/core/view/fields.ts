/** The members of each event and message that may leave at all; whatever else one carries goes to the operator only. */
import type { AguiEvent } from '@triptych/protocol';

const fields = (...names: string[]): ReadonlySet<string> => new Set(names);
/** Events that may name the subagent they came from. */
const tagged = (...names: string[]): ReadonlySet<string> =>
  fields('type', 'timestamp', 'subagentRunId', ...names);
const plain = (...names: string[]): ReadonlySet<string> => fields('type', 'timestamp', ...names);

const EVENT_FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['RUN_STARTED', plain('threadId', 'runId', 'protocolVersion', 'parentRunId', 'input')],
  ['RUN_FINISHED', plain('threadId', 'runId', 'outcome')],
  ['RUN_ERROR', plain('message', 'code')],
  ['STEP_STARTED', tagged('stepName')],
  ['STEP_FINISHED', tagged('stepName')],
  ['TEXT_MESSAGE_START', tagged('messageId', 'role')],
  ['TEXT_MESSAGE_CONTENT', tagged('messageId', 'delta')],
  ['TEXT_MESSAGE_END', tagged('messageId')],
  ['TOOL_CALL_START', tagged('toolCallId', 'toolCallName', 'parentMessageId')],
  ['TOOL_CALL_ARGS', tagged('toolCallId', 'delta')],
  ['TOOL_CALL_END', tagged('toolCallId')],
  ['TOOL_CALL_RESULT', tagged('messageId', 'toolCallId', 'content', 'role')],
  ['STATE_SNAPSHOT', tagged('snapshot')],
  ['STATE_DELTA', tagged('delta')],
  ['MESSAGES_SNAPSHOT', plain('messages')],
  ['ACTIVITY_SNAPSHOT', tagged('messageId', 'activityType', 'content', 'replace')],
  ['ACTIVITY_DELTA', tagged('messageId', 'activityType', 'patch')],
  ['REASONING_START', tagged('messageId')],
  ['REASONING_END', tagged('messageId')],
  ['REASONING_MESSAGE_START', tagged('messageId', 'role')],
  ['REASONING_MESSAGE_CONTENT', tagged('messageId', 'delta')],
  ['REASONING_MESSAGE_END', tagged('messageId')],
  [
    'SUBAGENT_STARTED',
    tagged('name', 'description', 'parentSubagentRunId', 'parentToolCallId', 'parentMessageId'),
  ],
  ['SUBAGENT_FINISHED', tagged('outcome')],
  ['SUBAGENT_ERROR', tagged('message', 'code')],
  ['CUSTOM', tagged('name', 'value')],
]);

/** ACC-29: a name is whatever its author put there; the one a surface is shown is put on by the view. */
export const MESSAGE_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  user: fields('id', 'role', 'content', 'subagentRunId'),
  assistant: fields('id', 'role', 'content', 'toolCalls', 'subagentRunId'),
  tool: fields('id', 'role', 'content', 'toolCallId', 'error', 'subagentRunId'),
  activity: fields('id', 'role', 'activityType', 'content', 'subagentRunId'),
  reasoning: fields('id', 'role', 'content', 'subagentRunId'),
};

const media = fields('type', 'id', 'source');
export const PART_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  text: fields('type', 'id', 'text'),
  image: media,
  audio: media,
  video: media,
  document: media,
};
export const SOURCE_FIELDS = fields('type', 'value', 'mimeType', 'provider');
export const INTERRUPT_FIELDS = fields(
  'id',
  'reason',
  'message',
  'toolCallId',
  'responseSchema',
  'expiresAt',
  'subagentRunId',
);

/** The value itself when it has no other members. */
export const only = <T extends object>(value: T, names: ReadonlySet<string>): T => {
  const entries = Object.entries(value);
  const kept = entries.filter(([name]) => names.has(name));
  return kept.length === entries.length ? value : (Object.fromEntries(kept) as T);
};

export const without = <T extends object>(value: T, name: string): T =>
  Object.hasOwn(value, name)
    ? (Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)) as T)
    : value;

export const trim = (event: AguiEvent): AguiEvent => {
  const names = EVENT_FIELDS.get(event.type);
  if (!names) throw new Error('an event without a list of members has no way out');
  for (const name of Object.keys(event)) if (!names.has(name)) return only(event, names);
  return event;
};
