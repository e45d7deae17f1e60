import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { MAX_SNAPSHOTS, isDue, planKeeping } from './keeping.js';

interface Thread {
  readonly seqs: readonly number[];
  readonly firstSeq: number;
  readonly newest: number;
}

/** A thread that grew by these steps, a snapshot after each. */
const grown = (steps: readonly number[], logKeep: number | undefined): readonly Thread[] => {
  let thread: Thread = { seqs: [], firstSeq: 1, newest: 0 };
  return steps.map((step) => {
    const fresh = thread.newest + step;
    const { trimTo, drop } = planKeeping({ ...thread, fresh, logKeep });
    thread = {
      seqs: [...thread.seqs, fresh].filter((seq) => !drop.includes(seq)),
      firstSeq: Math.max(thread.firstSeq, trimTo + 1),
      newest: fresh,
    };
    return thread;
  });
};

const steps = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 60 });

describe('what is kept of a thread', () => {
  verifies('LOG-25', 'a snapshot is due after 500 events, 256 KB, or 50 events at a rest', () => {
    expect(isDue({ events: 499, chars: 0, held: 0 }, false)).toBe(false);
    expect(isDue({ events: 500, chars: 0, held: 0 }, false)).toBe(true);
    expect(isDue({ events: 1, chars: 256 * 1024, held: 0 }, false)).toBe(true);
    expect(isDue({ events: 49, chars: 0, held: 0 }, true)).toBe(false);
    expect(isDue({ events: 50, chars: 0, held: 0 }, true)).toBe(true);
  });

  verifies('LOG-25', 'and not before what is new weighs half as much as what would be told again', () => {
    expect(isDue({ events: 5_000, chars: 299_999, held: 600_000 }, true)).toBe(false);
    expect(isDue({ events: 5_000, chars: 300_000, held: 600_000 }, true)).toBe(true);
  });

  verifies('LOG-26', 'whatever is trimmed, a snapshot stands right before the first event kept', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 2_000 }), (all, logKeep) => {
        let before = 1;
        for (const { seqs, firstSeq, newest } of grown(all, logKeep)) {
          expect(firstSeq).toBeGreaterThanOrEqual(before);
          expect(firstSeq === 1 || seqs.includes(firstSeq - 1)).toBe(true);
          expect(firstSeq === 1 || newest - (firstSeq - 1) >= logKeep).toBe(true);
          expect(seqs).toContain(newest);
          before = firstSeq;
        }
      }),
    );
  });

  verifies('LOG-26', 'without LOG_KEEP nothing is trimmed', () => {
    fc.assert(fc.property(steps, (all) => grown(all, undefined).every(({ firstSeq }) => firstSeq === 1)));
  });

  verifies('LOG-29', 'few snapshots are kept, and one lies in every stretch twice as far back', () => {
    const threads = grown(
      Array.from({ length: 400 }, () => 500),
      undefined,
    );
    for (const { seqs } of threads) expect(seqs.length).toBeLessThanOrEqual(MAX_SNAPSHOTS);
    const { seqs, newest } = threads.at(-1) as Thread;
    for (const back of [500, 1_000, 2_000, 4_000]) {
      const within = seqs.filter((seq) => newest - seq >= back && newest - seq <= 4 * back);
      expect({ back, found: within.length > 0 }).toEqual({ back, found: true });
    }
  });
});
