/** Names one shown event within a surface's stream, and orders such names. */

export interface Place {
  /** The log entry; 0 before the first. */
  readonly seq: number;
  /** Which of the events that entry became. */
  readonly index: number;
}

/** Before everything: nothing was shown yet. */
export const START: Place = { seq: 0, index: 0 };

/** Stands for the last event of an entry, however many it became. */
export const LAST_INDEX = 0xffff_ffff;

export const afterEntry = (seq: number): Place => (seq === 0 ? START : { seq, index: LAST_INDEX });

export const samePlace = (a: Place, b: Place): boolean => a.seq === b.seq && a.index === b.index;

/** Negative when `a` comes first; numbers, never text (an id "10" comes after "9"). */
export const comparePlaces = (a: Place, b: Place): number =>
  a.seq === b.seq ? a.index - b.index : a.seq - b.seq;
