/** Proves that who is served as one of many, and who steps out and in again, is shown what everybody is shown. */
import { verifies } from '../../../../test/spec/verifies.js';
import type { Delivery } from '../core/delivery.js';
import { HandReader } from '../../test/hand-reader.js';
import { stand, THREAD } from '../../test/stand.js';
import { note, wholeOf } from '../../test/story.js';

const WINDOW_MS = 25;

const gathered = async (count = 3) => {
  const here = stand();
  here.log.append(THREAD, [note(0)]);
  const all = await Promise.all(Array.from({ length: count }, () => here.join('customer')));
  const say = (nth: number): void => here.log.write(THREAD, [note(nth)]);
  const flushed = (nth: number): void => {
    say(nth);
    here.time.advance(WINDOW_MS);
  };
  flushed(1);
  const allWhole = (): void => {
    const whole = wholeOf('customer', here.log.entriesOf(THREAD));
    for (const { reader } of all) expect(reader).toMatchObject({ lines: whole, gaps: 0 });
  };
  return { ...here, all, say, flushed, allWhole };
};

describe('a crowd', () => {
  verifies('FAN-63', 'gathers at the first flush, and is handed the very same delivery', async () => {
    const { all, flushed, allWhole } = await gathered();
    flushed(2);
    flushed(3);
    expect(all.map(({ reader }) => reader.poured)).toEqual([2, 2, 2]);
    expect(new Set(all.map(({ reader }) => reader.deliveries.at(-1))).size).toBe(1);
    allWhole();
  });

  verifies('FAN-63', 'goes on without one that is held, and takes it in again', async () => {
    const { all, say, flushed, time, allWhole } = await gathered();
    const [held, other] = [all[0]!, all[1]!];
    flushed(2);
    say(3);
    say(4);
    const release = held.joined.hold();
    time.advance(WINDOW_MS);
    expect(held.joined.reached()).not.toBe(other.joined.reached());
    release();
    say(5);
    // What is released twice must not be handed on for everybody.
    release();
    time.advance(WINDOW_MS);
    allWhole();
    flushed(6);
    flushed(7);
    expect(held.reader.poured).toBeGreaterThan(1);
    allWhole();
  });

  verifies('FAN-63', 'leaves a slow reader behind by itself, where it was', async () => {
    const { all, flushed, time, allWhole } = await gathered();
    const { reader, joined } = all[0]!;
    reader.stalled = true;
    flushed(2);
    reader.stalled = false;
    expect(reader.poured).toBe(0);
    flushed(3);
    reader.take();
    flushed(4);
    flushed(5);
    expect(reader.poured).toBe(1);
    time.advance(1_000);
    expect(joined.reached()).toBe(all[1]!.joined.reached());
    allWhole();
  });

  verifies('FAN-63', 'has nobody in it who acknowledges', async () => {
    const { all, flushed, allWhole } = await gathered();
    all[0]!.joined.ack(all[0]!.joined.reached());
    flushed(2);
    flushed(3);
    expect(all.map(({ reader }) => reader.poured)).toEqual([0, 2, 2]);
    allWhole();
  });

  verifies('FAN-63', 'is not kept waiting by one that fails, and lets go of it', async () => {
    const { log, time, failures, rooms, join } = stand();
    class Broken extends HandReader {
      override deliver(delivery: Delivery): void {
        if (this.deliveries.length > 1) throw new Error('broken');
        super.deliver(delivery);
      }
    }
    log.append(THREAD, [note(0)]);
    const broken = new Broken();
    await join('customer', { reader: broken });
    const { reader } = await join('customer');
    for (const nth of [1, 2, 3]) {
      log.write(THREAD, [note(nth)]);
      time.advance(WINDOW_MS);
    }
    expect(reader.lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
    expect(failures).toHaveLength(1);
    expect(broken.closed).toEqual(['RESTART']);
    expect(rooms.readersOf(THREAD)).toHaveLength(1);
  });
});
