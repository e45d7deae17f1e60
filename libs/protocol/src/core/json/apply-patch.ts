/** Applies a JSON Patch (RFC 6902) whole or not at all, and never touches what it was given. */
import type { JsonPatch } from '../agui.js';
import { MAX_COPIED, MAX_DEPTH } from '../limits.js';
import {
  indexIn,
  memberOf,
  reachesPrototype,
  readPointer,
  resolvePath,
  type Tokens,
} from './json-pointer.js';
import { isDeeperThan } from './json-size.js';
import { sameJson } from './same-json.js';

export type Patched =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

/**
 * A document being changed. Containers are copied along the path of a change and no further, so a small patch of a
 * large document is small work; `owned` are the copies this patch made and may change again.
 */
interface Draft {
  root: unknown;
  readonly owned: Set<object>;
  copied: number;
}

/** Why an operation cannot be applied; nothing when it was. */
type Failure = string | undefined;

interface Step {
  readonly path: Tokens;
  readonly from: Tokens;
  readonly value: unknown;
}

const copyOf = (container: object): object =>
  Array.isArray(container) ? container.slice() : { ...container };

const ownedCopy = (draft: Draft, container: object): object => {
  if (draft.owned.has(container)) return container;
  const copy = copyOf(container);
  draft.owned.add(copy);
  return copy;
};

const put = (container: object, token: string, value: unknown): void => {
  (container as Record<string, unknown>)[token] = value;
};

/** The container at a path, copied along the way so that it may be changed. */
const writable = (draft: Draft, path: Tokens): object | undefined => {
  if (typeof draft.root !== 'object' || draft.root === null) return undefined;
  let here = ownedCopy(draft, draft.root);
  draft.root = here;
  for (const token of path) {
    const member = memberOf(here, token)?.value;
    if (typeof member !== 'object' || member === null) return undefined;
    const next = ownedCopy(draft, member);
    put(here, token, next);
    here = next;
  }
  return here;
};

const splitLast = (path: Tokens): { parent: Tokens; last: string } => ({
  parent: path.slice(0, -1),
  last: path.at(-1) ?? '',
});

const add = (draft: Draft, { path, value }: Step): Failure => {
  if (value === undefined) return 'there is no value';
  if (isDeeperThan(value, MAX_DEPTH - path.length)) return 'the result would be too deep';
  if (path.length === 0) {
    draft.root = value;
    return undefined;
  }
  const { parent, last } = splitLast(path);
  const container = writable(draft, parent);
  if (!container) return 'there is nothing to add to';
  if (!Array.isArray(container)) {
    put(container, last, value);
    return undefined;
  }
  const index = last === '-' ? container.length : indexIn(last, container.length);
  if (index === undefined) return 'this is no place in the list';
  container.splice(index, 0, value);
  return undefined;
};

const remove = (draft: Draft, { path }: Step): Failure => {
  if (!resolvePath(draft.root, path)) return 'there is nothing there';
  if (path.length === 0) {
    draft.root = null;
    return undefined;
  }
  const { parent, last } = splitLast(path);
  const container = writable(draft, parent);
  if (Array.isArray(container)) container.splice(Number(last), 1);
  else if (container) Reflect.deleteProperty(container, last);
  return undefined;
};

const replace = (draft: Draft, step: Step): Failure => {
  if (step.value === undefined) return 'there is no value';
  if (!resolvePath(draft.root, step.path)) return 'there is nothing there';
  if (isDeeperThan(step.value, MAX_DEPTH - step.path.length)) return 'the result would be too deep';
  const { parent, last } = splitLast(step.path);
  if (step.path.length === 0) draft.root = step.value;
  else put(writable(draft, parent) ?? {}, last, step.value);
  return undefined;
};

const test = (draft: Draft, { path, value }: Step): Failure => {
  const found = resolvePath(draft.root, path);
  return value !== undefined && found && sameJson(found.value, value) ? undefined : 'the test fails';
};

const isWithin = (path: Tokens, outer: Tokens): boolean =>
  path.length > outer.length && outer.every((token, index) => path[index] === token);

const move = (draft: Draft, step: Step): Failure => {
  const found = resolvePath(draft.root, step.from);
  if (!found) return 'there is nothing to move';
  if (isWithin(step.path, step.from)) return 'a value cannot move into itself';
  return remove(draft, { ...step, path: step.from }) ?? add(draft, { ...step, value: found.value });
};

/** Characters and members of a value, counted until `budget` is spent. */
const weigh = (value: unknown, budget: number): number => {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const [key, member] of Object.entries(value)) {
    if (weight > budget) return weight;
    weight += key.length + weigh(member, budget - weight);
  }
  return weight;
};

const copy = (draft: Draft, step: Step): Failure => {
  const found = resolvePath(draft.root, step.from);
  if (!found) return 'there is nothing to copy';
  draft.copied += weigh(found.value, MAX_COPIED - draft.copied);
  if (draft.copied > MAX_COPIED) return 'this copies too much';
  // The value now stands in two places; a later change of one must not show in the other.
  draft.owned.clear();
  return add(draft, { ...step, value: found.value });
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
  const draft: Draft = { root: value, owned: new Set(), copied: 0 };
  for (const operation of operations) {
    const failure = applyOne(draft, operation);
    if (failure !== undefined) return { ok: false, why: `${operation.op} ${operation.path}: ${failure}` };
  }
  return { ok: true, value: draft.root };
};
