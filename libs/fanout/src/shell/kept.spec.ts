import type { AguiEvent, Surface } from '@triptych/protocol';
import { SURFACES } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { HandReader } from '../../test/hand-reader.js';
import { THREAD, settled, stand } from '../../test/stand.js';
import { secret, split, text, wholeOf } from '../../test/story.js';

const many = (count: number): AguiEvent[] =>
  Array.from({ length: count }, (_, nth) => {
    if (nth % 3 === 0) return secret(nth);
    return nth % 5 === 0 ? split(nth) : text(`m${nth % 7}`, `${nth} `);
  });

/** A thread that ends in what customers do not see, and the same with snapshots of it. */
const both = () => {
  const [whole, kept] = [stand(), stand()];
  for (const { log } of [whole, kept]) log.append(THREAD, [...many(1_999), secret('last')]);
  for (const seq of [400, 1_200, 1_999, 2_000]) kept.log.keep(THREAD, seq);
  return { whole, kept };
};

describe('rooms over a log with snapshots', () => {
  for (const surface of SURFACES)
    verifies('FAN-42', `the ${surface} stands where one stands who was always there`, async () => {
      const { whole, kept } = both();
      kept.log.trim(THREAD, 1_200);
      const there = await whole.join(surface);
      const joined = await kept.join(surface);
      expect(joined.reader.lines).toEqual(there.reader.lines);
      expect(joined.reader.pos).toEqual(there.reader.pos);
      expect(await kept.rooms.glance(THREAD, surface)).toEqual(await whole.rooms.glance(THREAD, surface));
      for (const { log } of [whole, kept]) log.write(THREAD, many(20));
      expect(joined.reader.frames.slice(1)).toEqual(there.reader.frames.slice(1));
      expect(joined.reader.pos).toEqual(there.reader.pos);
    });

  verifies(
    'FAN-42',
    'a glance begins at the newest, a room so far back that readers can come back',
    async () => {
      const { kept } = both();
      await kept.rooms.glance(THREAD, 'customer');
      expect(kept.log.reads).toBe(1);
      const placeAt = async (seq: number) => {
        const at = await kept.rooms.snapshotAt(THREAD, 'customer', seq);
        return at === 'trimmed' ? undefined : at.pos;
      };
      const back = new HandReader();
      const { joined } = await kept.join('customer', { reader: back, from: (await placeAt(1_400))! });
      expect(joined.recovered).toBe('replay');
      const want = kept.log.entriesOf(THREAD).filter(({ seq }) => seq > 1_400);
      expect(back.lines).toEqual(wholeOf('customer', want));
      const older = await kept.join('customer', { from: (await placeAt(1_000))! });
      expect(older.reader.last).toMatchObject({ event: 'snapshot', data: { reason: 'trimmed' } });
      expect(older.reader.lines).toEqual(wholeOf('customer', kept.log.entriesOf(THREAD)));
    },
  );

  verifies('FAN-42', 'one that is trimmed while it is read is begun anew', async () => {
    const { kept } = both();
    const read = kept.log.read.bind(kept.log);
    let pages = 0;
    kept.log.read = (thread, after, limit) => {
      pages += 1;
      if (pages === 1) kept.log.trim(THREAD, 1_999);
      return read(thread, after, limit);
    };
    const { reader } = await kept.join('reviewer');
    expect(reader.lines).toEqual(wholeOf('reviewer', kept.log.entriesOf(THREAD)));
  });

  verifies(
    'FAN-43',
    'readers of a room that fell behind what is kept get a snapshot that says so',
    async () => {
      const { log, join } = stand();
      log.append(THREAD, many(100));
      const { reader } = await join('customer');
      log.append(THREAD, many(100));
      log.keep(THREAD, 150);
      log.trim(THREAD, 150);
      log.endFollows(THREAD);
      await settled();
      expect(reader.last).toMatchObject({ event: 'snapshot', data: { reason: 'trimmed' } });
      log.write(THREAD, many(10));
      expect(reader.lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
      expect(reader.gaps).toBe(0);
    },
  );

  verifies('FAN-43', 'one whose log went back under the same epoch tells that it was lost', async () => {
    const { log, join } = stand();
    log.append(THREAD, many(100));
    const { reader } = await join('customer');
    log.goBack(THREAD, 30);
    log.endFollows(THREAD);
    await settled();
    expect(reader.last).toMatchObject({ event: 'snapshot', data: { reason: 'reset' } });
    expect(reader.lines).toEqual(wholeOf('customer', log.entriesOf(THREAD)));
  });

  const wholeFrom = async (afterSeq: number) => {
    const { kept } = both();
    kept.log.trim(THREAD, 1_200);
    const { reader } = await kept.join('customer', {
      reader: new HandReader({ whole: true }),
      from: { afterSeq },
    });
    await settled();
    return { reader, log: kept.log };
  };

  verifies(
    'FAN-44',
    'a stream that cannot start over is told from the snapshot before its place',
    async () => {
      const { reader, log } = await wholeFrom(1_210);
      const want = log.entriesOf(THREAD).filter(({ seq }) => seq > 1_210);
      expect(reader.lines).toEqual(wholeOf('customer', want));
      expect(reader.frames.every((frame) => frame.event === 'agui')).toBe(true);
    },
  );

  verifies('FAN-44', 'one whose place was trimmed ends', async () => {
    const { reader } = await wholeFrom(1_100);
    expect(reader.closed).toEqual(['RESTART']);
    expect(reader.frames).toEqual([]);
  });

  verifies('FAN-45', 'a surface is told as it was after any entry that is kept, and no earlier', async () => {
    const { whole, kept } = both();
    kept.log.trim(THREAD, 1_200);
    const at = (on: ReturnType<typeof stand>, surface: Surface, seq: number) =>
      on.rooms.snapshotAt(THREAD, surface, seq);
    for (const surface of SURFACES) {
      for (const seq of [1_200, 1_201, 1_998, 1_999, 2_000])
        expect(await at(kept, surface, seq)).toEqual(await at(whole, surface, seq));
      expect(await at(kept, surface, 1_199)).toBe('trimmed');
    }
  });
});
