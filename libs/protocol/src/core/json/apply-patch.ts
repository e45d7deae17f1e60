/** Applies a JSON Patch (RFC 6902) whole or not at all, and never touches what it was given. */
import type { JsonPatch } from '../agui.js';
import { MAX_COPIED, MAX_DEPTH } from '../limits.js';
import { reachesPrototype, readPointer, resolvePath, type Tokens } from './json-pointer.js';
import { isDeeperThan, weigh } from './json-size.js';
import { change, draftOf, share, type Draft, type Failure } from './patch-draft.js';
import { sameJson } from './same-json.js';

export type Patched =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

interface Step {
  readonly path: Tokens;
  readonly from: Tokens;
  readonly value: unknown;
}

const add = (draft: Draft, { path, value }: Step): Failure => {
  if (value === undefined) return 'there is no value';
  if (isDeeperThan(value, MAX_DEPTH - path.length)) return 'the result would be too deep';
  return change(draft, path, { op: 'add', value });
};

const remove = (draft: Draft, { path }: Step): Failure =>
  resolvePath(draft.root, path) ? change(draft, path, { op: 'remove' }) : 'there is nothing there';

const replace = (draft: Draft, { path, value }: Step): Failure => {
  if (value === undefined) return 'there is no value';
  if (!resolvePath(draft.root, path)) return 'there is nothing there';
  if (isDeeperThan(value, MAX_DEPTH - path.length)) return 'the result would be too deep';
  return change(draft, path, { op: 'replace', value });
};

const test = (draft: Draft, { path, value }: Step): Failure => {
  const found = resolvePath(draft.root, path);
  return value !== undefined && found && sameJson(found.value, value) ? undefined : 'the test fails';
};

const isWithin = (path: Tokens, outer: Tokens): boolean =>
  path.length > outer.length && outer.every((token, index) => path[index] === token);

/** Walking a value again and again is how a small patch could cost a lot. */
const lookThrough = (draft: Draft, value: unknown): Failure => {
  draft.copied += weigh(value, MAX_COPIED - draft.copied);
  return draft.copied > MAX_COPIED ? 'this copies too much' : undefined;
};

/** What moves no deeper is not too deep, and need not be looked through. */
const move = (draft: Draft, { path, from }: Step): Failure => {
  const found = resolvePath(draft.root, from);
  if (!found) return 'there is nothing to move';
  if (isWithin(path, from)) return 'a value cannot move into itself';
  const { value } = found;
  const removed = remove(draft, { path: from, from, value });
  if (removed !== undefined) return removed;
  if (path.length <= from.length) return change(draft, path, { op: 'add', value });
  return lookThrough(draft, value) ?? add(draft, { path, from, value });
};

const copy = (draft: Draft, { path, from }: Step): Failure => {
  const found = resolvePath(draft.root, from);
  if (!found) return 'there is nothing to copy';
  const tooMuch = lookThrough(draft, found.value);
  if (tooMuch !== undefined) return tooMuch;
  share(draft, found.value);
  return add(draft, { path, from, value: found.value });
};

const OPERATIONS: ReadonlyMap<unknown, (draft: Draft, step: Step) => Failure> = new Map([
  ['add', add],
  ['remove', remove],
  ['replace', replace],
  ['move', move],
  ['copy', copy],
  ['test', test],
]);

/** True for the six operations of RFC 6902. */
export const isPatchOperation = (op: unknown): boolean => OPERATIONS.has(op);

const applyOne = (draft: Draft, operation: JsonPatch[number]): Failure => {
  const given = operation as { op: string; path: unknown; from?: unknown; value?: unknown };
  const apply = OPERATIONS.get(given.op);
  if (!apply) return undefined;
  const path = readPointer(given.path);
  const needsFrom = given.op === 'move' || given.op === 'copy';
  const from = needsFrom ? readPointer(given.from) : [];
  if (!path || !from) return 'this is no JSON Pointer';
  if (reachesPrototype(path) || reachesPrototype(from)) return 'a prototype is out of reach';
  return apply(draft, { path, from, value: given.value });
};

/**
 * The document after the patch, or why the patch does not apply; then nothing of it was applied. An operation of a
 * kind that AG-UI does not know is left out, as its readers do.
 */
export const applyPatch = (value: unknown, operations: JsonPatch): Patched => {
  const draft = draftOf(value);
  for (const operation of operations) {
    const failure = applyOne(draft, operation);
    if (failure !== undefined) return { ok: false, why: `${operation.op} ${operation.path}: ${failure}` };
  }
  return { ok: true, value: draft.root };
};
