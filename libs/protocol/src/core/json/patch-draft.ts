/** A document being changed in place, without a change to the one it was made from. */
import jsonpatch, { type Operation } from 'fast-json-patch';
import { MAX_SHIFTED } from '../limits.js';
import { indexIn, memberOf, writePointer, type Tokens } from './json-pointer.js';
import { isContainer } from './json-size.js';

/** Why an operation cannot be applied; nothing when it was. */
export type Failure = string | undefined;

/** All that the library is asked to do: the other operations are made of these. */
export type Change =
  | { readonly op: 'add'; readonly value: unknown }
  | { readonly op: 'replace'; readonly value: unknown }
  | { readonly op: 'remove' };

/**
 * Containers are copied along the path of a change and no further, so that a small patch of a large document is small
 * work. `owned` are the copies, which may be changed; the container around one is always one too.
 */
export interface Draft {
  root: unknown;
  readonly owned: Set<object>;
  /** What was looked through for copies. */
  copied: number;
  /** Elements that made room or closed up. */
  shifted: number;
}

export const draftOf = (root: unknown): Draft => ({ root, owned: new Set(), copied: 0, shifted: 0 });

const ownedCopy = ({ owned }: Draft, container: object): object => {
  if (owned.has(container)) return container;
  const copy = Array.isArray(container) ? container.slice() : { ...container };
  owned.add(copy);
  return copy;
};

const disown = (owned: Set<object>, value: unknown): void => {
  if (!isContainer(value) || !owned.delete(value)) return;
  for (const member of Object.values(value)) disown(owned, member);
};

/** The value is to stand in a second place: a change in one of them must not show in the other. */
export const share = (draft: Draft, value: unknown): void => disown(draft.owned, value);

/** The container at a path, copied along the way so that it may be changed. */
const writable = (draft: Draft, path: Tokens): object | undefined => {
  if (!isContainer(draft.root)) return undefined;
  let here = ownedCopy(draft, draft.root);
  draft.root = here;
  for (const token of path) {
    const member = memberOf(here, token)?.value;
    if (!isContainer(member)) return undefined;
    const next = ownedCopy(draft, member);
    (here as Record<string, unknown>)[token] = next;
    here = next;
  }
  return here;
};

interface AtPlace {
  readonly op: Change['op'];
  readonly token: string;
}

/** A list takes and loses elements at its own places only, and moves a bounded number of others for it. */
const shiftFor = (draft: Draft, list: readonly unknown[], { op, token }: AtPlace): Failure => {
  if (op === 'replace') return undefined;
  const index = op === 'add' && token === '-' ? list.length : indexIn(token, list.length);
  if (index === undefined) return 'this is no place in the list';
  draft.shifted += list.length - index;
  return draft.shifted > MAX_SHIFTED ? 'this moves too many elements' : undefined;
};

/** The library checks the place; its check of values would walk them at every move. */
const PLACES_ONLY = (): void => undefined;

export const change = (draft: Draft, path: Tokens, step: Change): Failure => {
  const last = path.at(-1);
  if (last !== undefined) {
    const container = writable(draft, path.slice(0, -1));
    if (!container) return 'there is nothing to change';
    const failure = Array.isArray(container)
      ? shiftFor(draft, container, { op: step.op, token: last })
      : undefined;
    if (failure !== undefined) return failure;
  }
  const operation: Operation = { ...step, path: writePointer(path) };
  draft.root = jsonpatch.applyOperation(draft.root, operation, PLACES_ONLY).newDocument;
  return undefined;
};
