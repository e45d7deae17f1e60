import fc from 'fast-check';
import jsonpatch from 'fast-json-patch';
import { verifies } from '../../../../../test/spec/verifies.js';
import { applyPatch } from './apply-patch.js';
import { diffJson } from './diff-json.js';

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const odd = fc.constantFrom<unknown>(
  JSON.parse('{"__proto__":{"a":1},"b":1}'),
  JSON.parse('{"__proto__":{"a":2},"b":1}'),
  JSON.parse('{"constructor":{"prototype":{"x":1}}}'),
  JSON.parse('{"constructor":{"prototype":{"x":2}}}'),
  { toString: 1, hasOwnProperty: 2 },
  { toString: 2 },
);

describe('a diff', () => {
  verifies('PRO-24', 'leads from any value to any other, here and in a stock client', () => {
    fc.assert(
      fc.property(fc.oneof(json, odd), fc.oneof(json, odd), (before, after) => {
        const patch = diffJson(before, after);
        expect(applyPatch(before, patch)).toEqual({ ok: true, value: after });
        expect(jsonpatch.applyPatch(before, structuredClone(patch), true, false).newDocument).toEqual(after);
      }),
    );
  });

  verifies('PRO-24', 'is empty between equals, whatever the order of members', () => {
    expect(diffJson({ a: 1, b: [{}] }, { b: [{}], a: 1 })).toEqual([]);
    expect(diffJson(undefined, undefined)).toEqual([]);
    expect(diffJson(null, null)).toEqual([]);
  });

  verifies('PRO-24', 'knows an absent document', () => {
    expect(applyPatch(undefined, diffJson(undefined, { a: 1 }))).toEqual({ ok: true, value: { a: 1 } });
    expect(applyPatch({ a: 1 }, diffJson({ a: 1 }, undefined))).toEqual({ ok: true, value: null });
  });

  verifies('PRO-24', 'ST-04: escapes names', () => {
    expect(diffJson({}, { 'a/b': 1, 'm~n': 2 })).toEqual([
      { op: 'add', path: '/a~1b', value: 1 },
      { op: 'add', path: '/m~0n', value: 2 },
    ]);
  });

  verifies('PRO-24', 'replaces the whole when the steps would be too many', () => {
    const before = Object.fromEntries(Array.from({ length: 6000 }, (_, n) => [`k${n}`, n]));
    expect(diffJson(before, {})).toEqual([{ op: 'replace', path: '', value: {} }]);
  });
});
