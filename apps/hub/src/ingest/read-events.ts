/** Reads what an agent pushes: a JSON array or NDJSON of events, with or without positions. */
import { ok, refuse, type Result } from '@triptych/protocol';
import type { PushItem } from '@triptych/runs';
import { elementsOf, memberOf } from './json-slices.js';

/** Events of one push; an agent that has more sends them in several. */
export const MAX_EVENTS = 5_000;

const malformed = (message: string, pointer: string) =>
  refuse('INVALID_INPUT', { message, details: { pointer } });

type Plain = Readonly<Record<string, unknown>>;
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Its place is told.
    return undefined;
  }
};

/** What is no event at all, the judge refuses. */
const itemOf = (text: string, value: unknown): PushItem => {
  const { type, runId } = isPlain(value) ? value : {};
  return {
    text,
    type: typeof type === 'string' ? type : '',
    ...(typeof runId === 'string' ? { runId } : {}),
  };
};

const hasPosition = (value: unknown): value is Plain =>
  isPlain(value) && 'position' in value && 'event' in value && !('type' in value);

const positioned = (text: string, { position, event }: Plain, pointer: string): Result<PushItem> =>
  Number.isSafeInteger(position) && Number(position) >= 1
    ? ok({ ...itemOf(memberOf(text, 'event') ?? '', event), position: Number(position) })
    : malformed('A position is a whole number from 1.', `${pointer}/position`);

const readOne = (text: string, pointer: string): Result<PushItem> => {
  const read = parsed(text);
  if (!read) return malformed('This is not JSON.', pointer);
  return hasPosition(read.value) ? positioned(text, read.value, pointer) : ok(itemOf(text, read.value));
};

/** Either all of them have positions or none. */
export const readEvents = (texts: readonly string[], at = ''): Result<readonly PushItem[]> => {
  if (texts.length > MAX_EVENTS)
    return refuse('PAYLOAD_TOO_LARGE', { details: { limit: 'MAX_BODY', events: MAX_EVENTS } });
  const items: PushItem[] = [];
  for (const [nth, text] of texts.entries()) {
    const pointer = `${at}/${nth}`;
    const item = readOne(text, pointer);
    if (!item.ok) return item;
    const [first = item.value] = items;
    if ((first.position === undefined) !== (item.value.position === undefined))
      return malformed('Either all events have positions or none.', pointer);
    items.push(item.value);
  }
  return ok(items);
};

const decoded = (body: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    // Other bytes would be stored as other characters than were sent.
    return undefined;
  }
};

export type PushFormat = 'array' | 'lines';

const MEDIA: ReadonlyMap<string, PushFormat> = new Map([
  ['application/json', 'array'],
  ['application/x-ndjson', 'lines'],
  ['application/ndjson', 'lines'],
]);

/** undefined: it is none that is taken. */
export const formatOf = (contentType = ''): PushFormat | undefined =>
  MEDIA.get(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '');

const linesIn = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));

export const readBody = (body: Uint8Array, format: PushFormat): Result<readonly PushItem[]> => {
  const text = decoded(body);
  if (text === undefined) return malformed('The body is not UTF-8.', '');
  const texts = format === 'lines' ? linesIn(text) : elementsOf(text);
  return texts ? readEvents(texts) : malformed('A JSON array of events is expected.', '');
};
