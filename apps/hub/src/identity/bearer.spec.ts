import { bearerAmong, bearerOf, subprotocolsOf } from './bearer.js';

describe('the token a caller brought', () => {
  it.each([
    ['Bearer abc.def.ghi', 'abc.def.ghi'],
    ['bearer abc', 'abc'],
    ['Basic abc', undefined],
    ['Bearer', undefined],
    ['Bearer a b', undefined],
    [`Bearer ${'x'.repeat(9_000)}`, undefined],
    [undefined, undefined],
  ])('%# in a header', (header, token) => {
    expect(bearerOf(header)).toBe(token);
  });

  it('stands among the subprotocols a browser offers', () => {
    const offered = subprotocolsOf('triptych.v1+json, bearer.abc.def');
    expect(offered).toEqual(['triptych.v1+json', 'bearer.abc.def']);
    expect(bearerAmong(offered)).toBe('abc.def');
    expect(bearerAmong(subprotocolsOf('triptych.v1+json'))).toBeUndefined();
    expect(subprotocolsOf(undefined)).toEqual([]);
  });
});
