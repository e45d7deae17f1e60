/** An entry as a snapshot keeps it: what a fold and a view need of it, without its stored text. */
import type { LogEntry } from '../log-entry.js';

export type ToldEntry = Pick<LogEntry, 'seq' | 'at' | 'source' | 'event'>;

export const isOf = (type: string): ((entry: ToldEntry) => boolean) => {
  return ({ event }) => event.type === type;
};

/** Where the last run begins: what is before it can only be seen in what it left behind. */
export const startOfLastRun = (entries: readonly ToldEntry[]): number =>
  Math.max(0, entries.findLastIndex(isOf('RUN_STARTED')));
