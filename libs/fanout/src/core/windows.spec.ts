/** Proves the small decisions on time, bytes and seams. */
import { asPosition } from '@triptych/protocol';
import type { LogEntry } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { FIRST_ACK, onAcked, onDelivered, unacked } from './acks.js';
import { FLUSH_BYTES, FLUSH_WINDOW_MS, NO_WINDOW, onFlushed, onShown } from './flush-window.js';
import { continuing } from './join-buffer.js';
import { isStalled, mayResume, maySend, progressStep, shedOver, STALL_MS } from './send-window.js';

const KB = 1024;

describe('flush window', () => {
  verifies('FAN-11', 'the first at once, those of the next 25 ms together, then again at once', () => {
    expect(onShown(NO_WINDOW, { bytes: 1, now: 0 })).toEqual({ do: 'flush' });
    const window = onFlushed(100);
    expect(onShown(window, { bytes: 1, now: 110 })).toEqual({ do: 'wait', ms: 15 });
    expect(onShown(window, { bytes: 1, now: 100 + FLUSH_WINDOW_MS })).toEqual({ do: 'flush' });
    expect(onShown(window, { bytes: FLUSH_BYTES, now: 101 })).toEqual({ do: 'flush' });
  });
});

describe('send window', () => {
  verifies(
    'FAN-20',
    'compares what waits plus the next frame; a line that is almost empty takes any size',
    () => {
      expect(maySend(200 * KB, 56 * KB)).toBe(true);
      expect(maySend(200 * KB, 57 * KB)).toBe(false);
      expect(maySend(0, 8 * KB * KB)).toBe(true);
      expect(maySend(64 * KB, 8 * KB * KB)).toBe(false);
      expect(mayResume(64 * KB)).toBe(false);
      expect(mayResume(64 * KB - 1)).toBe(true);
    },
  );

  verifies('FAN-21', 'any byte taken is progress, and so is nothing to take', () => {
    const start = { taken: 10, at: 0 };
    const stuck = progressStep(start, { taken: 10, unsent: 5, at: STALL_MS });
    expect(isStalled(stuck, STALL_MS)).toBe(true);
    expect(isStalled(progressStep(start, { taken: 11, unsent: 5, at: STALL_MS }), STALL_MS)).toBe(false);
    expect(isStalled(progressStep(start, { taken: 10, unsent: 0, at: STALL_MS }), STALL_MS)).toBe(false);
  });

  verifies('FAN-22', 'over budget the fullest go first, and no more than needed', () => {
    expect(shedOver([10, 50, 20], 100)).toEqual([]);
    expect(shedOver([10, 50, 20], 30)).toEqual([1]);
    expect(shedOver([10, 50, 20], 5)).toEqual([1, 2, 0]);
    expect(shedOver([0, 0], -1)).toEqual([]);
  });
});

describe('acknowledgements', () => {
  verifies('FAN-23', 'lag is what was delivered after the position acknowledged last', () => {
    const [one, two, three] = ['1', '2', '3'].map(asPosition) as [never, never, never];
    let acks = onDelivered(onDelivered(onDelivered(FIRST_ACK, one, 100), two, 50), three, 7);
    expect(unacked(acks)).toBe(157);
    acks = onAcked(acks, two);
    expect(unacked(acks)).toBe(7);
    expect(unacked(onAcked(acks, one))).toBe(7);
    expect(unacked(onAcked(acks, three))).toBe(0);
    for (let nth = 0; nth < 2000; nth += 1) acks = onDelivered(acks, asPosition(`x${nth}`), 1);
    expect(acks.marks.length).toBeLessThanOrEqual(512);
  });
});

describe('join buffer', () => {
  const entry = (seq: number) => ({ seq }) as LogEntry;
  verifies('FAN-6', 'a seam neither loses nor doubles (RR-03), and stops before a hole', () => {
    const seqs = (after: number, arrived: readonly number[]) =>
      continuing(after, arrived.map(entry)).map(({ seq }) => seq);
    expect(seqs(20, [19, 20, 21, 21, 22])).toEqual([21, 22]);
    expect(seqs(20, [22, 23])).toEqual([]);
    expect(seqs(20, [21, 23])).toEqual([21]);
  });
});
