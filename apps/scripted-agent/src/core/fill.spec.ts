/** Placeholders become values, words or nothing. */
import { fill, fillWords } from './fill.js';

const SCOPE = { amount: 2_000_000, currency: 'CHF', a: { b: ['x'], none: null }, on: false };

describe('fill', () => {
  it.each([
    ['{{amount}}', 2_000_000],
    ['{{ a.b }}', ['x']],
    ['{{on}}', false],
    ['{{a.none}}', null],
    ['{{missing}}', undefined],
    ['{{a.constructor}}', undefined],
    ['{{amount}} {{currency}}', '2000000 CHF'],
    ['<{{missing}}{{a.none}}>', '<>'],
    ['{{amount | money}}', '€2,000,000'],
    ['{{amount | money currency}}', 'CHF\u00a02,000,000'],
    ['{{amount | grow 0.1 2}}', [2_000_000, 2_200_000, 2_420_000]],
    ['{{amount | grow 0.1 2 | last | money}}', '€2,420,000'],
    ['no {placeholder}', 'no {placeholder}'],
  ])('%s', (template, value) => {
    expect(fill(template, SCOPE)).toEqual(value);
  });

  it('leaves members without a value out, and keeps places in lists', () => {
    expect(fill({ x: '{{missing}}', y: ['{{missing}}', 1], z: { n: '{{a.none}}' } }, SCOPE)).toEqual({
      y: [null, 1],
      z: { n: null },
    });
  });

  it('writes cents only where there are some', () => {
    expect(fillWords('{{sum | money}}', { sum: 48.9 })).toBe('€48.90');
  });

  it('does not know what it was not told', () => {
    expect(() => fill('{{amount | shout}}', SCOPE)).toThrow('there is no filter shout');
  });
});
