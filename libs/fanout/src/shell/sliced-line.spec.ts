/** Proves that large payloads go in order, piece by piece. */
import { verifies } from '../../../../test/spec/verifies.js';
import { SLICE_BYTES, SlicedLine } from './sliced-line.js';

describe('sliced line', () => {
  verifies('FAN-25', 'one slice at a time, the next when the kernel took the last', () => {
    const put: { readonly length: number; readonly last: boolean; readonly done: () => void }[] = [];
    const line = new SlicedLine((slice, { last, done }) => put.push({ length: slice.length, last, done }));
    line.send(Buffer.alloc(2 * SLICE_BYTES + 5));
    line.send(Buffer.alloc(7));
    expect(put.map(({ length, last }) => [length, last])).toEqual([[SLICE_BYTES, false]]);
    expect(line.waiting).toBe(SLICE_BYTES + 5 + 7);
    put[0]!.done();
    put[1]!.done();
    expect(put.at(-1)).toMatchObject({ length: 5, last: true });
    put[2]!.done();
    expect(put.at(-1)).toMatchObject({ length: 7, last: true });
    expect(line.idle).toBe(false);
    put[3]!.done();
    expect(line.idle).toBe(true);
    expect(line.waiting).toBe(0);
  });

  verifies(
    'FAN-25',
    'what waits can be dropped; a half-written payload cannot be followed by another',
    () => {
      const put: (() => void)[] = [];
      const line = new SlicedLine((_slice, { done }) => put.push(done));
      line.send(Buffer.alloc(7));
      line.send(Buffer.alloc(7));
      expect(line.abandon()).toBe(true);
      put[0]!();
      expect(put).toHaveLength(1);
      line.send(Buffer.alloc(2 * SLICE_BYTES));
      expect(line.abandon()).toBe(false);
      expect(line.waiting).toBe(0);
    },
  );
});
