/** Joins what was read with what arrived meanwhile, so that a seam neither loses nor doubles an entry. */
import type { LogEntry } from '@triptych/protocol';

/** The entries of `arrived` that continue after `seq`, each once, in order; stops before the first hole. */
export const continuing = (seq: number, arrived: readonly LogEntry[]): readonly LogEntry[] => {
  const next: LogEntry[] = [];
  let last = seq;
  for (const entry of arrived) {
    if (entry.seq <= last) continue;
    if (entry.seq !== last + 1) break;
    next.push(entry);
    last = entry.seq;
  }
  return next;
};
