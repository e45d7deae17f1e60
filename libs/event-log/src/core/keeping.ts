/** Decides when a thread gets a snapshot, which are kept, and how much of its log may go. */

/** A reader that begins at the newest snapshot reads about as many events as these at most. */
const SNAPSHOT_EVENTS = 500;
const SNAPSHOT_CHARS = 256 * 1024;
/** At a run's end fewer are worth it: the next run begins there. */
const EVENTS_AT_REST = 50;
/** They lie the further apart the older they are, so that few of them reach back far. */
export const MAX_SNAPSHOTS = 6;

export interface SinceSnapshot {
  readonly events: number;
  readonly chars: number;
  /** Characters of the last snapshot; 0 where it is not known. */
  readonly held: number;
}

/** What the next snapshot tells again must not outweigh what is new by more than this. */
const TOLD_AGAIN = 2;

/** All snapshots of a thread together then cost in proportion to its events, however much it holds. */
export const isDue = ({ events, chars, held }: SinceSnapshot, atRest: boolean): boolean =>
  chars * TOLD_AGAIN >= held &&
  (events >= SNAPSHOT_EVENTS || chars >= SNAPSHOT_CHARS || (atRest && events >= EVENTS_AT_REST));

export interface Kept {
  /** The new one. */
  readonly fresh: number;
  /** Those there are, of any order. */
  readonly seqs: readonly number[];
  readonly firstSeq: number;
  /** Events to be kept behind the newest snapshot; undefined: all. */
  readonly logKeep?: number | undefined;
}

export interface Keeping {
  /** The last seq that goes; 0: none. */
  readonly trimTo: number;
  readonly drop: readonly number[];
}

/** How little is lost without the one at `index`: the hole it leaves, by the distance from the newest. */
const holeAt = (seqs: readonly number[], index: number): number => {
  const newest = seqs.at(-1) ?? 0;
  const older = seqs[index - 1] ?? 0;
  const newer = seqs[index + 1] ?? newest;
  return (newer - older) / (newest - older);
};

/** Ascending; the newest stays, and so does the oldest when the log begins there. */
const thinned = (seqs: readonly number[], keepsOldest: boolean): readonly number[] => {
  let left = [...seqs];
  while (left.length > MAX_SNAPSHOTS) {
    const seqs = left;
    const inside = [...seqs.keys()].slice(keepsOldest ? 1 : 0, -1);
    const [least = 0] = inside.toSorted((a, b) => holeAt(seqs, a) - holeAt(seqs, b));
    left = seqs.toSpliced(least, 1);
  }
  return left;
};

/** Trimming never passes a snapshot, so that every seq still in the log can be reached from one. */
export const planKeeping = ({ fresh, seqs, firstSeq, logKeep }: Kept): Keeping => {
  const all = [...seqs, fresh].toSorted((a, b) => a - b);
  const base = firstSeq - 1;
  const reach = logKeep === undefined ? 0 : fresh - logKeep;
  const trimTo = all.findLast((seq) => seq <= reach && seq > base) ?? 0;
  const begin = Math.max(base, trimTo);
  const usable = all.filter((seq) => seq >= begin);
  const kept = new Set(thinned(usable, begin > 0));
  return { trimTo, drop: seqs.filter((seq) => !kept.has(seq)) };
};
