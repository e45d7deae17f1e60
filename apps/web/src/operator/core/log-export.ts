/** A log as lines of JSON, one an entry, as the hub told it. */
import type { LogPage } from './log-book.js';

/** As many as the hub gives at once. */
export const EXPORT_PAGE = 1_000;
/** More is a matter for the store's own tools: a page holds it all before it is saved. */
export const EXPORT_MAX = 200_000;

export type ExportItem = LogPage['items'][number];

export const linesOf = (items: readonly ExportItem[]): string =>
  items.map((item) => `${JSON.stringify(item)}\n`).join('');

/** Where the page after this one begins, or why there is none; `count`: entries so far. */
export const pageAfter = (items: readonly ExportItem[], count: number): number | 'whole' | 'cut' => {
  const last = items.findLast(({ seq }) => seq !== undefined)?.seq;
  const stored = items.filter(({ refused }) => !refused).length;
  if (last === undefined || stored < EXPORT_PAGE) return 'whole';
  return count >= EXPORT_MAX ? 'cut' : last;
};
