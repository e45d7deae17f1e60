/** Proves how rooms live: followed once, voided by losses and policies, slow readers, left when empty. */
import type { Surface } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import type { Projection } from '../core/ports.js';
import { RING_BYTES } from '../core/ring.js';
import { HandReader } from '../../test/hand-reader.js';
import { settled, stand, THREAD } from '../../test/stand.js';
import { note, projection, secret, text, wholeOf } from '../../test/story.js';

const many = (count: number) => Array.from({ length: count }, (_, nth) => note(nth));

describe('rooms', () => {
  verifies('FAN-13', 'one follow, one reading a surface, however many join', async () => {
    const { log, join } = stand();
    log.append(THREAD, many(1_200));
    await Promise.all(Array.from({ length: 50 }, () => join('customer')));
    expect(log.reads).toBe(3);
    await Promise.all(Array.from({ length: 50 }, () => join('reviewer')));
    expect(log.reads).toBe(6);
    expect(log.follows).toBe(1);
  });

  verifies('FAN-13', 'a surface that comes later is built while the log goes on', async () => {
    const { log, join, time } = stand();
    log.append(THREAD, many(700));
    const early = await join('customer');
    const release = log.holdReads();
    const joining = join('operator');
    await settled();
    log.write(THREAD, [secret('while'), note('building')]);
    log.append(THREAD, [note('not told yet')]);
    release();
    const late = await joining;
    log.write(THREAD, [note('after')]);
    time.advance(50);
    expect(late.reader.lines).toEqual(wholeOf('operator', log.entriesOf(THREAD)));
    expect(early.reader.lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
    expect(early.reader.gaps + late.reader.gaps).toBe(0);
  });

  verifies('FAN-13', 'a surface that comes later costs those who are there nothing', async () => {
    const { log, join } = stand();
    const early = await join('customer');
    log.append(THREAD, [note('x'.repeat(2 * RING_BYTES)), note('y')]);
    const late = await join('operator');
    log.tell(THREAD);
    await settled();
    expect(early.reader.frames.slice(1).map((frame) => frame.event)).toEqual(['agui', 'agui']);
    for (const { reader } of [early, late]) expect(reader.lines).toHaveLength(2);
  });

  verifies('FAN-14', 'left a minute after the last reader, not before', async () => {
    const { log, join, time, rooms } = stand();
    log.append(THREAD, [note(1)]);
    const first = await join('customer');
    first.joined.leave();
    time.advance(59_000);
    await join('customer', { from: first.reader.pos! }).then(({ joined }) => joined.leave());
    expect(log.reads).toBe(1);
    time.advance(62_000);
    expect(log.followers).toBe(0);
    expect(rooms.heads()).toEqual([]);
    await join('customer');
    expect(log.follows).toBe(2);
  });

  verifies('FAN-15', 'a lost log is a snapshot, not events of another one (RR-14)', async () => {
    const { log, join, time } = stand();
    log.append(THREAD, many(7));
    const there = await join('customer');
    const gone = await join('customer');
    gone.joined.leave();
    log.lose(THREAD, many(9));
    await settled();
    time.advance(50);
    expect(there.reader.last).toMatchObject({ event: 'snapshot', data: { reason: 'reset' } });
    log.write(THREAD, [note('on')]);
    expect(there.reader.lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
    const back = await join('customer', { from: gone.reader.pos! });
    expect(back.reader.last).toMatchObject({ event: 'snapshot', data: { reason: 'reset' } });
  });

  verifies('FAN-15', 'who saw nothing of the lost one just goes on', async () => {
    const { log, join, time } = stand();
    log.append(THREAD, [secret(1)]);
    const { reader } = await join('customer');
    log.lose(THREAD, [note(1)]);
    await settled();
    time.advance(50);
    expect(reader.frames.map((frame) => frame.event)).toEqual(['snapshot', 'agui']);
    expect(reader.gaps).toBe(0);
  });

  verifies(
    'FAN-15',
    'a room that found an empty log is not left without a follow when the next one begins',
    async () => {
      const { log, join, time } = stand();
      const { reader } = await join('customer');
      log.lose(THREAD, [note(1)]);
      await settled();
      log.write(THREAD, [note(2)]);
      time.advance(50);
      expect(log.followers).toBe(1);
      expect(reader.lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
    },
  );

  verifies(
    'FAN-16',
    'a new policy is a snapshot for customer and reviewer; the operator goes on',
    async () => {
      const { log, join, rooms } = stand();
      log.append(THREAD, [note(1), secret(2)]);
      const readers = {
        customer: await join('customer'),
        reviewer: await join('reviewer'),
        operator: await join('operator'),
      };
      const old = readers.customer.reader.pos!;
      const blind: Projection<Surface> = {
        ...projection,
        step: (surface, entry) =>
          surface === 'operator'
            ? projection.step(surface, entry)
            : { view: surface, shown: [], seen: 'hidden' },
      };
      rooms.usePolicy({ projectionFor: () => blind, policyVersion: 'v2' });
      log.write(THREAD, [note('under the new one')]);
      await settled();
      for (const surface of ['customer', 'reviewer'] as const)
        expect(readers[surface].reader.last).toMatchObject({
          event: 'snapshot',
          data: { reason: 'policy', events: [] },
        });
      expect(readers.customer.reader.frames).toHaveLength(2);
      expect(readers.operator.reader.frames.filter((frame) => frame.event === 'snapshot')).toHaveLength(1);
      const late = await join('customer', { from: old });
      expect(late.reader.last).toMatchObject({ data: { reason: 'policy' } });
    },
  );

  verifies('FAN-17', 'a run closed by an operator arrives as a snapshot', async () => {
    const { log, join } = stand();
    log.append(THREAD, [note(1)]);
    const { reader } = await join('customer');
    const { pos } = reader;
    log.write(THREAD, [{ type: 'RUN_ERROR', message: 'Closed.', code: 'hub/closed-by-operator' }], 'hub');
    expect(reader.last).toMatchObject({ event: 'snapshot', data: { reason: 'reset' } });
    expect((await join('customer', { from: pos! })).joined.recovered).toBe('snapshot');
    expect((await join('customer', { from: reader.pos! })).joined.recovered).toBe('replay');
  });

  verifies('FAN-6', 'a snapshot for HTTP is what a join would give, also of the past', async () => {
    const { log, rooms, join } = stand();
    log.append(THREAD, many(5));
    const { reader } = await join('reviewer');
    const now = await rooms.snapshotOf(THREAD, 'reviewer');
    expect(now).toMatchObject({
      seq: log.entriesOf(THREAD).length,
      pos: reader.pos,
      model: reader.lines,
    });
    const past = await rooms.snapshotAt(THREAD, 'reviewer', 2);
    if (past === 'trimmed') throw new Error(past);
    const model = wholeOf('reviewer', log.entriesOf(THREAD).slice(0, 2));
    expect(past).toMatchObject({ seq: 2, model });
    const { reader: late } = await join('reviewer', { from: past.pos });
    expect(late.frames[0]).toMatchObject({ event: 'agui', data: { prev: past.pos } });
  });
});

describe('slow readers', () => {
  const filled = async (feedBytes?: number) => {
    const on = stand(feedBytes === undefined ? {} : { feedBytes });
    on.log.append(THREAD, [note(0)]);
    const { reader, joined } = await on.join('customer');
    reader.stalled = true;
    const write = (bytes: number): void => {
      on.log.write(THREAD, [text('a', 'x'.repeat(bytes))]);
      on.time.advance(25);
    };
    return { ...on, reader, joined, write };
  };

  verifies('FAN-20', 'paused above 256 KB, then one merged catch-up below 64 KB', async () => {
    const { reader, write, time, log } = await filled();
    for (let nth = 0; nth < 30; nth += 1) write(20_000);
    expect(reader.unsent()).toBeLessThanOrEqual(256 * 1024);
    const { length } = reader.frames;
    reader.take(100_000);
    time.advance(1_000);
    expect(reader.frames).toHaveLength(length);
    reader.take(120_000);
    time.advance(50);
    expect(reader.frames).toHaveLength(length + 1);
    expect(reader.last!.data.events).toHaveLength(1);
    expect(reader.gaps).toBe(0);
    reader.take();
    time.advance(50);
    expect(reader.lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
  });

  verifies('FAN-20', 'a snapshot instead, once the ring has moved on', async () => {
    const { reader, write, time, log } = await filled(100_000);
    time.advance(1_000);
    for (let nth = 0; nth < 40; nth += 1) write(20_000);
    reader.take();
    time.advance(50);
    expect(reader.last).toMatchObject({ event: 'snapshot', data: { reason: 'slow' } });
    reader.take();
    time.advance(50);
    expect(reader.lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
    expect(reader.closed).toEqual([]);
  });

  verifies('FAN-20', 'the others do not notice', async () => {
    const { reader, write, join, log } = await filled();
    const other = await join('customer');
    for (let nth = 0; nth < 30; nth += 1) write(20_000);
    expect(other.reader.frames).toHaveLength(31);
    expect(other.reader.lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
    expect(reader.frames.length).toBeLessThan(20);
  });

  verifies('FAN-21', 'closed after 30 s without progress, never while anything moves', async () => {
    const moving = await filled();
    for (let nth = 0; nth < 30; nth += 1) moving.write(20_000);
    for (let second = 0; second < 120; second += 1) {
      moving.reader.take(1);
      moving.time.advance(1_000);
    }
    expect(moving.reader.closed).toEqual([]);
    const stuck = await filled();
    for (let nth = 0; nth < 30; nth += 1) stuck.write(20_000);
    stuck.time.advance(29_000);
    expect(stuck.reader.closed).toEqual([]);
    stuck.time.advance(1_100);
    expect(stuck.reader.closed).toEqual(['SLOW']);
    expect(stuck.rooms.readersOf(THREAD)).toEqual([]);
  });

  verifies('FAN-22', 'over the budget of all, the fullest goes', async () => {
    const { join, time, log } = stand();
    log.append(THREAD, [note(0)]);
    const [full, light] = [await join('customer'), await join('customer')];
    full.reader.unsent = () => 300 * 1024 * 1024;
    light.reader.unsent = () => 10;
    time.advance(1_000);
    expect(full.reader.closed).toEqual(['SLOW']);
    expect(light.reader.closed).toEqual([]);
  });

  verifies('FAN-23', 'who acknowledges is paused by what it did not acknowledge', async () => {
    const { log, join, time, rooms } = stand();
    log.append(THREAD, [note(0)]);
    const { reader, joined } = await join('customer');
    joined.ack(reader.pos!);
    for (let nth = 0; nth < 30; nth += 1) {
      log.write(THREAD, [text('a', 'x'.repeat(20_000))]);
      time.advance(25);
    }
    expect(reader.frames.length).toBeLessThan(20);
    expect(rooms.readersOf(THREAD)).toMatchObject([{ paused: true, surface: 'customer' }]);
    expect(rooms.readersOf(THREAD)[0]!.behind).toBeGreaterThan(0);
    joined.ack(reader.pos!);
    time.advance(50);
    expect(reader.lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
  });

  verifies('FAN-24', 'a stream that cannot start over is given all of it from the log', async () => {
    const { log, join, time, rooms } = stand({ feedBytes: 2_000 });
    log.append(THREAD, many(1_500));
    time.advance(1_000);
    const all = await join('customer', { reader: new HandReader({ whole: true }), from: { afterSeq: 700 } });
    log.write(THREAD, many(300));
    await settled();
    time.advance(50);
    await settled();
    const want = log.entriesOf(THREAD).filter(({ seq }) => seq > 700);
    expect(all.reader.lines).toEqual(wholeOf('customer', want));
    expect(all.reader.frames.every((frame) => frame.event === 'agui')).toBe(true);
    rooms.close();
  });

  verifies('FAN-24', 'from an entry that has not arrived yet it gets nothing before', async () => {
    const { log, join } = stand();
    log.append(THREAD, [note(1)]);
    await join('customer');
    log.append(THREAD, [note(2), note(3), note(4)]);
    const { reader } = await join('customer', {
      reader: new HandReader({ whole: true }),
      from: { afterSeq: 3 },
    });
    log.tell(THREAD);
    await settled();
    expect(reader.lines).toEqual([JSON.stringify(note(4))]);
  });
});
