/** Writes the JSON Patch that leads from one value to another. */
import jsonpatch from 'fast-json-patch';
import type { JsonPatch } from '../agui.js';
import { MAX_PATCH_OPS } from '../limits.js';
import { reachesPrototype, readPointer } from './json-pointer.js';
import { sameJson } from './same-json.js';

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const sameKind = (before: unknown, after: unknown): boolean =>
  isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after);

/** A step that readers would refuse makes the whole patch useless; so does one longer than a patch may be. */
const isUsable = (patch: JsonPatch): boolean =>
  patch.length <= MAX_PATCH_OPS && patch.every(({ path }) => !reachesPrototype(readPointer(path) ?? []));

/** `applyPatch(before, diffJson(before, after))` is `after`; an absent document is added or removed at the root. */
export const diffJson = (before: unknown, after: unknown): JsonPatch => {
  if (before === after) return [];
  if (after === undefined) return [{ op: 'remove', path: '' }];
  if (before === undefined) return [{ op: 'add', path: '', value: after }];
  if (sameKind(before, after)) {
    const patch = jsonpatch.compare(before as object, after as object) as JsonPatch;
    if (isUsable(patch)) return patch;
  } else if (sameJson(before, after)) return [];
  return [{ op: 'replace', path: '', value: after }];
};
