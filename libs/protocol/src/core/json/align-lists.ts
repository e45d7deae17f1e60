/** Finds which elements of a list are still there in a later one, so that a shift is told as one step. */
import { sameJson } from './same-json.js';

type List = readonly unknown[];

/**
 * One element of either list, in the order in which the old list becomes the new one: `index` is its place in the new
 * list, or where an old one is taken out. Without `from` it is new, without `to` it is gone.
 */
export interface Aligned {
  readonly from?: number;
  readonly to?: number;
  readonly index: number;
}

/** Elements that are looked up one by one; beyond them a list is compared place by place. */
const MAX_LOOKED_UP = 20_000;

/** The part of both lists between what they begin and end with alike. */
interface Middle {
  readonly before: List;
  readonly after: List;
  readonly start: number;
  readonly endBefore: number;
  readonly endAfter: number;
}

const middleOf = (before: List, after: List): Middle => {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && sameJson(before[start], after[start])) start += 1;
  let tail = 0;
  while (tail < shorter - start && sameJson(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
  return { before, after, start, endBefore: before.length - tail, endAfter: after.length - tail };
};

/** Pairs of places, old and new. */
type Pairs = Map<number, number>;
type Naming = (element: unknown) => unknown;

const isObject = (element: unknown): element is Readonly<Record<string, unknown>> =>
  typeof element === 'object' && element !== null && !Array.isArray(element);

/** By what an element is known again: itself, its text, its id; `undefined` is no name. */
const NAMINGS: readonly Naming[] = [
  (element) => element,
  (element) => (typeof element === 'object' && element !== null ? JSON.stringify(element) : undefined),
  (element) =>
    isObject(element) && ['string', 'number'].includes(typeof element['id']) ? element['id'] : undefined,
];

const range = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, n) => start + n);

/** Elements of one name find each other in order. */
const pairBy = (naming: Naming, { before, after }: Middle, [left, right]: [number[], number[]]): Pairs => {
  const byName = new Map<unknown, number[]>();
  for (const place of right.toReversed()) {
    const name = naming(after[place]);
    if (name === undefined) continue;
    const places = byName.get(name);
    if (places) places.push(place);
    else byName.set(name, [place]);
  }
  const found: Pairs = new Map();
  for (const place of left) {
    const partner = byName.get(naming(before[place]))?.pop();
    if (partner !== undefined) found.set(place, partner);
  }
  return found;
};

const pairsOf = (middle: Middle): Pairs => {
  const { start, endBefore, endAfter } = middle;
  const pairs: Pairs = new Map();
  let left = range(start, endBefore);
  let right = range(start, endAfter);
  for (const naming of NAMINGS) {
    if (left.length === 0 || right.length === 0) break;
    const found = pairBy(naming, middle, [left, right]);
    const taken = new Set(found.values());
    for (const [from, to] of found) pairs.set(from, to);
    left = left.filter((place) => !found.has(place));
    right = right.filter((place) => !taken.has(place));
  }
  return pairs;
};

/** The most pairs that keep their order in both lists: a longest increasing subsequence of the new places. */
const inOrder = (pairs: Pairs): (readonly [number, number])[] => {
  const sorted = [...pairs].toSorted(([a], [b]) => a - b);
  const ends: number[] = [];
  const earlier: number[] = [];
  const placeAt = (n: number): number => sorted[n]?.[1] ?? -1;
  sorted.forEach(([, to], n) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const mid = (low + high) >> 1;
      if (placeAt(ends[mid] ?? -1) < to) low = mid + 1;
      else high = mid;
    }
    earlier[n] = ends[low - 1] ?? -1;
    ends[low] = n;
  });
  const kept: (readonly [number, number])[] = [];
  for (let n = ends.at(-1) ?? -1; n >= 0; n = earlier[n] ?? -1) kept.push(sorted[n] ?? [0, 0]);
  return kept.toReversed();
};

/** Between two elements that stay: what is gone makes room for what is new, the rest is taken out or put in. */
function* gap(from: readonly [number, number], to: readonly [number, number]): Generator<Aligned> {
  let [left, right] = from;
  while (left < to[0] && right < to[1]) yield { from: left++, to: right, index: right++ };
  while (left < to[0]) yield { from: left++, index: right };
  while (right < to[1]) yield { to: right, index: right++ };
}

export function* alignLists(before: List, after: List): Generator<Aligned> {
  const middle = middleOf(before, after);
  const { start, endBefore, endAfter } = middle;
  const size = endBefore - start + (endAfter - start);
  const nothingToFind = start === endBefore || start === endAfter || size > MAX_LOOKED_UP;
  let reached: readonly [number, number] = [start, start];
  for (const [from, to] of nothingToFind ? [] : inOrder(pairsOf(middle))) {
    yield* gap(reached, [from, to]);
    yield { from, to, index: to };
    reached = [from + 1, to + 1];
  }
  yield* gap(reached, [endBefore, endAfter]);
}
