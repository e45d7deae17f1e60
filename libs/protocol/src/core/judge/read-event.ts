/** Reads one event's JSON text: an object with a type, within bounds, and text that survives every hop. */
import type { AguiEvent } from '../agui.js';
import { isDeeperThan, isLongerThan } from '../json/json-size.js';
import { isPlain } from '../known-material.js';
import type { EventLimits } from '../limits.js';
import { violation, type Violation } from './violations.js';

export interface ReadEvent {
  readonly event: AguiEvent;
  readonly json: string;
}

const WHOLE: ReadonlySet<string> = new Set(['MESSAGES_SNAPSHOT', 'STATE_SNAPSHOT', 'RUN_STARTED']);

const parse = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

const LINE_BREAKS = /[\r\n]/g;
/** Matches only surrogates that are not a pair. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The producer's own text, on one line: outside strings a line break is mere white space, and inside them it cannot
 * be. Lone surrogates written raw would become U+FFFD on their way to Redis, so they are escaped.
 */
const carriedText = (text: string, value: unknown): string => {
  if (LONE_SURROGATE.test(text)) return JSON.stringify(value);
  return text.includes('\n') || text.includes('\r') ? text.replace(LINE_BREAKS, ' ') : text;
};

const tooLarge = (limit: number): Violation =>
  violation('too-large', `The event is larger than ${limit} bytes.`);

export const readEvent = (text: string, limits: EventLimits): ReadEvent | Violation => {
  const most = Math.max(limits.bytes, limits.snapshotBytes);
  if (isLongerThan(text, most)) return tooLarge(most);
  const parsed = parse(text);
  if (!parsed) return violation('not-json', 'The event is not JSON.');
  const { value } = parsed;
  if (!isPlain(value)) return violation('not-an-object', 'An event is one JSON object.');
  if (typeof value.type !== 'string') return violation('no-type', 'An event has a type, a string.', '/type');
  const limit = WHOLE.has(value.type) ? most : limits.bytes;
  if (isLongerThan(text, limit)) return tooLarge(limit);
  if (isDeeperThan(value, limits.depth))
    return violation('too-deep', `The event is nested deeper than ${limits.depth}.`);
  return { event: value as AguiEvent, json: carriedText(text, value) };
};
