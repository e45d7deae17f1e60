/** Proves that a figure survives being written, whatever it is. */
import fc from 'fast-check';
import { verifies } from '../../../../../test/spec/verifies.js';
import { figureIn, groupedText } from './number-text.js';

describe('a figure in a form', () => {
  verifies('WEB-114', 'is read back in groups, with every digit', () => {
    const told = [1_750_000, -12_500.25, 0.1234567, 1979, 1e21].map(groupedText);
    expect(told).toEqual(['1,750,000', '-12,500.25', '0.1234567', '1979', '1e+21']);
    const figures = fc.oneof(
      fc.integer(),
      fc.integer().map((cents) => cents / 100),
    );
    fc.assert(fc.property(figures, (value) => expect(figureIn(groupedText(value))).toBe(value)));
  });

  verifies('WEB-114', 'what is no figure is left as it was written', () => {
    for (const text of ['', '1,5', '1,75', '12,34,567', '1.2.3', '1.', 'ten', '1 000'])
      expect(figureIn(text)).toBe(text);
    expect(figureIn(' 1,750,000 ')).toBe(1_750_000);
    expect(figureIn('0012')).toBe(12);
  });
});
