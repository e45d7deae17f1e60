/** Sums of money as people write them. */
import { findAmount } from './find-amount.js';

describe('findAmount', () => {
  it.each([
    ['I want to invest 2 million', 2_000_000, ''],
    ['2 million euros please', 2_000_000, 'EUR'],
    ['1,200,000', 1_200_000, ''],
    ['1.200.000 €', 1_200_000, 'EUR'],
    ["CHF 2'500'000", 2_500_000, 'CHF'],
    ['1 200 000 EUR', 1_200_000, 'EUR'],
    ['€900k', 900_000, 'EUR'],
    ['about 1.5m', 1_500_000, ''],
    ['1,5 Mio', 1_500_000, ''],
    ['1.200 million', 1_200_000, ''],
    ['$2,500.50', 2_500.5, 'USD'],
    ['0.5 million dollars', 500_000, 'USD'],
    ['开户，投资200万元', 2_000_000, 'CNY'],
    ['750000', 750_000, ''],
    ['I am 45 and in 10 years I need 3 million', 3_000_000, ''],
    ['€5 now and 2 million later', 2_000_000, ''],
    ['refund 489.00 for N-10482', 489, ''],
    ['€48.90 for order N-10482 of 12 May', 48.9, 'EUR'],
    ['2 MILLION', 2_000_000, ''],
  ])('%s', (text, amount, currency) => {
    expect(findAmount(text)).toEqual(currency ? { amount, currency } : { amount });
  });

  it.each(['hello', 'I am 45', 'order N-10482', '200 people', 'in 365 days', '250 %', ''])(
    'nothing in "%s"',
    (text) => {
      expect(findAmount(text)).toBeUndefined();
    },
  );

  it('takes no time over a long run of digits', () => {
    expect(findAmount(`${'1 '.repeat(50_000)}x`)).toBeUndefined();
  });
});
