/** How long an agent asks to be left alone. */
import { verifies } from '../../../../test/spec/verifies.js';
import { retryAfterMs } from './retry-after.js';

const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';
const LATER = 'Wed, 21 Oct 2026 07:28:30 GMT';

const patienceIn = (asked: string | undefined, date?: string): number | undefined =>
  retryAfterMs({
    ...(asked === undefined ? {} : { 'retry-after': asked }),
    ...(date === undefined ? {} : { date }),
  });

describe('an agent that asks for patience', () => {
  verifies('RUN-54', 'says it in seconds, or as a date by its own clock', () => {
    expect(patienceIn('120')).toBe(120_000);
    expect(patienceIn(LATER, DATE)).toBe(30_000);
  });

  verifies('RUN-54', 'asks for nothing where it cannot be read', () => {
    const unread = [
      [undefined, DATE],
      ['soon', DATE],
      ['-5', DATE],
      ['1e9', DATE],
      [LATER],
      [DATE, LATER],
    ] as const;
    for (const [asked, date] of unread) expect([asked, patienceIn(asked, date)]).toEqual([asked, undefined]);
  });
});
