/** Proves what a look in passing gives, and what it leaves behind: nothing. */
import { asThreadId } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { HandLog } from '../../test/hand-log.js';
import { settled, stand, THREAD } from '../../test/stand.js';
import { note, secret, wholeOf } from '../../test/story.js';

const many = (count: number) => Array.from({ length: count }, (_, nth) => note(nth));

describe('a glance', () => {
  verifies('FAN-40', 'is what a join would give, and no room is opened for it', async () => {
    const { log, rooms, join } = stand();
    log.append(THREAD, [...many(1_200), secret(1)]);
    const glanced = await rooms.glance(THREAD, 'customer');
    expect([log.follows, rooms.heads()]).toEqual([0, []]);
    expect(glanced.model).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
    const { reader } = await join('customer');
    expect(glanced.pos).toBe(reader.pos);
    const { reader: back } = await join('customer', { from: glanced.pos });
    expect(back.frames).toEqual([]);
  });

  verifies('FAN-40', 'of a thread that was never written is empty', async () => {
    const { rooms, join } = stand();
    const glanced = await rooms.glance(THREAD, 'customer');
    expect(glanced.events).toEqual([]);
    expect(glanced.pos).toBe((await join('customer')).reader.pos);
  });

  verifies('FAN-40', 'costs no read while the thread is followed, and sees its head', async () => {
    const { log, rooms, join } = stand();
    log.append(THREAD, many(3));
    const { reader } = await join('customer');
    log.write(THREAD, [note('on')]);
    const { reads } = log;
    expect(await rooms.glance(THREAD, 'customer')).toMatchObject({ pos: reader.pos, model: reader.lines });
    expect(log.reads).toBe(reads);
    await rooms.glance(THREAD, 'reviewer');
    expect([log.reads, log.follows]).toEqual([reads + 1, 1]);
  });

  verifies('FAN-40', 'of a log that is lost meanwhile tells of the new one alone', async () => {
    const { log, rooms } = stand();
    log.append(THREAD, many(700));
    const read = log.read.bind(log);
    log.read = async (...asked: Parameters<HandLog['read']>) => {
      const page = await read(...asked);
      if (log.reads === 1) log.lose(THREAD, many(600));
      return page;
    };
    const glanced = await rooms.glance(THREAD, 'customer');
    expect(glanced.model).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
  });

  verifies('FAN-40', 'waits its turn behind a few others; one that fails holds nobody up', async () => {
    const { log, rooms } = stand();
    const threads = Array.from({ length: 20 }, (_, nth) => asThreadId(`thread-${nth}`));
    for (const thread of threads) log.append(thread, many(1));
    const release = log.holdReads();
    const glances = threads.map((thread) => rooms.glance(thread, 'customer'));
    await settled();
    expect(log.reads).toBe(4);
    log.away = new Error('gone');
    release();
    const ends = await Promise.allSettled(glances);
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
    log.away = undefined;
    expect((await rooms.glance(THREAD, 'customer')).model).toBeDefined();
  });
});
