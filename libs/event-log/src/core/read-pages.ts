/** Puts pages together to one read; all of it is of one epoch. */
import type { LogEntry } from '@triptych/protocol';
import { entriesAfter } from './batch.js';
import type { LogPage } from './event-log.js';
import { type Page, coveredBy } from './page.js';

export type ReadPage = (after: number, events: number) => Promise<Page>;

export interface ReadRange {
  readonly after: number;
  readonly limit: number;
}

/** A log changes its epoch after a disaster, not twice within one read. */
const MAX_RESTARTS = 3;

const readOneEpoch = async (
  readPage: ReadPage,
  { after, limit }: ReadRange,
): Promise<LogPage | 'changed'> => {
  const entries: LogEntry[] = [];
  let at = after;
  let page: Page | undefined;
  while (page === undefined || (entries.length < limit && at < page.head)) {
    const next = await readPage(at, limit - entries.length);
    if (page !== undefined && next.epoch !== page.epoch) return 'changed';
    page = next;
    for (const batch of page.batches) entries.push(...entriesAfter(batch, at));
    at = coveredBy(page, at);
  }
  const { epoch, head, firstSeq } = page;
  return { epoch, head, firstSeq, entries: entries.slice(0, limit) };
};

export const readRange = async (readPage: ReadPage, range: ReadRange): Promise<LogPage> => {
  for (let attempt = 0; attempt <= MAX_RESTARTS; attempt += 1) {
    const page = await readOneEpoch(readPage, range);
    if (page !== 'changed') return page;
  }
  throw new Error('The log changed its epoch again and again while it was read.');
};
