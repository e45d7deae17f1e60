import { verifies } from '../../../../test/spec/verifies.js';
import { keepHidden } from './kept-hidden.js';

const real = { amount: 2_000_000, taxId: '12 345 678', heirs: [{ name: 'Ben', taxId: '9' }] };
const shown = { amount: 2_000_000, taxId: '[redacted]', heirs: [{ name: 'Ben', taxId: '[redacted]' }] };
const kept = (edited: unknown): unknown => keepHidden(edited, { shown, real });

describe('what an editor was not shown', () => {
  verifies('APR-27', 'stays as it is when its mark comes back', () => {
    expect(kept({ ...shown, amount: 5 })).toEqual({ ...real, amount: 5 });
    expect(kept(shown)).toEqual(real);
  });

  verifies('APR-27', 'is not conjured up where no mark was shown', () => {
    expect(kept({ amount: '[redacted]' })).toEqual({ amount: '[redacted]' });
    expect(kept({ note: '[redacted]' })).toEqual({ note: '[redacted]' });
    expect(kept({ amount: 1 })).toEqual({ amount: 1 });
    expect(kept({ heirs: [{ name: 'Eve', taxId: 'mine' }] })).toEqual({
      heirs: [{ name: 'Eve', taxId: 'mine' }],
    });
    expect(kept('[redacted]')).toBe('[redacted]');
  });

  verifies('RUN-40', 'stays as it is where a list showed an empty place for it', () => {
    const hidden = { real: [7, { secret: 1 }, { a: 1 }], shown: [{}, {}, { a: 1 }] };
    expect(keepHidden([{}, {}, { a: 2 }], hidden)).toEqual([7, { secret: 1 }, { a: 2 }]);
    expect(keepHidden([{}, { mine: 1 }, {}], hidden)).toEqual([7, { mine: 1 }, {}]);
  });

  it('is whole when the whole of it was hidden', () => {
    expect(keepHidden('[redacted]', { shown: '[redacted]', real })).toEqual(real);
  });
});
