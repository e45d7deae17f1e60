/** Proves what the readers of a room are handed, step by step. */
import { StoreAway } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { HandReader } from '../../test/hand-reader.js';
import { codec, settled, stand, THREAD } from '../../test/stand.js';
import { note, secret, split, text, wholeOf } from '../../test/story.js';

describe('joining', () => {
  verifies('FAN-6', 'a run nobody watched is there in full (RR-16)', async () => {
    const { log, join } = stand();
    log.append(THREAD, [note(1), text('a', 'x'), text('a', 'y')]);
    const { reader, joined } = await join('customer');
    expect(joined.recovered).toBe('snapshot');
    expect(reader.last).toMatchObject({ event: 'snapshot', data: { reason: 'join', pos: joined.pos } });
    expect(reader.lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
  });

  verifies('FAN-6', 'a second recovery delivers nothing the first one did (RR-08)', async () => {
    const { log, join } = stand();
    log.append(THREAD, [note(0)]);
    const first = await join('customer');
    log.write(THREAD, [note(1), note(2)]);
    const { pos } = first.reader;
    first.joined.leave();
    log.write(THREAD, [note(3)]);
    const second = await join('customer', { from: pos! });
    expect(second.joined).toMatchObject({ recovered: 'replay', pos: second.reader.pos });
    expect(second.reader.lines).toEqual([JSON.stringify(note(3))]);
    const third = await join('customer', { from: second.reader.pos! });
    expect(third.joined.recovered).toBe('replay');
    expect(third.reader.frames).toEqual([]);
    expect(third.joined.pos).toBe(second.reader.pos);
  });

  verifies(
    'FAN-6',
    'what comes between the read and the follow is neither lost nor doubled (RR-03)',
    async () => {
      const { log, join } = stand();
      log.append(THREAD, [note(1)]);
      const release = log.holdReads();
      const joining = join('reviewer');
      log.append(THREAD, [note(2)]);
      await settled();
      release();
      log.append(THREAD, [note(3)]);
      const { reader } = await joining;
      log.tell(THREAD);
      expect(reader.lines).toEqual(wholeOf('reviewer', log.entriesOf(THREAD)));
      expect(reader.gaps).toBe(0);
    },
  );

  verifies('FAN-6', 'nothing is delivered before the start', async () => {
    const { log, rooms } = stand();
    const reader = new HandReader();
    const joined = await rooms.join({ thread: THREAD, surface: 'customer', reader });
    log.write(THREAD, [note(1)]);
    await settled();
    expect(reader.frames).toEqual([]);
    joined.start();
    expect(reader.lines).toEqual([JSON.stringify(note(1))]);
  });

  verifies('FAN-4', 'an empty surface has a snapshot and a position, and goes on from it', async () => {
    const { log, join, time } = stand();
    const { reader } = await join('customer');
    expect(reader.last).toMatchObject({ event: 'snapshot', data: { events: [], reason: 'join' } });
    const empty = reader.pos!;
    log.write(THREAD, [secret(1)]);
    await settled();
    time.advance(100);
    expect(reader.frames).toHaveLength(1);
    log.write(THREAD, [note(2)]);
    expect(reader.last).toMatchObject({ event: 'agui', data: { prev: empty } });
    const late = await join('customer', { from: empty });
    expect(late.joined.recovered).toBe('replay');
    expect(late.reader.lines).toEqual(reader.lines);
  });

  verifies('FAN-2', "another thread's, another surface's and a forged position get a snapshot", async () => {
    const { log, join } = stand();
    log.write(THREAD, [note(1)]);
    const place = { epoch: '00000001', policyVersion: 'v1', place: { seq: 1, index: 0 } };
    const own = codec.seal('customer', { ...place, thread: THREAD });
    expect((await join('customer', { from: own })).joined.recovered).toBe('replay');
    const strangers = [
      codec.seal('customer', { ...place, thread: 'other' as typeof THREAD }),
      codec.seal('reviewer', { ...place, thread: THREAD }),
      `${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}` as typeof own,
      '00000001:1' as typeof own,
    ];
    for (const from of strangers) {
      const { reader, joined } = await join('customer', { from });
      expect(joined.recovered).toBe('snapshot');
      expect(reader.last).toMatchObject({ data: { reason: 'reset' } });
    }
  });

  verifies(
    'FAN-3',
    "an operator's position is read as numbers (RR-10), one beyond the head as lost",
    async () => {
      const { log, join } = stand();
      log.write(
        THREAD,
        Array.from({ length: 11 }, (_, nth) => note(nth)),
      );
      const { reader } = await join('operator', { from: '00000001:9' as never });
      expect(reader.last).toMatchObject({ data: { prev: '00000001:9', pos: '00000001:11', seqs: [10, 11] } });
      expect((await join('operator', { from: '00000001:12' as never })).joined.recovered).toBe('snapshot');
    },
  );

  verifies('FAN-5', 'below the ring a snapshot, never a silent hole (RR-13)', async () => {
    const { log, join } = stand({ feedBytes: 200 });
    const { reader } = await join('reviewer');
    log.write(THREAD, [note(1)]);
    const old = reader.pos!;
    log.write(
      THREAD,
      Array.from({ length: 50 }, (_, nth) => note(nth)),
    );
    const late = await join('reviewer', { from: old });
    expect(late.reader.frames).toHaveLength(1);
    const { from: _, ...rest } = { from: old, reader: late.reader };
    expect(rest.reader.lines).toEqual(wholeOf('reviewer', log.entriesOf(THREAD)));
  });
});

describe('frames', () => {
  verifies('FAN-7', 'a hidden event makes no frame, no position, no delay', async () => {
    const { log, join, time } = stand();
    const { reader } = await join('customer');
    log.write(THREAD, [note(1)]);
    await settled();
    time.advance(100);
    const { length } = reader.frames;
    const { pos } = reader;
    for (let nth = 0; nth < 5; nth += 1) log.write(THREAD, [secret(nth)]);
    log.write(THREAD, [note(2)]);
    expect(reader.frames).toHaveLength(length + 1);
    expect(reader.last!.data).toMatchObject({ prev: pos, events: [note(2)] });
  });

  verifies('FAN-8', 'numbers beyond 2^53, lone surrogates and spaces leave as they were stored', async () => {
    const { log, join } = stand();
    const { reader } = await join('reviewer');
    const json = '{"type":"CUSTOM", "name":"note","value":{"n":9007199254740993,"s":"\\ud800","e":1.0}}';
    log.appendJson(THREAD, json);
    log.tell(THREAD);
    await settled();
    expect(reader.deliveries.at(-1)!.frame()).toContain(`"events":[${json}]`);
  });

  verifies('FAN-10', "the operator's frames tell seq, time, source and what others saw", async () => {
    const { log, join } = stand();
    log.append(THREAD, [note(0)]);
    const { reader } = await join('operator');
    log.write(THREAD, [note(1), secret(2), split(3)]);
    expect(reader.last!.data).toMatchObject({
      seqs: [2, 3, 4],
      source: ['agent', 'agent', 'agent'],
      seen: [
        { customer: 'full', reviewer: 'full' },
        { customer: 'hidden', reviewer: 'full' },
        { customer: 'redacted', reviewer: 'full' },
      ],
    });
    expect(reader.last!.data['at']).toHaveLength(3);
    const replayed = await join('operator', { from: '00000001:0' as never });
    expect(replayed.reader.last!.data).toMatchObject({ seqs: [1, 2, 3, 4] });
    expect(replayed.reader.last!.data['seen']).toHaveLength(4);
  });

  verifies('FAN-10', 'also when the operator was there for its history alone before', async () => {
    const { log, join, rooms } = stand();
    log.append(THREAD, [secret(1)]);
    await rooms.snapshotOf(THREAD, 'operator');
    const { reader } = await join('operator', { from: '00000000:0' as never });
    expect(reader.last!.data['seen']).toEqual([{ customer: 'hidden', reviewer: 'full' }]);
  });

  verifies('FAN-9', 'customers get merged deltas, operators each', async () => {
    const { log, join } = stand();
    log.append(THREAD, [note(0)]);
    const [customer, operator] = [await join('customer'), await join('operator')];
    log.write(THREAD, [text('a', 'x'), text('a', 'y'), note(1)]);
    expect(customer.reader.last!.data.events).toEqual([text('a', 'xy'), note(1)]);
    expect(operator.reader.last!.data.events).toHaveLength(3);
  });

  verifies('FAN-11', 'the first of a burst at once, the rest in one frame 25 ms later', async () => {
    const { log, join, time } = stand();
    log.append(THREAD, [note(0)]);
    const { reader } = await join('customer');
    log.write(THREAD, [text('a', '1')]);
    expect(reader.frames).toHaveLength(2);
    for (const delta of ['2', '3', '4']) {
      time.advance(5);
      log.write(THREAD, [text('a', delta)]);
    }
    expect(reader.frames).toHaveLength(2);
    time.advance(10);
    expect(reader.last!.data.events).toEqual([text('a', '234')]);
    time.advance(25);
    log.write(THREAD, [text('a', '5')]);
    expect(reader.frames).toHaveLength(4);
    expect(reader.gaps).toBe(0);
  });

  verifies('FAN-11', 'what is large does not wait, and no frame outgrows its limit', async () => {
    const { log, join } = stand();
    log.append(THREAD, [note(0)]);
    const { reader } = await join('reviewer');
    log.write(
      THREAD,
      Array.from({ length: 40 }, () => note('x'.repeat(1_000_000))),
    );
    expect(reader.deliveries.slice(1).every((delivery) => delivery.size < 2_000_000)).toBe(true);
    expect(reader.lines).toEqual(wholeOf('reviewer', log.entriesOf(THREAD)));
  });

  verifies('FAN-12', 'one text for all who stand at the same place (PF-03)', async () => {
    const { log, join } = stand();
    log.append(THREAD, [note(0)]);
    const readers = await Promise.all([1, 2, 3].map(() => join('customer')));
    log.write(THREAD, [note(1)]);
    const frames = readers.map(({ reader }) => reader.deliveries.at(-1)!);
    expect(new Set(frames).size).toBe(1);
    expect(new Set(readers.map(({ reader }) => reader.deliveries[0])).size).toBe(1);
  });

  verifies('FAN-12', 'a reader that breaks does not keep the others waiting', async () => {
    const { log, join, failures } = stand();
    log.append(THREAD, [note(0)]);
    const broken = new HandReader();
    await join('customer', { reader: broken });
    broken.deliver = () => {
      throw new Error('broken');
    };
    const { reader } = await join('customer');
    log.write(THREAD, [note(1)]);
    expect(reader.frames).toHaveLength(2);
    expect(failures).toHaveLength(1);
  });
});

describe('a store that is away', () => {
  verifies('FAN-19', 'refuses the join, and the next one works', async () => {
    const { log, join } = stand();
    log.away = new StoreAway('gone');
    await expect(join('customer')).rejects.toBeInstanceOf(StoreAway);
    log.away = undefined;
    expect((await join('customer')).joined.recovered).toBe('snapshot');
  });

  verifies('FAN-19', 'keeps its readers for 30 s, then sends them elsewhere', async () => {
    const { log, join, time } = stand();
    const { reader } = await join('customer');
    log.health(false);
    time.advance(20_000);
    log.health(true);
    time.advance(20_000);
    expect(reader.closed).toEqual([]);
    log.health(false);
    time.advance(31_000);
    expect(reader.closed).toContain('STORE_AWAY');
  });

  verifies(
    'FAN-19',
    'a log that was lost while the store is away is built anew when it is back',
    async () => {
      const { log, join, time, failures } = stand();
      log.append(THREAD, [note(1)]);
      const { reader } = await join('customer');
      log.away = new StoreAway('gone');
      log.lose(THREAD, [note(2)]);
      await settled();
      expect(failures.length).toBeGreaterThan(0);
      log.away = undefined;
      time.advance(1_000);
      await settled();
      expect(reader.last).toMatchObject({ event: 'snapshot', data: { reason: 'reset' } });
      expect(reader.lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
    },
  );
});
