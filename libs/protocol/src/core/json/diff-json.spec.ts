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

  const few = fc.constantFrom<unknown>(
    1,
    2,
    'a',
    null,
    {},
    [],
    { id: 1, x: 1 },
    { id: 1, x: 2 },
    { id: 2, x: 1 },
  );
  const list = fc.array(few, { maxLength: 9 });

  verifies('PRO-24', 'leads from any list to any other, repeats and all', () => {
    fc.assert(
      fc.property(list, list, (before, after) => {
        const patch = diffJson({ before, list: before }, { before, list: after });
        expect(applyPatch({ before, list: before }, patch)).toEqual({
          ok: true,
          value: { before, list: after },
        });
        expect(
          jsonpatch.applyPatch({ list: before }, structuredClone(patch), true, false).newDocument,
        ).toEqual({ list: after });
      }),
      { numRuns: 2000 },
    );
  });

  const rows = (...ids: readonly number[]) => ids.map((id) => ({ id, text: 'x'.repeat(200) }));
  const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  const shifts: readonly (readonly [string, unknown[], unknown[], unknown])[] = [
    ['the first is gone', rows(1, 2, 3), rows(2, 3), [{ op: 'remove', path: '/0' }]],
    ['one is new', rows(1, 3), rows(1, 2, 3), [{ op: 'add', path: '/1', value: rows(2)[0] }]],
    [
      'one changed',
      rows(1, 2),
      [...rows(1), { ...rows(2)[0], id: 9 }],
      [{ op: 'replace', path: '/1/id', value: 9 }],
    ],
    [
      'one moved',
      rows(1, 2, 3, 4),
      rows(2, 3, 1, 4),
      [
        { op: 'remove', path: '/0' },
        { op: 'add', path: '/2', value: rows(1)[0] },
      ],
    ],
    [
      'one is gone, and one known by its id changed',
      rows(1, 2, 3),
      [{ ...rows(2)[0], more: 1 }, ...rows(3)],
      [
        { op: 'remove', path: '/0' },
        { op: 'add', path: '/0/more', value: 1 },
      ],
    ],
  ];
  for (const [name, before, after, patch] of shifts)
    verifies('PRO-38', `tells of a list what happened to it: ${name}`, () => {
      expect(diffJson(before, after)).toEqual(patch);
      expect(diffJson(sent(before), sent(after))).toEqual(patch);
    });

  verifies('PRO-38', 'does not look into what is the same on both sides', () => {
    const closed = Object.defineProperty({}, 'inside', {
      enumerable: true,
      get: () => {
        throw new Error('looked into');
      },
    });
    const long = 'x'.repeat(5_000);
    const before = { list: [long, 1, closed, closed], closed, changed: 1 };
    expect(diffJson(before, { list: [long, closed, closed, 2], closed, changed: 2 })).toEqual([
      { op: 'remove', path: '/list/1' },
      { op: 'add', path: '/list/3', value: 2 },
      { op: 'replace', path: '/changed', value: 2 },
    ]);
  });

  verifies('PRO-38', 'tells anew, and no more than that, what no path may name', () => {
    const before: unknown = JSON.parse('{"a":{"b":{"__proto__":{"x":1},"c":1},"d":1}}');
    const after: unknown = JSON.parse('{"a":{"b":{"__proto__":{"x":2},"c":1},"d":1}}');
    expect(JSON.stringify(diffJson(before, after))).toBe(
      '[{"op":"replace","path":"/a/b","value":{"__proto__":{"x":2},"c":1}}]',
    );
  });

  verifies('PRO-38', 'replaces a value whose steps would take far more room than it', () => {
    const before = Array.from({ length: 50 }, (_, n) => n);
    const after = before.map((n) => n + 1000);
    expect(diffJson({ before, x: 'kept' }, { before: after, x: 'kept' })).toEqual([
      { op: 'replace', path: '/before', value: after },
    ]);
  });
});
