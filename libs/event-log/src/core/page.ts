/** A part of a log, read at one moment: nothing in it is missing. */
import { type Batch, batchOfEntry } from './batch.js';

export interface Page {
  readonly epoch: string;
  readonly head: number;
  readonly firstSeq: number;
  readonly batches: readonly Batch[];
}

export type StreamEntry = readonly [id: string, fields: readonly string[]];
export type PageReply = readonly [
  epoch: string,
  head: string,
  firstSeq: string,
  entries: readonly StreamEntry[],
];

/** Throws when the store lacks events that it says it has: a reader must not take a hole for the end. */
export const pageOf = ([epoch, head, firstSeq, entries]: PageReply, after: number): Page => {
  const page = {
    epoch,
    head: Number(head),
    firstSeq: Number(firstSeq),
    batches: entries.map(([id, fields]) => batchOfEntry(id, fields)),
  };
  let covered = Math.max(after, page.firstSeq - 1);
  for (const { first, last } of page.batches) {
    if (first > covered + 1)
      throw new Error(`The log is damaged: seq ${covered + 1} to ${first - 1} are missing.`);
    covered = last;
  }
  if (page.batches.length === 0 && covered < page.head) {
    throw new Error(`The log is damaged: seq ${covered + 1} to ${page.head} are missing.`);
  }
  return page;
};

/** The last seq that a reader at `after` has covered with this page. */
export const coveredBy = ({ batches }: Page, after: number): number =>
  Math.max(after, batches.at(-1)?.last ?? after);
