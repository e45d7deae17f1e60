/** Translates what agents of earlier versions still send: nulls for absent members, THINKING events, binary parts. */
import type { AguiEvent } from '../agui.js';
import { isPlain } from '../known-material.js';

type Plain = Readonly<Record<string, unknown>>;

/** Ids of the THINKING spans and messages now open; the old events carry none. */
export interface Dialect {
  readonly runId: string;
  made: number;
  span?: string;
  message?: string;
}

export const beginDialect = (runId: string): Dialect => ({ runId, made: 0 });

/** Members whose null was once allowed and means "absent". Every other null is judged as it stands. */
const NULL_IS_ABSENT: ReadonlyMap<string, readonly string[]> = new Map([
  ['RUN_FINISHED', ['result', 'outcome']],
  ['SUBAGENT_FINISHED', ['result']],
  ['TOOL_CALL_START', ['parentMessageId']],
  ['TOOL_CALL_CHUNK', ['parentMessageId']],
]);

const without = (holder: Plain, key: string): Plain => {
  const { [key]: _dropped, ...rest } = holder;
  return rest;
};

const dropNull = (holder: Plain, key: string): Plain =>
  holder[key] === null ? without(holder, key) : holder;

/** The holder with a list's items mapped; the same holder when no item changed. */
const mapMember = (holder: Plain, key: string, mend: (item: unknown) => unknown): Plain => {
  const list = holder[key];
  if (!Array.isArray(list)) return holder;
  const mended = list.map(mend);
  return mended.some((item, index) => item !== list[index]) ? { ...holder, [key]: mended } : holder;
};

const MEDIA: ReadonlySet<unknown> = new Set(['image', 'audio', 'video', 'document']);

const mediaTypeOf = (mimeType: string): string => {
  const family = mimeType.split('/')[0] ?? '';
  return MEDIA.has(family) ? family : 'document';
};

/** A `binary` part of earlier versions as the media part it is now; one that has only a handle stays, unknown. */
const mendBinary = (part: Plain): Plain => {
  const { mimeType, data, url, filename } = part;
  if (typeof mimeType !== 'string') return part;
  const carried = [
    ['data', data],
    ['url', url],
  ].find(([, value]) => typeof value === 'string' && value !== '');
  if (!carried) return part;
  return {
    type: mediaTypeOf(mimeType),
    source: { type: carried[0], value: carried[1], mimeType },
    ...(typeof filename === 'string' ? { metadata: { filename } } : {}),
  };
};

const mendPart = (part: unknown): unknown => {
  if (!isPlain(part)) return part;
  if (part.type === 'binary') return mendBinary(part);
  return MEDIA.has(part.type) ? dropNull(part, 'metadata') : part;
};

const mendMessages = (holder: Plain): Plain =>
  mapMember(holder, 'messages', (message) =>
    isPlain(message) ? mapMember(message, 'content', mendPart) : message,
  );

/** A run's input with the nulls that were once allowed taken as absent; the same input when it holds none. */
export const mendInput = (input: Plain): Plain => {
  const mended = mapMember(dropNull(input, 'forwardedProps'), 'tools', (tool) =>
    isPlain(tool) ? dropNull(tool, 'parameters') : tool,
  );
  return mendMessages(
    mapMember(mended, 'resume', (entry) => (isPlain(entry) ? dropNull(entry, 'payload') : entry)),
  );
};

const mendRunStarted = (event: Plain): Plain => {
  if (!isPlain(event.input)) return event;
  const input = mendInput(event.input);
  return input === event.input ? event : { ...event, input };
};

/** Continues what nothing opened; the run grammar then refuses it as it would any other. */
const NEVER_OPENED = 'thinking';

const newId = (dialect: Dialect): string => {
  dialect.made += 1;
  return `${dialect.runId}:thinking:${dialect.made}`;
};

const THINKING: ReadonlyMap<string, (event: Plain, dialect: Dialect) => Plain> = new Map([
  [
    'THINKING_START',
    (event, dialect) => {
      dialect.span = newId(dialect);
      return { ...without(event, 'title'), type: 'REASONING_START', messageId: dialect.span };
    },
  ],
  [
    'THINKING_TEXT_MESSAGE_START',
    (event, dialect) => {
      dialect.message = newId(dialect);
      return { ...event, type: 'REASONING_MESSAGE_START', messageId: dialect.message, role: 'reasoning' };
    },
  ],
  [
    'THINKING_TEXT_MESSAGE_CONTENT',
    (event, dialect) => ({
      ...event,
      type: 'REASONING_MESSAGE_CONTENT',
      messageId: dialect.message ?? NEVER_OPENED,
    }),
  ],
  [
    'THINKING_TEXT_MESSAGE_END',
    (event, dialect) => {
      const messageId = dialect.message ?? NEVER_OPENED;
      delete dialect.message;
      return { ...event, type: 'REASONING_MESSAGE_END', messageId };
    },
  ],
  [
    'THINKING_END',
    (event, dialect) => {
      const messageId = dialect.span ?? NEVER_OPENED;
      delete dialect.span;
      return { ...event, type: 'REASONING_END', messageId };
    },
  ],
]);

/** The event in today's words; the same event when it is in them already. */
export const translate = (dialect: Dialect, event: AguiEvent): AguiEvent => {
  let now: Plain = event.rawEvent === null ? without(event, 'rawEvent') : event;
  for (const key of NULL_IS_ABSENT.get(event.type) ?? []) now = dropNull(now, key);
  if (event.type === 'MESSAGES_SNAPSHOT') now = mendMessages(now);
  else if (event.type === 'RUN_STARTED') now = mendRunStarted(now);
  else now = THINKING.get(event.type)?.(now, dialect) ?? now;
  return now as AguiEvent;
};
