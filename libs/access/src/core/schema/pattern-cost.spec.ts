import { patternCost } from './pattern-cost.js';

describe('what a pattern may cost', () => {
  it('bounds patterns by their text', () => {
    const judged: readonly (readonly [pattern: string, cost: unknown])[] = [
      ['^abc$', { factor: 3, power: 0 }],
      ['abc', { factor: 3, power: 1 }],
      ['^a*$', { factor: 1, power: 1 }],
      ['^(?:ab)+c?$', { factor: 10, power: 1 }],
      ['^a|b$', { factor: 4, power: 1 }],
      ['^[^\\]a-z]{2,4}$', { factor: 12, power: 0 }],
      ['^(a*b*){9}$', undefined],
      ['a*a*a*a*', undefined],
      ['^(', undefined],
      ['a)', undefined],
      ['*a', { factor: 1, power: 2 }],
    ];
    for (const [pattern, cost] of judged) expect([pattern, patternCost(pattern)]).toEqual([pattern, cost]);
  });
});
