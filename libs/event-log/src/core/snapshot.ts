/** A thread up to one seq in few entries: what is kept of it, and where a reader may begin. */
import { type AguiEvent, type ToldEntry, abridge } from '@triptych/protocol';
import { SOURCE_LETTER, sourceOf } from './batch.js';

/** Where to begin: `entries` lead to where all of the log up to `seq` leads; seq 0 is before the first event. */
export interface LogStart {
  /** '' when there is no log yet. */
  readonly epoch: string;
  readonly seq: number;
  readonly entries: readonly ToldEntry[];
}

/** Another version is no snapshot to this program. */
const VERSION = 1;

type StoredEntry = readonly [seq: number, at: number, source: string, event: AguiEvent];

interface Stored {
  readonly v: number;
  readonly entries: readonly StoredEntry[];
}

export const snapshotText = (entries: readonly ToldEntry[]): string => {
  const stored = abridge(entries).map(({ seq, at, source, event }) => [
    seq,
    at,
    SOURCE_LETTER[source],
    event,
  ]);
  return JSON.stringify({ v: VERSION, entries: stored });
};

/** Undefined: written by a program of another version. */
export const readSnapshot = (text: string): readonly ToldEntry[] | undefined => {
  const { v, entries } = JSON.parse(text) as Stored;
  if (v !== VERSION) return undefined;
  return entries.map(([seq, at, letter, event]) => ({ seq, at, source: sourceOf(letter), event }));
};
