/** Turns the state a client sent into the one patch it may write. */
import { reachesPrototype, type JsonPatch } from '@triptych/protocol';

interface Writing {
  /** The thread's state now. */
  readonly state: unknown;
  /** JSON Pointers under which the caller may write; `''` is all of it. */
  readonly writable: readonly string[];
}

export interface StateWrites {
  readonly patch: JsonPatch;
  /** Differences that were left out. */
  readonly ignored: number;
}

type Members = Readonly<Record<string, unknown>>;

const NOTHING: StateWrites = { patch: [], ignored: 0 };
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;
const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
const pointerTo = (keys: readonly string[]): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const valueAt = (document: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (value, key) => (isMembers(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    document,
  );

const isList = (value: unknown): boolean => Array.isArray(value);

/** Differences that write: what is absent from the given value deletes nothing, in lists neither. */
const differences = (now: unknown, given: unknown, path = ''): JsonPatch => {
  if (!isMembers(now) || !isMembers(given) || isList(now) !== isList(given))
    return now === given ? [] : [{ op: 'replace', path, value: given }];
  return Object.entries(given).flatMap(([key, value]): JsonPatch => {
    const at = `${path}${pointerTo([key])}`;
    return Object.hasOwn(now, key) ? differences(now[key], value, at) : [{ op: 'add', path: at, value }];
  });
};

/** What must exist before a value can be put under `keys`. */
const missingParents = (state: unknown, keys: readonly string[]): JsonPatch => {
  const parents = keys.slice(0, -1).map((_, depth) => keys.slice(0, depth + 1));
  return parents
    .filter((parent) => valueAt(state, parent) === undefined)
    .map((parent) => ({ op: 'add', path: pointerTo(parent), value: {} }) as const);
};

const writesUnder = (given: unknown, { state }: Writing, pointer: string): JsonPatch => {
  const keys = keysOf(pointer);
  const wanted = valueAt(given, keys);
  if (wanted === undefined) return [];
  const now = valueAt(state, keys);
  if (now === undefined) return [...missingParents(state, keys), { op: 'add', path: pointer, value: wanted }];
  return differences(now, wanted).map((operation) => ({ ...operation, path: `${pointer}${operation.path}` }));
};

/** One step that no reader takes would make the whole patch useless. */
const isTaken = ({ path }: JsonPatch[number]): boolean => !reachesPrototype(keysOf(path));

/** Absent, null and {} say nothing; a differing value under `write` counts, on a thread's first run too. */
export const stateWrites = (given: unknown, writing: Writing): StateWrites => {
  if (!isMembers(given) || Object.keys(given).length === 0) return NOTHING;
  const base = isMembers(writing.state) ? writing.state : {};
  const wanted = writing.writable.flatMap((pointer) =>
    writesUnder(given, { ...writing, state: base }, pointer),
  );
  const patch = wanted.filter(isTaken);
  const isWritten = (path: string): boolean =>
    writing.writable.some(
      (pointer) =>
        pointer === '' ||
        path === pointer ||
        path.startsWith(`${pointer}/`) ||
        pointer.startsWith(`${path}/`),
    );
  const unwritten = differences(base, given).filter(({ path }) => !isWritten(path));
  return { patch, ignored: unwritten.length + wanted.length - patch.length };
};
