import { MAX_DEPTH } from '@triptych/protocol';
import fc from 'fast-check';
import { verifies } from '../../../../test/spec/verifies.js';
import { parseExactJson, readArguments } from './exact-json.js';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('exact JSON', () => {
  verifies('ACC-12', 'is what comes back as it went', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const read = parseExactJson(text);
        expect(read).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    '0',
    '-0',
    '1.0',
    '1.50',
    '1e2',
    '1E+2',
    '100e-2',
    '0.1',
    '1500000',
    '9007199254740992',
    '1e21',
    '1e23',
    '5e-324',
    '-12.5e-3',
    '0.000',
    '0e999',
    '"a\\"{"',
    '{"a":"b\\\\","c":1}',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
    '[{},{"x":[]}]',
    '{"a":"a","b":"a"}',
    ' [ 1 , 2 ] ',
  ])('%s is', (text) => {
    expect(parseExactJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  verifies('ACC-12', 'is no text with a repeated key or a number that a double does not hold', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"b":{"c":[{"x":1,"x":2}]}}',
      '{"a":1,"\\u0061":2}',
      '{"":1,"":2}',
      '{"a":{"b":1},"a":{}}',
      '{"__proto__":1,"__proto__":2}',
      '{"a" : 1 , "a" : 2}',
      '9007199254740993',
      '12345678901234567890',
      '[0.10000000000000000001]',
      '1e400',
      '-1e999',
      '1e-400',
      '{"a":0.30000000000000004441}',
      '',
      ' ',
      '{oops',
      '{"a":1}{"a":1}',
      'NaN',
      "{'a':1}",
      'undefined',
    ])
      expect({ text, read: parseExactJson(text) }).toEqual({ text, read: { ok: false } });
  });

  it('keeps arguments that are not as text', () => {
    expect(readArguments('{"a":1}')).toEqual({ args: { a: 1 } });
    for (const argsText of ['{"a":1,"a":2}', '{"a":"\\ud800"}', nested(100_000)])
      expect(readArguments(argsText)).toEqual({ argsText });
  });

  it('finds no arguments in a call that brought none', () => {
    for (const text of ['', ' \n']) expect(readArguments(text)).toEqual({});
  });

  it('does not tire of long or deep text', () => {
    expect(parseExactJson(nested(50_000)).ok).toBe(false);
    expect(parseExactJson(`"${'\\\\'.repeat(500_000)}"`).ok).toBe(true);
  });

  verifies('ACC-12', 'is no text nested deeper than an event may be', () => {
    expect(parseExactJson(nested(MAX_DEPTH)).ok).toBe(true);
    expect(parseExactJson(nested(MAX_DEPTH + 1)).ok).toBe(false);
  });
});
