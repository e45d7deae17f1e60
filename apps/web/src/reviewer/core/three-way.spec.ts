/** Proves that of two changes to one proposal none is lost unseen. */
import { verifies } from '../../../../../test/spec/verifies.js';
import { mergedEdit, threeRows } from './three-way.js';
import { valueRows } from './values.js';

const rows = (args: unknown) => valueRows(args, undefined) ?? [];

describe('an edit of what somebody else edited meanwhile', () => {
  const was = { amount: 10, fee: 1, plan: { name: 'gold', years: 2 }, note: 'x', list: [1] };

  verifies('WEB-66', 'keeps what its author changed, and takes all else as it is now', () => {
    const yours = { ...was, amount: 20, plan: { name: 'silver', years: 2 } };
    const now = { ...was, amount: 30, fee: 2, plan: { name: 'gold', years: 3 }, list: [1, 2] };
    expect(mergedEdit({ was, yours, now })).toEqual({
      amount: 20,
      fee: 2,
      plan: { name: 'silver', years: 3 },
      note: 'x',
      list: [1, 2],
    });
    const { note: _note, ...without } = was;
    expect(mergedEdit({ was, yours: without, now })).toEqual({ ...now, note: undefined });
    expect(mergedEdit({ was, yours: was, now: { ...without, more: 1 } })).toEqual({ ...without, more: 1 });
  });

  verifies(
    'WEB-66',
    'shows field by field what was, what is theirs and what is now, and where both changed it',
    () => {
      const shown = threeRows(
        {
          was: rows({ amount: 10, fee: 1, note: 'x' }),
          yours: rows({ amount: 20, fee: 1, note: 'x' }),
          now: rows({ amount: 30, fee: 2, note: 'x' }),
        },
        ({ value }) => JSON.stringify(value),
      );
      expect(shown.map(({ key, clash }) => [key, clash])).toEqual([
        ['amount', true],
        ['fee', false],
      ]);
      const same = threeRows(
        { was: rows({ a: 1 }), yours: rows({ a: 2 }), now: rows({ a: 2 }) },
        ({ value }) => JSON.stringify(value),
      );
      expect(same.map(({ clash }) => clash)).toEqual([false]);
    },
  );
});
