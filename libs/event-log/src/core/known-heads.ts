/** Remembers how far each thread's log was seen, so that a log that went back is noticed at the next append. */
import type { LogPosition } from './feed.js';

export interface KnownHeads {
  note(thread: string, found: LogPosition): void;
  of(thread: string): LogPosition | undefined;
}

/** Some 1 MB; threads beyond were quiet for long, and a loss is then found by who follows them. */
const MAX_THREADS = 10_000;

/** The further one where both are of one log; otherwise the second. */
export const further = (one: LogPosition | undefined, two: LogPosition): LogPosition =>
  one !== undefined && one.epoch === two.epoch && one.head > two.head ? one : two;

export const knownHeads = (most = MAX_THREADS): KnownHeads => {
  const heads = new Map<string, LogPosition>();
  return {
    note: (thread, found) => {
      const known = further(heads.get(thread), found);
      // Deleting first moves the thread to the young end.
      heads.delete(thread);
      heads.set(thread, known);
      const oldest = heads.keys().next();
      if (heads.size > most && !oldest.done) heads.delete(oldest.value);
    },
    of: (thread) => heads.get(thread),
  };
};
