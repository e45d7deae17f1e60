/** Turns the state a client sent into the one patch it may write. */
import { keepHidden, REDACTED } from '@triptych/access';
import {
  escapeToken,
  reachesPrototype,
  readPointer,
  resolvePath,
  writePointer,
  type JsonPatch,
} from '@triptych/protocol';

interface Writing {
  /** The thread's state now. */
  readonly state: unknown;
  /** What the caller was shown of it, which is what comes back unchanged from whoever changed nothing. */
  readonly shown: unknown;
  /** JSON Pointers under which the caller may write; `''` is all of it. */
  readonly writable: readonly string[];
}

export interface StateWrites {
  readonly patch: JsonPatch;
  /** Where the client's state differed from what it was shown, and nothing was written. */
  readonly ignored: readonly string[];
}

type Keys = readonly string[];
type Members = Readonly<Record<string, unknown>>;

const NOTHING: StateWrites = { patch: [], ignored: [] };
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;
const keysOf = (pointer: string): Keys => readPointer(pointer) ?? [];
const valueAt = (document: unknown, keys: Keys): unknown => resolvePath(document, keys)?.value;
const isList = (value: unknown): boolean => Array.isArray(value);

/** Differences that write: what is absent from the given value deletes nothing, in lists neither. */
const differences = (now: unknown, given: unknown, path = ''): JsonPatch => {
  if (!isMembers(now) || !isMembers(given) || isList(now) !== isList(given))
    return now === given ? [] : [{ op: 'replace', path, value: given }];
  return Object.entries(given).flatMap(([key, value]): JsonPatch => {
    const at = `${path}/${escapeToken(key)}`;
    return Object.hasOwn(now, key) ? differences(now[key], value, at) : [{ op: 'add', path: at, value }];
  });
};

/** What must exist before a value can be put under `keys`. */
const missingParents = (state: unknown, keys: Keys): JsonPatch => {
  const parents = keys.slice(0, -1).map((_, depth) => keys.slice(0, depth + 1));
  return parents
    .filter((parent) => valueAt(state, parent) === undefined)
    .map((parent) => ({ op: 'add', path: writePointer(parent), value: {} }) as const);
};

const writesUnder = (given: unknown, state: unknown, pointer: string): JsonPatch => {
  const keys = keysOf(pointer);
  const wanted = valueAt(given, keys);
  if (wanted === undefined) return [];
  const now = valueAt(state, keys);
  if (now === undefined) return [...missingParents(state, keys), { op: 'add', path: pointer, value: wanted }];
  return differences(now, wanted).map((operation) => ({ ...operation, path: `${pointer}${operation.path}` }));
};

/** One that was shown before stands for a value that has changed since. */
const isOldMark = (step: JsonPatch[number]): boolean => step.op === 'replace' && step.value === REDACTED;

/** One step that no reader takes would make the whole patch useless. */
const isTaken = (step: JsonPatch[number]): boolean =>
  !reachesPrototype(keysOf(step.path)) && !isOldMark(step);

const isUnder = (path: string, pointer: string): boolean =>
  pointer === '' || path === pointer || path.startsWith(`${pointer}/`);

/** Absent, null and {} say nothing; a differing value under `write` counts, on a thread's first run too. */
export const stateWrites = (given: unknown, { writable, ...now }: Writing): StateWrites => {
  if (!isMembers(given) || Object.keys(given).length === 0) return NOTHING;
  const state = isMembers(now.state) ? now.state : {};
  const shown = isMembers(now.shown) ? now.shown : {};
  const meant = keepHidden(given, { shown, real: state });
  const wanted = writable.flatMap((pointer) => writesUnder(meant, state, pointer));
  const isWritten = (path: string): boolean =>
    writable.some((pointer) => isUnder(path, pointer) || isUnder(pointer, path));
  const unwritten = differences(shown, given).filter(({ path }) => !isWritten(path));
  const left = wanted.filter((step) => !isTaken(step));
  return { patch: wanted.filter(isTaken), ignored: [...unwritten, ...left].map(({ path }) => path) };
};
