/** Writes the JSON Patch that leads from one value to another; work and size go by what differs. */
import type { JsonPatch } from '../agui.js';
import { MAX_PATCH_OPS } from '../limits.js';
import { alignLists } from './align-lists.js';
import { escapeToken } from './json-pointer.js';
import { isContainer, weigh } from './json-size.js';
import { sameJson } from './same-json.js';

type Step = JsonPatch[number];
type Members = Readonly<Record<string, unknown>>;
type List = readonly unknown[];

/** The steps so far, and about how many characters they take. */
interface Draft {
  readonly steps: Step[];
  weight: number;
}

/** Where two values stand that are compared. */
interface Place {
  readonly draft: Draft;
  readonly path: string;
  /** The last token of the path, as it is. */
  readonly name: string;
}

/** Characters of a step beside its path and value. */
const STEP_WEIGHT = 32;

const areMembers = (before: unknown, after: unknown): boolean =>
  isContainer(before) && isContainer(after) && !Array.isArray(before) && !Array.isArray(after);

const weightOf = (step: Step): number =>
  STEP_WEIGHT + step.path.length + ('value' in step ? weigh(step.value, Number.POSITIVE_INFINITY) : 0);

const say = (draft: Draft, step: Step): void => {
  draft.steps.push(step);
  draft.weight += weightOf(step);
};

const at = (place: Place, key: string | number): string => `${place.path}/${escapeToken(String(key))}`;
const into = (place: Place, key: string | number): Place => ({
  draft: place.draft,
  path: at(place, key),
  name: String(key),
});

/** Members that no path may name: whoever holds one that changed is told anew as a whole. */
const isOutOfReach = ({ name }: Place, key: string): boolean =>
  key === '__proto__' || (key === 'prototype' && name === 'constructor');

interface Both {
  readonly before: Members;
  readonly after: Members;
}

/** False: there is no step that a reader would take. */
const memberInto = (place: Place, key: string, { before, after }: Both): boolean => {
  const [was, is] = [Object.hasOwn(before, key), Object.hasOwn(after, key)];
  if (was && is && before[key] === after[key]) return true;
  if (isOutOfReach(place, key)) return was && is && sameJson(before[key], after[key]);
  if (!is) say(place.draft, { op: 'remove', path: at(place, key) });
  else if (was) stepsInto(into(place, key), before[key], after[key]);
  else say(place.draft, { op: 'add', path: at(place, key), value: after[key] });
  return true;
};

/** False: the steps are too many, or cannot be told. */
const membersInto = (place: Place, both: Both): boolean => {
  const most = place.draft.steps.length + MAX_PATCH_OPS;
  const added = Object.keys(both.after).filter((key) => !Object.hasOwn(both.before, key));
  return [...Object.keys(both.before), ...added].every(
    (key) => memberInto(place, key, both) && place.draft.steps.length <= most,
  );
};

/** What stands before the next place is already as it will be, so that every step names a place of the new list. */
const listInto = (place: Place, before: List, after: List): boolean => {
  const { draft } = place;
  const most = draft.steps.length + MAX_PATCH_OPS;
  for (const { from, to, index } of alignLists(before, after)) {
    if (from === undefined) say(draft, { op: 'add', path: at(place, index), value: after[index] });
    else if (to === undefined) say(draft, { op: 'remove', path: at(place, index) });
    else stepsInto(into(place, index), before[from], after[to]);
    if (draft.steps.length > most) return false;
  }
  return true;
};

const containerInto = (place: Place, before: object, after: object): boolean =>
  Array.isArray(before)
    ? listInto(place, before as List, after as List)
    : membersInto(place, { before: before as Members, after: after as Members });

/** Steps leave alone what stayed; they may take this many times the room of the whole. */
const WORTH = 2;

/** One step for all of it, where the steps cannot be told or take far more room. */
const stepsInto = (place: Place, before: unknown, after: unknown): void => {
  if (before === after) return;
  const { draft, path } = place;
  const whole: Step = { op: 'replace', path, value: after };
  if (!areMembers(before, after) && !(Array.isArray(before) && Array.isArray(after)))
    return say(draft, whole);
  const [begun, weight] = [draft.steps.length, draft.weight];
  const told = containerInto(place, before as object, after as object);
  if (told && draft.steps.length - begun < 2) return;
  const worth = (draft.weight - weight) / WORTH;
  if (told && STEP_WEIGHT + path.length + weigh(after, worth) >= worth) return;
  draft.steps.length = begun;
  draft.weight = weight;
  say(draft, whole);
};

/**
 * `applyPatch(before, diffJson(before, after))` is `after`; an absent document is added or removed at the root. What is
 * the same object on both sides is not looked into, and an element of a list that moved is not told as a change of all
 * those that moved with it.
 */
export const diffJson = (before: unknown, after: unknown): JsonPatch => {
  if (before === after) return [];
  if (after === undefined) return [{ op: 'remove', path: '' }];
  if (before === undefined) return [{ op: 'add', path: '', value: after }];
  const draft: Draft = { steps: [], weight: 0 };
  stepsInto({ draft, path: '', name: '' }, before, after);
  return draft.steps;
};
