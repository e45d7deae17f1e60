/** Remembers how far each thread's log was seen, so that a log that went back is noticed at the next append. */
import type { LogPosition } from './feed.js';

export interface KnownHeads {
  /** `life` is that of the store in which it was seen: from one start of its process to the end. */
  note(thread: string, found: LogPosition, life: string): void;
  of(thread: string): LogPosition | undefined;
  /** What was seen before this life of the store. */
  before(thread: string, life: string): LogPosition | undefined;
}

interface Seen {
  readonly latest: LogPosition;
  readonly life: string;
  readonly before: LogPosition | undefined;
}

/** Some 2 MB; threads beyond were quiet for long, and a loss is then found by who follows them. */
const MAX_THREADS = 10_000;

/** The further one where both are of one log; otherwise the second. */
export const further = (one: LogPosition | undefined, two: LogPosition): LogPosition =>
  one !== undefined && one.epoch === two.epoch && one.head > two.head ? one : two;

const beforeLife = (seen: Seen | undefined, life: string): LogPosition | undefined =>
  seen?.life === life ? seen.before : seen?.latest;

export const knownHeads = (most = MAX_THREADS): KnownHeads => {
  const heads = new Map<string, Seen>();
  return {
    note: (thread, found, life) => {
      const seen = heads.get(thread);
      // What is found may be part of a page, which must not live as long.
      const { epoch, head } = further(seen?.latest, found);
      const known = { latest: { epoch, head }, life, before: beforeLife(seen, life) };
      // Deleting first moves the thread to the young end.
      heads.delete(thread);
      heads.set(thread, known);
      const oldest = heads.keys().next();
      if (heads.size > most && !oldest.done) heads.delete(oldest.value);
    },
    of: (thread) => heads.get(thread)?.latest,
    before: (thread, life) => beforeLife(heads.get(thread), life),
  };
};
