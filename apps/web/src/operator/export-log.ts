/** Reads a whole log, page after page. */
import { linesOf, pageAfter, type ExportItem } from './core/log-export.js';

export type Exported =
  | { readonly state: 'whole' | 'cut'; readonly parts: readonly string[]; readonly count: number }
  | { readonly state: 'failed' };

/** Refused events come with the first page; each later one goes on after the last stored. */
export const exportLog = async (
  read: (after: number) => Promise<readonly ExportItem[] | undefined>,
): Promise<Exported> => {
  const parts: string[] = [];
  let count = 0;
  for (let after = 0; ;) {
    const items = await read(after);
    if (items === undefined) return { state: 'failed' };
    parts.push(linesOf(items));
    count += items.length;
    const next = pageAfter(items, count);
    if (typeof next === 'string') return { state: next, parts, count };
    after = next;
  }
};
