import fc from 'fast-check';
import { isDeeperThan, isLongerThan, jsonBytes, textBytes } from './json-size.js';

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

describe('the size of JSON', () => {
  it('counts the bytes of a text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => textBytes(text) === bytesOf(text)));
  });

  it('counts the bytes of a value', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => jsonBytes(value) === bytesOf(JSON.stringify(value))));
  });

  it('finds a text too long at the byte', () => {
    expect(isLongerThan('ééé', 6)).toBe(false);
    expect(isLongerThan('ééé', 5)).toBe(true);
    expect(isLongerThan('\ud83d\udc4d', 4)).toBe(false);
    expect(isLongerThan('\ud83d\udc4d', 3)).toBe(true);
  });

  it('counts containers within each other', () => {
    expect(isDeeperThan('text', 0)).toBe(false);
    expect(isDeeperThan([[1]], 2)).toBe(false);
    expect(isDeeperThan([{ a: [] }], 2)).toBe(true);
  });

  it('does not follow a nesting to its end', () => {
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
    expect(isDeeperThan(deep, 64)).toBe(true);
  });
});
