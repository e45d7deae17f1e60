/** A log as lines of JSON, one an entry, as the hub told it. */
import type { LogPage } from './log-book.js';

/** As many as the hub gives at once. */
export const EXPORT_PAGE = 1_000;
/** More is a matter for the store's own tools: a page holds it all before it is saved. */
export const EXPORT_MAX = 200_000;

type Item = LogPage['items'][number];

export const linesOf = (items: readonly Item[]): string =>
  items.map((item) => `${JSON.stringify(item)}\n`).join('');

export type Exported =
  | { readonly state: 'whole' | 'cut'; readonly parts: readonly string[]; readonly count: number }
  | { readonly state: 'failed' };

/** Refused events come with the first page; each later one goes on after the last stored. */
export const exportLog = async (
  read: (after: number) => Promise<readonly Item[] | undefined>,
): Promise<Exported> => {
  const parts: string[] = [];
  let count = 0;
  for (let after = 0; ;) {
    const items = await read(after);
    if (items === undefined) return { state: 'failed' };
    parts.push(linesOf(items));
    count += items.length;
    const last = items.findLast(({ seq }) => seq !== undefined)?.seq;
    const stored = items.filter(({ refused }) => !refused).length;
    if (last === undefined || stored < EXPORT_PAGE) return { state: 'whole', parts, count };
    if (count >= EXPORT_MAX) return { state: 'cut', parts, count };
    after = last;
  }
};
