/** One line of what an event says, for the log. */
import type { Entry } from './log-book.js';

type Fields = Readonly<Record<string, unknown>>;

/** A row shows less; this keeps a megabyte from being laid out in one. */
const MAX_LENGTH = 240;

const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
const LONGEST_ID = 12;
const ID_END = 4;

/** Ids are told apart by their ends; the inspector has them whole. */
export const shortId = (value: unknown): string => {
  const id = text(value);
  return id.length > LONGEST_ID ? `…${id.slice(-ID_END)}` : id;
};
const quoted = (value: unknown): string => `“${text(value)}”`;
const oneLine = (line: string): string => line.replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTH);
const size = (value: unknown): string => `${(JSON.stringify(value ?? null).length / 1024).toFixed(1)} KB`;

const operations = (delta: unknown): string =>
  Array.isArray(delta)
    ? delta
        .map((op: Fields) => [op.op, op.path, op.value === undefined ? '' : text(op.value)].join(' ').trim())
        .join(', ')
    : '';

const ending = (event: Fields): string => {
  const outcome = event.outcome as Fields | undefined;
  if (outcome?.type !== 'interrupt') return text(outcome?.type ?? 'success');
  const interrupts = (outcome.interrupts ?? []) as readonly Fields[];
  return `interrupt, ${interrupts.length} open: ${interrupts.map((each) => `${text(each.reason)} ${shortId(each.id)}`).join(', ')}`;
};

const beginning = (event: Fields): string => {
  const input = event.input as Fields | undefined;
  const messages = Array.isArray(input?.messages) ? input.messages.length : 0;
  const resume = Array.isArray(input?.resume) ? (input.resume as readonly Fields[]) : [];
  const said = messages > 0 ? `, ${messages} ${messages === 1 ? 'message' : 'messages'}` : '';
  const resumes =
    resume.length > 0 ? ` resumes ${resume.map((each) => shortId(each.interruptId)).join(', ')}` : '';
  return `${text(event.runId)}${resumes}${said}`;
};

const custom = (event: Fields): string => {
  const value = event.value as Fields | null;
  const component = value !== null && typeof value === 'object' ? value.component : undefined;
  return component === undefined
    ? `${text(event.name)} ${text(event.value)}`
    : `${text(event.name)} ${text(component)} ${shortId(value?.id)}`;
};

const SUMMARIES: Readonly<Record<string, (event: Fields) => string>> = {
  RUN_STARTED: beginning,
  RUN_FINISHED: ending,
  RUN_ERROR: (event) => `${text(event.code)} ${text(event.message)}`,
  STEP_STARTED: (event) => text(event.stepName),
  STEP_FINISHED: (event) => text(event.stepName),
  TEXT_MESSAGE_START: (event) => `${text(event.role ?? 'assistant')} ${shortId(event.messageId)}`,
  TEXT_MESSAGE_CONTENT: (event) => `${quoted(event.delta)} ${shortId(event.messageId)}`,
  TEXT_MESSAGE_END: (event) => shortId(event.messageId),
  REASONING_START: (event) => shortId(event.messageId),
  REASONING_MESSAGE_START: (event) => `${text(event.role)} ${shortId(event.messageId)}`,
  REASONING_MESSAGE_CONTENT: (event) => `${quoted(event.delta)} ${shortId(event.messageId)}`,
  REASONING_MESSAGE_END: (event) => shortId(event.messageId),
  REASONING_END: (event) => shortId(event.messageId),
  TOOL_CALL_START: (event) => `${text(event.toolCallName)} ${shortId(event.toolCallId)}`,
  TOOL_CALL_ARGS: (event) => `${text(event.delta)} ${shortId(event.toolCallId)}`,
  TOOL_CALL_END: (event) => shortId(event.toolCallId),
  TOOL_CALL_RESULT: (event) => `${text(event.content)} ${shortId(event.toolCallId)}`,
  STATE_SNAPSHOT: (event) => size(event.snapshot),
  STATE_DELTA: (event) => operations(event.delta),
  MESSAGES_SNAPSHOT: (event) => `${Array.isArray(event.messages) ? event.messages.length : 0} messages`,
  ACTIVITY_SNAPSHOT: (event) =>
    `${text(event.activityType)} ${size(event.content)} ${shortId(event.messageId)}`,
  ACTIVITY_DELTA: (event) => `${operations(event.patch)} ${shortId(event.messageId)}`,
  CUSTOM: custom,
  RAW: (event) => `${text(event.source)} ${text(event.event)}`,
  SUBAGENT_STARTED: (event) => `${text(event.name)} ${shortId(event.subagentRunId)}`,
  SUBAGENT_FINISHED: (event) =>
    `${text((event.outcome as Fields | undefined)?.type ?? 'success')} ${shortId(event.subagentRunId)}`,
  SUBAGENT_ERROR: (event) => `${text(event.message)} ${shortId(event.subagentRunId)}`,
};

const others = (event: Fields): string => {
  const { type: _type, timestamp: _timestamp, ...rest } = event;
  return Object.values(rest).map(text).join(' ');
};

export const summaryOf = (entry: Entry): string => {
  const event = (
    typeof entry.event === 'object' && entry.event !== null ? entry.event : { value: entry.event }
  ) as Fields;
  if (entry.kind === 'refused') return oneLine(`${entry.rule} ${entry.message ?? ''} ${others(event)}`);
  const summary = Object.hasOwn(SUMMARIES, String(event.type)) ? SUMMARIES[String(event.type)] : undefined;
  return oneLine((summary ?? others)(event));
};
