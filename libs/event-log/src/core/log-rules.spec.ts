/** Proves the small rules of the log: bounds of an append, known heads, signs of life, the form of announcements. */
import { asThreadId } from '@triptych/protocol';
import { counting } from '../../../../test/redis/log-reader.js';
import { verifies } from '../../../../test/spec/verifies.js';
import { readAnnouncement } from './announcement.js';
import { appendArgs, outcomeOf } from './append-request.js';
import type { NewEvent, Rider } from './event-log.js';
import type { LogPosition } from './feed.js';
import { knownHeads } from './known-heads.js';
import { heardAt, judgeLiveness } from './liveness.js';
import type { Page } from './page.js';
import { readRange } from './read-pages.js';
import { batchFrom } from './batch.js';

const thread = asThreadId('t');
const event: NewEvent = { json: '{"type":"X"}', source: 'agent' };

describe('log rules', () => {
  verifies('LOG-22', 'too many events, bytes or riders are refused', () => {
    const fails = (request: { events?: NewEvent[]; riders?: Rider[] }): void =>
      expect(() => appendArgs({ thread, events: [], ...request }, 'e')).toThrow(RangeError);
    fails({ events: Array.from({ length: 1_001 }, () => event) });
    fails({ events: [{ ...event, json: 'x'.repeat(33 * 1024 * 1024) }] });
    fails({ riders: Array.from({ length: 1_001 }, (): Rider => ['DEL', 'k']) });
    fails({ riders: [['DEL', ...Array.from({ length: 4_000 }, () => 'k')]] });
    expect(appendArgs({ thread, events: Array.from({ length: 1_000 }, () => event) }, 'e')).toHaveLength(
      3_012,
    );
  });

  verifies(
    'LOG-4',
    'a read over a change of epoch starts again, and gives up when it never ends',
    async () => {
      const page = (epoch: string, first: number, last: number): Page => ({
        epoch,
        head: 4,
        firstSeq: 1,
        batches: [
          batchFrom(
            first,
            1,
            counting(first, last).map(() => event),
          ),
        ],
      });
      const script = [page('e1', 1, 2), page('e2', 3, 4), page('e2', 1, 2), page('e2', 3, 4)];
      const asked: [number, number][] = [];
      const whole = await readRange(
        async (after, events) => {
          asked.push([after, events]);
          return script.shift() as Page;
        },
        { after: 0, limit: 4 },
      );
      expect([whole.epoch, whole.entries.map(({ seq }) => seq)]).toEqual(['e2', [1, 2, 3, 4]]);
      expect(asked).toEqual([
        [0, 4],
        [2, 2],
        [0, 4],
        [2, 2],
      ]);
      let turn = 0;
      const restless = async (): Promise<Page> => page(`e${(turn += 1)}`, 1, 2);
      await expect(readRange(restless, { after: 0, limit: 4 })).rejects.toThrow('again and again');
    },
  );

  verifies('LOG-10', 'an answer that the script cannot give is a bug', () => {
    expect(() => outcomeOf(['maybe'])).toThrow('maybe');
    expect(() => outcomeOf([])).toThrow();
  });

  verifies('LOG-11', 'the furthest head of each log is known, for the threads of late', () => {
    const heads = knownHeads(2);
    const note = (thread: string, epoch: string, head: number): void =>
      heads.note(thread, { epoch, head }, 'one life');
    note('a', 'e1', 5);
    note('a', 'e1', 3);
    expect(heads.of('a')).toEqual({ epoch: 'e1', head: 5 });
    note('a', 'e2', 1);
    note('b', 'e', 1);
    note('a', 'e2', 2);
    note('c', 'e', 1);
    expect([heads.of('a'), heads.of('b')]).toEqual([{ epoch: 'e2', head: 2 }, undefined]);
  });

  verifies('LOG-31', 'what was seen before a life of the store is told apart from what is seen in it', () => {
    const heads = knownHeads();
    const at = (head: number): LogPosition => ({ epoch: 'e', head });
    expect(heads.before('a', 'first')).toBeUndefined();
    heads.note('a', at(5), 'first');
    expect([heads.before('a', 'first'), heads.before('a', 'second')]).toEqual([undefined, at(5)]);
    heads.note('a', at(4), 'second');
    heads.note('a', at(7), 'second');
    expect([heads.before('a', 'second'), heads.before('a', 'third')]).toEqual([at(5), at(7)]);
    expect(heads.of('a')).toEqual(at(7));
  });

  verifies('LOG-16', 'silence is probed, and an echo that does not come is death', () => {
    const bounds = { idleMs: 5_000, echoMs: 5_000 };
    const at = (now: number, probedAt?: number) =>
      judgeLiveness(probedAt === undefined ? heardAt(0) : { heardAt: 0, probedAt }, now, bounds);
    expect([at(4_999), at(5_000), at(9_999, 5_000), at(10_000, 5_000)]).toEqual([
      'fine',
      'probe',
      'fine',
      'dead',
    ]);
  });

  verifies('LOG-3', 'announced texts are cut by bytes, whatever they contain', () => {
    const [json, raw] = ['{"type":"é\n漢"}', '😀 \n raw'];
    const shape = `h${Buffer.byteLength(json)}r${Buffer.byteLength(raw)},a${Buffer.byteLength(event.json)}`;
    const message = Buffer.from(`b e1 4 5 99 ${shape}\n${json.replace('\n', ' ')}${raw}${event.json}`);
    const heard = readAnnouncement(message);
    expect(heard.kind === 'batch' && heard.batch).toMatchObject({
      first: 4,
      last: 5,
      entries: [
        { seq: 4, at: 99, source: 'hub', raw },
        { seq: 5, at: 99, source: 'agent', json: event.json },
      ],
    });
    expect(readAnnouncement(Buffer.from('p e1 4 9'))).toEqual({ kind: 'pointer', epoch: 'e1', last: 9 });
    expect(readAnnouncement(Buffer.from('r e2'))).toEqual({ kind: 'rotated', epoch: 'e2' });
    expect(() => readAnnouncement(Buffer.from('x'))).toThrow('unknown');
  });
});
