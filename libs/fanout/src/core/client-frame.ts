/** Reads what a client sent over its socket: a frame this hub knows, or what is wrong with it. */
import { CLIENT_FRAMES, type ClientFrame, type ClientFrameName } from '@triptych/protocol';

/** A frame whose name is in the table and whose data, if any, is an object. */
export interface KnownFrame extends ClientFrame {
  readonly event: ClientFrameName;
  readonly data: Readonly<Record<string, unknown>>;
}

export type ReadFrame =
  | { readonly kind: 'frame'; readonly frame: KnownFrame }
  /** Well formed, but the name is none of ours. */
  | { readonly kind: 'unknown'; readonly id?: string; readonly event: string }
  | { readonly kind: 'malformed'; readonly id?: string; readonly pointer: string }
  | { readonly kind: 'not-an-object' };

export const MAX_FRAME_ID = 64;
/** The limit on nesting, and the two levels a frame adds around it. */
const MAX_FRAME_DEPTH = 64 + 2;

const NAMES: ReadonlySet<string> = new Set(CLIENT_FRAMES);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the same as JSON that is no object.
    return undefined;
  }
};

/** Counts brackets outside of strings: what is too deep for recursion later never gets that far. */
export const nestsDeeper = (text: string, limit: number): boolean => {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (depth > limit) return true;
  }
  return false;
};

const idOf = (frame: Readonly<Record<string, unknown>>): string | undefined => {
  const { id } = frame;
  return typeof id === 'string' && id.length > 0 && id.length <= MAX_FRAME_ID ? id : undefined;
};

/** Which member is not what a frame's member must be. */
const faultIn = (frame: Readonly<Record<string, unknown>>): string | undefined => {
  if (typeof frame['event'] !== 'string') return '/event';
  if (frame['id'] !== undefined && idOf(frame) === undefined) return '/id';
  if (frame['data'] !== undefined && !isObject(frame['data'])) return '/data';
  return undefined;
};

export const readClientFrame = (text: string): ReadFrame => {
  if (nestsDeeper(text, MAX_FRAME_DEPTH)) return { kind: 'malformed', pointer: '' };
  const frame = parse(text);
  if (!isObject(frame)) return { kind: 'not-an-object' };
  const id = idOf(frame);
  const known = { ...(id === undefined ? {} : { id }) };
  const pointer = faultIn(frame);
  if (pointer !== undefined) return { kind: 'malformed', ...known, pointer };
  const name = frame['event'] as string;
  if (!NAMES.has(name)) return { kind: 'unknown', ...known, event: name };
  const data = (frame['data'] ?? {}) as Readonly<Record<string, unknown>>;
  return { kind: 'frame', frame: { ...known, event: name as ClientFrameName, data } };
};
