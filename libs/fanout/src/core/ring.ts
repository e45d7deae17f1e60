/** Keeps the latest shown events of a surface, bounded by count and bytes. */
import { comparePlaces, LAST_INDEX, samePlace, START, type Place } from './place.js';
import type { Shown } from './shown.js';

/** An unbroken window of the stream; a value, though windows share one growing array. */
export interface Ring {
  /** The place just before the first event held. */
  readonly before: Place;
  readonly shared: readonly Shown[];
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** A reader that was away for a minute of fast text is still inside. */
export const RING_EVENTS = 4096;
/** Beyond this a snapshot is smaller than what was missed. */
export const RING_BYTES = 1024 * 1024;

export const EMPTY_RING: Ring = { before: START, shared: [], from: 0, to: 0, bytes: 0 };

/** Appends in place when this window ends where the array ends; a window further back gets its own copy. */
const grown = (ring: Ring, shown: readonly Shown[]): Shown[] => {
  const atTip = ring.to > 0 && ring.shared.length === ring.to;
  const items = atTip ? (ring.shared as Shown[]) : ring.shared.slice(ring.from, ring.to);
  items.push(...shown);
  return items;
};

export const pushShown = (ring: Ring, shown: readonly Shown[]): Ring => {
  if (shown.length === 0) return ring;
  const shared = grown(ring, shown);
  const from = shared === ring.shared ? ring.from : 0;
  const added = shown.reduce((sum, one) => sum + one.json.length, 0);
  return { before: ring.before, shared, from, to: shared.length, bytes: ring.bytes + added };
};

/** Lets go of the oldest beyond the bounds, but of nothing after `keepAfter`: that was not written to anyone yet. */
export const trimRing = (ring: Ring, keepAfter: Place, bytesAllowed = RING_BYTES): Ring => {
  let { before, from, bytes } = ring;
  for (let oldest = ring.shared[from]; oldest !== undefined && from < ring.to; oldest = ring.shared[from]) {
    const fits = ring.to - from <= RING_EVENTS && bytes <= bytesAllowed;
    if (fits || comparePlaces(oldest, keepAfter) > 0) break;
    before = { seq: oldest.seq, index: oldest.index };
    bytes -= oldest.json.length;
    from += 1;
  }
  if (from === ring.from) return ring;
  // Without this the array would keep what the window let go of.
  if (from > ring.shared.length / 2)
    return { before, bytes, shared: ring.shared.slice(from, ring.to), from: 0, to: ring.to - from };
  return { ...ring, before, from, bytes };
};

/** How many of the held events come at or before `place`. */
const countUpTo = (ring: Ring, place: Place): number => {
  let low = ring.from;
  let high = ring.to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = ring.shared[middle];
    if (item !== undefined && comparePlaces(item, place) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - ring.from;
};

export const headOf = (ring: Ring): Place => {
  const last = ring.shared[ring.to - 1];
  return last !== undefined && ring.to > ring.from ? { seq: last.seq, index: last.index } : ring.before;
};

/** The event a place names, or the one before everything held; undefined when it names neither. */
export const findPlace = (ring: Ring, place: Place): Place | undefined => {
  if (samePlace(place, ring.before)) return ring.before;
  if (comparePlaces(place, ring.before) < 0) return undefined;
  const nth = countUpTo(ring, place);
  const item = nth === 0 ? undefined : ring.shared[ring.from + nth - 1];
  // An operator may name an entry that showed nothing: what came before it counts.
  if (place.index === LAST_INDEX) return item ?? ring.before;
  return item !== undefined && samePlace(item, place) ? item : undefined;
};

/** All that was shown after a place that {@link findPlace} found. */
export const shownAfter = (ring: Ring, place: Place): readonly Shown[] =>
  ring.shared.slice(ring.from + countUpTo(ring, place), ring.to);
