/** State is set by the fewest operations that make it so. */
import { opsToSet, valueAt, withValueAt } from './pointer.js';

describe('pointer', () => {
  it('makes missing parents, replaces what differs, and leaves the rest', () => {
    expect(opsToSet({}, '/a/b', 1)).toEqual([
      { op: 'add', path: '/a', value: {} },
      { op: 'add', path: '/a/b', value: 1 },
    ]);
    expect(opsToSet({ a: { b: 1 } }, '/a/b', 2)).toEqual([{ op: 'replace', path: '/a/b', value: 2 }]);
    expect(opsToSet({ a: { b: [1] } }, '/a/b', [1])).toEqual([]);
    expect(opsToSet({ a: { b: null } }, '/a/b', 1)).toEqual([{ op: 'replace', path: '/a/b', value: 1 }]);
  });

  it('reads and writes escaped names without touching what it was given', () => {
    const before = { 'a/b': { 'm~n': 1 } };
    expect(valueAt(before, '/a~1b/m~0n')).toBe(1);
    expect(withValueAt(before, '/a~1b/m~0n', 2)).toEqual({ 'a/b': { 'm~n': 2 } });
    expect(before).toEqual({ 'a/b': { 'm~n': 1 } });
    expect(valueAt({}, '/constructor')).toBeUndefined();
  });
});
