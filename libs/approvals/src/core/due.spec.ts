/** What falls due of a batch, in which order, and that it happens once. */
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { matterOf, NOON, only, opened, rita, transferOf } from '../../test/bank.js';
import type { Batch } from './batch.js';
import { withChange } from './change.js';
import { claim, CLAIM_MS } from './claim.js';
import { applyDue, nextDue } from './due.js';

const HOUR = 3_600_000;

const claimed = (batch: Batch): Batch => {
  const judged = claim(matterOf(batch, rita, { now: NOON }));
  if (!judged.ok) throw new Error(judged.refusal.code);
  return withChange(batch, judged.value);
};
const at = (batch: Batch, now: number): Batch => withChange(batch, applyDue(batch, now));
const newsAt = (batch: Batch, now: number) => applyDue(batch, now).news.map(({ action }) => action);

describe('what falls due', () => {
  verifies('APR-78', 'a claim that nobody renewed is over, its holder named, and `rev` stays', () => {
    const batch = claimed(opened(transferOf(500)));
    const until = NOON + CLAIM_MS;
    expect(nextDue(batch)).toBe(until);
    expect(applyDue(batch, until - 1)).toEqual({ tasks: [], news: [] });
    expect(applyDue(batch, until).news).toEqual([
      { action: 'lapsed', by: 'hub', taskId: only(batch).taskId },
    ]);
    const { claim: none, rev, history } = only(at(batch, until));
    expect([none, rev]).toEqual([undefined, only(batch).rev]);
    expect(history.at(-1)).toEqual({ at: until, by: 'hub', action: 'lapse', text: 'rita' });
  });

  verifies('APR-70', 'what fell due first happens first, though all of it is seen to late', () => {
    expect(newsAt(claimed(opened(transferOf(500))), NOON + HOUR)).toEqual(['lapsed', 'expired', 'ready']);
  });

  verifies('APR-70', 'in the same moment the end of a task comes before all else', () => {
    const expiresAt = new Date(NOON + CLAIM_MS).toISOString();
    const asked = { interrupts: [{ id: 'i1', reason: 'confirmation', expiresAt }] };
    expect(newsAt(claimed(opened(asked)), NOON + CLAIM_MS)).toEqual(['expired', 'ready']);
  });

  verifies(
    'APR-70',
    'however often and late it is applied, the end is the same and each thing happens once',
    () => {
      const interrupts = ['a', 'b', 'c'].map((id) => ({ id, reason: 'confirmation' }));
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: HOUR }), { maxLength: 12 }), (waits) => {
          const first = claimed(opened({ interrupts }));
          const times = [...waits.toSorted((a, b) => a - b), HOUR].map((wait) => NOON + wait);
          const seen: string[] = [];
          let batch = first;
          for (const now of times) {
            seen.push(...newsAt(batch, now));
            batch = at(batch, now);
            expect(applyDue(batch, now)).toEqual({ tasks: [], news: [] });
          }
          expect(seen.toSorted()).toEqual(newsAt(first, NOON + HOUR).toSorted());
          expect(batch.status.state).toBe('ready');
          expect(nextDue(batch)).toBeUndefined();
        }),
      );
    },
  );
});
