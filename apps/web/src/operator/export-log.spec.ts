/** Proves that a saved log is the log. */
import { verifies } from '../../../../test/spec/verifies.js';
import type { LogPage } from './core/log-book.js';
import { EXPORT_MAX, EXPORT_PAGE } from './core/log-export.js';
import { exportLog } from './export-log.js';

const REFUSED = { refused: true as const, at: 5, rule: 'x', event: '{"type":"ODD"}' };

/** A hub that has so many events from `first` on, and one refused. */
const hubWith = (first: number, last: number) => async (after: number) => {
  const from = Math.max(first, after + 1);
  const count = Math.max(0, Math.min(EXPORT_PAGE, last - from + 1));
  const items: LogPage['items'][number][] = Array.from({ length: count }, (_, nth) => ({
    seq: from + nth,
    at: from + nth,
    event: { type: 'CUSTOM', text: 'two\nlines' },
  }));
  return after === 0 ? [...items, REFUSED] : items;
};

describe('a saved log', () => {
  verifies('WEB-37', 'holds every entry once, one a line, whatever pages it came in', async () => {
    for (const [first, last] of [
      [1, 0],
      [1, 3],
      [40, EXPORT_PAGE + 39],
      [7, 2 * EXPORT_PAGE + 500],
    ] as const) {
      const exported = await exportLog(hubWith(first, last));
      if (exported.state !== 'whole') throw new Error('not whole');
      const lines = exported.parts.join('').trimEnd().split('\n');
      const entries = lines.map((line) => JSON.parse(line) as { seq?: number; refused?: true });
      expect(entries).toHaveLength(exported.count);
      expect(entries.filter(({ refused }) => refused)).toEqual([REFUSED]);
      const seqs = entries.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
      expect(seqs).toEqual(Array.from({ length: last - first + 1 }, (_, nth) => first + nth));
    }
  });

  verifies('WEB-37', 'is none where a page is missing, and says so where it was cut', async () => {
    const hub = hubWith(1, 3 * EXPORT_PAGE);
    const broken = (after: number) => (after > EXPORT_PAGE ? Promise.resolve(undefined) : hub(after));
    expect(await exportLog(broken)).toEqual({ state: 'failed' });
    const endless = await exportLog(hubWith(1, 2 * EXPORT_MAX));
    expect(endless).toMatchObject({ state: 'cut' });
  });
});
