/** Holds what is announced while the log is read, and joins it to what was read without a gap or a repeat. */
import type { LogEntry } from '@triptych/protocol';
import { type Batch, entriesAfter } from './batch.js';

export interface HeldBatch {
  readonly epoch: string;
  readonly batch: Batch;
}
export type JoinBuffer = readonly HeldBatch[];

/** Announced batches are at most 32 KB each, so this is 8 MB; what falls out is read again. */
const MAX_HELD = 256;

/** The newest stay: a read that is under way covers the oldest. */
export const hold = (buffer: JoinBuffer, held: HeldBatch): JoinBuffer => [...buffer, held].slice(-MAX_HELD);

export interface Joined {
  readonly entries: readonly LogEntry[];
  /** The last seq covered without a gap. */
  readonly at: number;
  /** What lies beyond a gap. */
  readonly rest: readonly Batch[];
}

/** Takes all that follows `at` without a gap, each seq once; batches may overlap and come in any order. */
export const joinFrom = (at: number, batches: readonly Batch[]): Joined => {
  const inOrder = [...batches].sort((a, b) => a.first - b.first);
  const entries: LogEntry[] = [];
  let reached = at;
  let gap = inOrder.length;
  for (const [index, batch] of inOrder.entries()) {
    if (batch.first > reached + 1) {
      gap = index;
      break;
    }
    if (batch.last <= reached) continue;
    entries.push(...entriesAfter(batch, reached));
    reached = batch.last;
  }
  return { entries, at: reached, rest: inOrder.slice(gap) };
};
