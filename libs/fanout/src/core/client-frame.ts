/** Reads what a client sent over its socket: a frame this hub knows, or what is wrong with it. */
import { CLIENT_FRAMES, type ClientFrame, type ClientFrameName } from '@triptych/protocol';

/** A frame whose name is in the table and whose data, if any, is an object. */
export interface KnownFrame extends ClientFrame {
  readonly event: ClientFrameName;
  readonly data: Readonly<Record<string, unknown>>;
  /** The frame as it came. */
  readonly text: string;
}

export type ReadFrame =
  | { readonly kind: 'frame'; readonly frame: KnownFrame }
  /** Well formed, but the name is none of ours. */
  | { readonly kind: 'unknown'; readonly id?: string; readonly event: string }
  | { readonly kind: 'malformed'; readonly id?: string; readonly pointer: string }
  | { readonly kind: 'not-an-object' };

const MAX_FRAME_ID = 64;
/** What a frame adds around what it carries: itself, and `data`. */
const FRAME_LEVELS = 2;

export const SURFACE_FRAMES: ReadonlySet<string> = new Set(CLIENT_FRAMES);

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

const turnOf = (char: string | undefined): 1 | 0 | -1 => {
  if (char === '{' || char === '[') return 1;
  return char === '}' || char === ']' ? -1 : 0;
};

const endOfString = (text: string, begin: number): number => {
  let at = begin + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
};

/** Counts brackets outside of strings: what is too deep for recursion later never gets that far. */
export const nestsDeeper = (text: string, limit: number): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else depth += turnOf(char);
    if (depth > limit) return true;
  }
  return false;
};

/** The `id` of an object that is too deep to be read: parsing millions of brackets takes seconds. */
const idAtTop = (text: string): unknown => {
  let depth = 0;
  let name: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const begin = at;
      at = endOfString(text, at);
      const token = text.slice(begin, at + 1);
      if (depth === 1 && name === '"id"') return parse(token);
      if (depth === 1) name ??= token;
    } else if (char === ',' && depth === 1) name = undefined;
    else depth += turnOf(char);
  }
  return undefined;
};

const asId = (id: unknown): string | undefined =>
  typeof id === 'string' && id.length > 0 && id.length <= MAX_FRAME_ID ? id : undefined;

const named = (id: string | undefined): { id?: string } => (id === undefined ? {} : { id });

/** Which member is not what a frame's member must be. */
const faultIn = (frame: Readonly<Record<string, unknown>>): string | undefined => {
  if (typeof frame['event'] !== 'string') return '/event';
  if (frame['id'] !== undefined && asId(frame['id']) === undefined) return '/id';
  if (frame['data'] !== undefined && !isObject(frame['data'])) return '/data';
  return undefined;
};

/** `maxDepth` is the limit on what a frame carries. */
export const readClientFrame = (
  text: string,
  maxDepth: number,
  names: ReadonlySet<string> = SURFACE_FRAMES,
): ReadFrame => {
  if (nestsDeeper(text, maxDepth + FRAME_LEVELS))
    return { kind: 'malformed', ...named(asId(idAtTop(text))), pointer: '' };
  const frame = parse(text);
  if (!isObject(frame)) return { kind: 'not-an-object' };
  const known = named(asId(frame['id']));
  const pointer = faultIn(frame);
  if (pointer !== undefined) return { kind: 'malformed', ...known, pointer };
  const name = frame['event'] as string;
  if (!names.has(name)) return { kind: 'unknown', ...known, event: name };
  const data = (frame['data'] ?? {}) as Readonly<Record<string, unknown>>;
  return { kind: 'frame', frame: { ...known, event: name as ClientFrameName, data, text } };
};
