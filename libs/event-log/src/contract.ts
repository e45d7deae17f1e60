/** What every store of the log must do: a suite to be run against each of them. */
import { threadKey } from '@triptych/platform';
import type { ThreadId } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { Reader, counting, newThread, textEvent } from '../../../test/redis/log-reader.js';
import { verifies } from '../../../test/spec/verifies.js';
import type { AppendOutcome, EventLog, NewEvent, Rider } from './core/event-log.js';

export interface LogStore {
  /** A log with connections of its own, as another process would have; it keeps so many events behind a snapshot. */
  open(logKeep?: number): Promise<EventLog>;
  /** To look at what the store holds. */
  readonly redis: Redis;
  close(): Promise<void>;
}

const stored = (outcome: AppendOutcome): Extract<AppendOutcome, { status: 'stored' }> => {
  if (outcome.status !== 'stored') throw new Error(`expected stored, got ${JSON.stringify(outcome)}`);
  return outcome;
};

export const eventLogContract = (name: string, start: () => Promise<LogStore>): void => {
  describe(`event log on ${name}`, () => {
    let store: LogStore;
    let one: EventLog;
    let two: EventLog;
    let thread: ThreadId;
    beforeAll(async () => {
      store = await start();
      [one, two] = [await store.open(), await store.open()];
    });
    beforeEach(() => {
      thread = newThread();
    });
    afterAll(() => store.close());

    const append = (log: EventLog, ...deltas: string[]): Promise<AppendOutcome> =>
      log.append({ thread, events: deltas.map(textEvent) });

    verifies('LOG-1', 'eight appenders on two connections get dense seqs', async () => {
      const rounds = counting(1, 10);
      const appenders = counting(1, 8).map(async (who) => {
        const log = who % 2 === 0 ? one : two;
        const got: number[] = [];
        for (const round of rounds) {
          const { first, last } = stored(await append(log, ...counting(1, (round % 3) + 1).map(String)));
          got.push(...counting(first, last));
        }
        return got;
      });
      const seqs = (await Promise.all(appenders)).flat().sort((a, b) => a - b);
      expect(seqs).toEqual(counting(1, seqs.length));
      const page = await one.read(thread, 0, 1_000);
      expect(page).toMatchObject({ head: seqs.length, firstSeq: 1 });
      expect(page.entries.map(({ seq }) => seq)).toEqual(seqs);
    });

    verifies('LOG-2', 'two followers on two connections see one order, that of the log', async () => {
      const readers = [new Reader(), new Reader()] as const;
      const follows = [await one.follow(thread, 0, readers[0]), await two.follow(thread, 0, readers[1])];
      const writes = counting(1, 40).map((n) => append(n % 2 === 0 ? one : two, `a${n}`, `b${n}`));
      await Promise.all([...writes, readers[0].has(80), readers[1].has(80)]);
      const { entries } = await two.read(thread, 0, 1_000);
      expect(readers[0].entriesSeen).toEqual(entries);
      expect(readers[1].entriesSeen).toEqual(entries);
      for (const follow of follows) follow.stop();
    });

    verifies('LOG-3', 'texts come back byte for byte, read and announced', async () => {
      const texts = [
        '{"type":"CUSTOM", "name" : "x","value":"\\ud800 \\udc00\\ud83d\\ude00 é 漢 😀"}',
        '{"type":"CUSTOM","n":12345678901234567890.10,"n":1e400,"z":"\\u0000\\u001f"}',
        '{\n\t"type": "CUSTOM",\r\n "value": "line\\nline \u2028"}',
      ];
      const reader = new Reader();
      const follow = await one.follow(thread, 0, reader);
      const raw = '{"type":"RUN_STARTED", "input":{"messages":["é\\ud800"]}}';
      const events: NewEvent[] = [
        ...texts.map((json): NewEvent => ({ json, source: 'agent' })),
        { json: '{"type":"RUN_STARTED"}', raw, source: 'hub' },
      ];
      const { at } = stored(await two.append({ thread, events }));
      await reader.has(4);
      const { entries } = await two.read(thread, 0, 10);
      expect(entries.map(({ json }) => json)).toEqual([...texts, '{"type":"RUN_STARTED"}']);
      expect(entries[3]).toEqual({
        seq: 4,
        at,
        source: 'hub',
        event: { type: 'RUN_STARTED' },
        json: events[3]?.json,
        raw,
      });
      expect(entries[0]?.event['value']).toBe('\ud800 \udc00😀 é 漢 😀');
      expect(reader.entriesSeen).toEqual(entries);
      follow.stop();
    });

    verifies('LOG-3', 'a lone surrogate that was not escaped becomes its escape', async () => {
      await one.append({ thread, events: [{ json: '{"type":"CUSTOM","value":"\ud800"}', source: 'agent' }] });
      const { entries } = await one.read(thread, 0, 1);
      expect(entries[0]?.json).toBe('{"type":"CUSTOM","value":"\\ud800"}');
      expect(entries[0]?.event['value']).toBe('\ud800');
    });

    verifies('LOG-4', 'a read starts anywhere, also within a batch, and stops at its limit', async () => {
      for (const size of [1, 5, 40, 2, 30]) await append(one, ...counting(1, size).map(String));
      const seqs = async (after: number, limit: number): Promise<number[]> =>
        (await two.read(thread, after, limit)).entries.map(({ seq }) => seq);
      expect(await seqs(0, 78)).toEqual(counting(1, 78));
      expect(await seqs(3, 10)).toEqual(counting(4, 13));
      expect(await seqs(6, 41)).toEqual(counting(7, 47));
      expect(await seqs(70, 100)).toEqual(counting(71, 78));
      expect(await seqs(78, 5)).toEqual([]);
      expect(await two.read(newThread(), 0, 5)).toEqual({ epoch: '', head: 0, firstSeq: 1, entries: [] });
    });

    verifies('LOG-4', 'a read larger than one page is whole', async () => {
      const wide = 'x'.repeat(700_000);
      for (const n of counting(1, 9)) await append(one, `${n}${wide}`, 'small');
      const { entries } = await two.read(thread, 1, 100);
      expect(entries.map(({ seq }) => seq)).toEqual(counting(2, 18));
    });

    for (const seed of counting(1, 20)) {
      verifies(
        'LOG-5',
        `a follow that starts amid appends misses and repeats nothing (seed ${seed})`,
        async () => {
          const total = 30;
          const before = (seed * 7) % total;
          const write = async (from: number, to: number): Promise<void> => {
            for (const n of counting(from, to)) await append(n % 3 === 0 ? two : one, String(n));
          };
          await write(1, before);
          const reader = new Reader();
          const writing = write(before + 1, total);
          for (let turn = 0; turn < seed; turn += 1) await new Promise((resolve) => setImmediate(resolve));
          const after = seed % 2 === 0 ? 0 : before;
          const follow = await one.follow(thread, after, reader);
          await Promise.all([writing, reader.has(total - after)]);
          expect(reader.seqs).toEqual(counting(after + 1, total));
          expect(follow.epoch).toBe((await two.read(thread, 0, 1)).epoch);
          follow.stop();
        },
      );
    }

    verifies('LOG-7', 'riders take effect with the events, and alone when there are none', async () => {
      const key = (part: string): string => threadKey(thread, part);
      const riders: Rider[] = [
        ['HSET', key('run'), 'status', 'success', 'code', ''],
        ['HDEL', key('run'), 'code'],
        ['ZADD', key('due'), '1.5', 'task'],
        ['ZADD', key('due'), '2', 'gone'],
        ['ZREM', key('due'), 'gone'],
        ['XADD', key('outbox'), 'MAXLEN', '~', '1000', '*', 'kind', 'task'],
        ['HSET', key('lease'), 'by', 'me'],
        ['DEL', key('lease')],
        ['PUBLISH', `test:${thread}`, 'hello'],
      ];
      const ears = store.redis.duplicate({ enableOfflineQueue: true });
      const heard = new Promise((resolve) => ears.once('message', (_channel, message) => resolve(message)));
      await ears.subscribe(`test:${thread}`);
      await one.append({ thread, events: [textEvent('x')], riders });
      expect(await heard).toBe('hello');
      ears.disconnect();
      expect(await store.redis.hgetall(key('run'))).toEqual({ status: 'success' });
      expect([await store.redis.zcard(key('due')), await store.redis.zscore(key('due'), 'task')]).toEqual([
        1,
        '1.5',
      ]);
      expect(await store.redis.xlen(key('outbox'))).toBe(1);
      expect(await store.redis.exists(key('lease'))).toBe(0);
      const alone = await two.append({
        thread,
        events: [],
        riders: [['HSET', key('run'), 'status', 'failed']],
      });
      expect(alone).toMatchObject({ status: 'stored', first: 2, last: 1 });
      expect(await store.redis.hget(key('run'), 'status')).toBe('failed');
      expect((await one.read(thread, 0, 10)).head).toBe(1);
    });

    verifies('LOG-8', 'a guard that fails stores nothing', async () => {
      const key = threadKey(thread, 'run');
      await store.redis.hset(key, 'lease', 'mine');
      const request = {
        thread,
        events: [textEvent('x')],
        riders: [['HSET', key, 'status', 'done'] as const],
      };
      const guards = [
        { key, field: 'lease', equals: 'mine' },
        { key, field: 'absent', equals: '' },
      ];
      expect(await one.append({ ...request, guards })).toMatchObject({ status: 'stored', last: 1 });
      await store.redis.hset(key, 'absent', 'now', 'status', 'as it was');
      expect(await one.append({ ...request, guards })).toEqual({ status: 'guarded', failed: 1 });
      expect(await one.append({ ...request, events: [], guards })).toEqual({ status: 'guarded', failed: 1 });
      expect((await one.read(thread, 0, 10)).head).toBe(1);
      expect(await store.redis.hget(key, 'status')).toBe('as it was');
    });

    const badRiders: Record<string, (key: string) => string[]> = {
      'is not on the list': (key) => ['SET', key, 'x'],
      'is of another thread': () => ['HSET', threadKey(newThread(), 'run'), 'a', 'b'],
      'hides the tag behind another': (key) => ['HSET', `{x}${key}`, 'a', 'b'],
      'touches the log itself': () => ['DEL', threadKey(thread, 'log')],
      'lacks a value': (key) => ['HSET', key, 'a', 'b', 'c'],
      'has no score': (key) => ['ZADD', key, 'high', 'member'],
      'chooses a stream id': (key) => ['XADD', key, '1-1', 'a', 'b'],
      'is of another kind than its key': (key) => ['ZADD', `${key}:hash`, '1', 'a'],
      'has no key': () => ['DEL'],
    };
    for (const [what, rider] of Object.entries(badRiders)) {
      verifies('LOG-9', `a rider that ${what} fails the append whole`, async () => {
        const key = threadKey(thread, 'x');
        await store.redis.hset(`${key}:hash`, 'a', 'b');
        const good: Rider = ['HSET', `${key}:good`, 'a', 'b'];
        const riders = [good, rider(key) as unknown as Rider];
        await expect(one.append({ thread, events: [textEvent('x')], riders })).rejects.toThrow(
          'append refused',
        );
        expect(await store.redis.exists(`${key}:good`)).toBe(0);
        expect((await one.read(thread, 0, 1)).head).toBe(0);
      });
    }

    verifies('LOG-10', 'a producer repeats, overlaps, leaves a gap, and is fenced', async () => {
      const send = (epoch: number, seq: number, ...deltas: string[]): Promise<AppendOutcome> =>
        one.append({ thread, events: deltas.map(textEvent), producer: { id: 'p', epoch, seq } });
      expect(await send(1, 3, 'x')).toEqual({ status: 'gap', expected: 0 });
      const { epoch } = stored(await send(1, 0, '1', '2', '3'));
      expect(await send(1, 0, '1', '2', '3')).toEqual({ status: 'repeated', epoch, last: 3 });
      expect(await send(1, 1, '2')).toEqual({ status: 'repeated', epoch, last: 3 });
      expect(await send(1, 2, '3', '4', '5')).toMatchObject({ status: 'stored', first: 4, last: 5 });
      expect(await send(1, 6, '7')).toEqual({ status: 'gap', expected: 5 });
      expect(await send(2, 1, 'x')).toEqual({ status: 'gap', expected: 0 });
      expect(await send(2, 0, '6')).toMatchObject({ status: 'stored', first: 6, last: 6 });
      expect(await send(1, 5, 'x')).toEqual({ status: 'fenced', epoch: 2 });
      await append(two, 'other');
      expect(await send(2, 1, '8')).toMatchObject({ status: 'stored', first: 8 });
      const { entries } = await two.read(thread, 0, 100);
      expect(entries.map(({ event }) => event['delta'])).toEqual([
        '1',
        '2',
        '3',
        '4',
        '5',
        '6',
        'other',
        '8',
      ]);
    });

    /** What a store that lost its latest writes looks like. */
    const loseAfter = async (seq: number): Promise<void> => {
      const [meta, log] = [threadKey(thread, 'meta'), threadKey(thread, 'log')];
      const kept = await store.redis.xrange(log, '-', `${seq}-0`);
      await store.redis.del(log);
      for (const [id, fields] of kept) await store.redis.call('XADD', log, id, ...fields);
      await store.redis.hset(meta, 's', String(seq), 'ps:p', String(seq - 1), 'pr:p', String(seq));
    };

    verifies(
      'LOG-11',
      'lost writes become a void under a new epoch, and the producer sends them again',
      async () => {
        const send = (seq: number, ...deltas: string[]): Promise<AppendOutcome> =>
          one.append({ thread, events: deltas.map(textEvent), producer: { id: 'p', epoch: 1, seq } });
        const { epoch } = stored(await send(0, '1', '2'));
        for (const n of [3, 4, 5]) await send(n - 1, String(n));
        await loseAfter(2);
        expect(await send(5, '6')).toEqual({ status: 'gap', expected: 2 });
        expect(await send(2, '3', '4', '5', '6')).toMatchObject({ status: 'stored', first: 6, last: 9 });
        const page = await two.read(thread, 0, 100);
        expect(page.epoch).not.toBe(epoch);
        expect(page.entries.map(({ seq, event }) => `${seq}=${String(event['delta'])}`)).toEqual([
          '1=1',
          '2=2',
          '6=3',
          '7=4',
          '8=5',
          '9=6',
        ]);
      },
    );

    verifies(
      'LOG-11',
      'what another process saw counts too; an outdated producer changes nothing',
      async () => {
        const unaware = await store.open();
        const producer = { id: 'p', epoch: 2, seq: 0 };
        const { epoch } = stored(await one.append({ thread, events: [textEvent('1')], producer }));
        for (const delta of ['2', '3', '4']) await append(one, delta);
        await loseAfter(1);
        expect(await append(unaware, 'other')).toMatchObject({ status: 'stored', epoch, last: 2 });
        const request = { thread, events: [textEvent('x')], seen: { epoch, seq: 4 } };
        const outdated = { ...producer, epoch: 1 };
        expect(await unaware.append({ ...request, producer: outdated })).toEqual({
          status: 'fenced',
          epoch: 2,
        });
        expect((await unaware.read(thread, 0, 1)).epoch).toBe(epoch);
        const after = stored(await unaware.append(request));
        expect(after).toMatchObject({ first: 5, last: 5 });
        expect(after.epoch).not.toBe(epoch);
      },
    );

    verifies(
      'LOG-11',
      'events left behind by a lost meta are never mixed with those of the new epoch',
      async () => {
        const before = stored(await append(one, '1', '2', '3'));
        await store.redis.del(threadKey(thread, 'meta'));
        const after = stored(await append(two, 'new'));
        expect(after).toMatchObject({ first: 1, last: 1 });
        expect(after.epoch).not.toBe(before.epoch);
        const { entries } = await two.read(thread, 0, 10);
        expect(entries.map(({ json }) => json)).toEqual([textEvent('new').json]);
      },
    );

    verifies('LOG-12', 'a follow is told of a new epoch, once, and ends', async () => {
      await append(one, '1', '2');
      const reader = new Reader();
      await two.follow(thread, 0, reader);
      await append(one, '3');
      await reader.has(3);
      await loseAfter(2);
      const { epoch } = stored(await append(one, '4'));
      await reader.until(({ rotations }) => rotations.length > 0);
      expect([reader.rotations, reader.seqs]).toEqual([[epoch], [1, 2, 3]]);
    });

    verifies('LOG-12', 'a follow that starts beyond the head is told that the log went back', async () => {
      const { epoch } = stored(await append(one, '1', '2'));
      const [ahead, nowhere] = [new Reader(), new Reader()];
      await two.follow(thread, 7, ahead);
      await two.follow(newThread(), 1, nowhere);
      expect([ahead.rotations, nowhere.rotations, ahead.seqs]).toEqual([[epoch], [''], []]);
    });

    verifies('LOG-13', 'a big batch reaches those who follow', async () => {
      const reader = new Reader();
      const follow = await two.follow(thread, 0, reader);
      await append(one, 'small');
      await append(one, 'x'.repeat(40_000), 'y'.repeat(40_000));
      await reader.has(3);
      expect(reader.seqs).toEqual([1, 2, 3]);
      expect(reader.entriesSeen[2]?.event['delta']).toBe('y'.repeat(40_000));
      follow.stop();
    });

    verifies('LOG-21', 'a hole in the store is an error to whoever reads over it', async () => {
      for (const n of ['1', '2', '3']) await append(one, n);
      await store.redis.xdel(threadKey(thread, 'log'), '2-0');
      await expect(two.read(thread, 0, 10)).rejects.toThrow('seq 2 to 2 are missing');
      await expect(two.follow(thread, 1, new Reader())).rejects.toThrow('seq 2 to 2 are missing');
      expect((await two.read(thread, 2, 10)).entries).toHaveLength(1);
      await store.redis.xdel(threadKey(thread, 'log'), '3-0');
      await expect(two.read(thread, 2, 10)).rejects.toThrow('seq 3 to 3 are missing');
    });

    verifies('LOG-19', 'a flush of the scripts is not noticed', async () => {
      await append(one, '1');
      await store.redis.script('FLUSH');
      expect(await append(one, '2')).toMatchObject({ status: 'stored', last: 2 });
      await store.redis.script('FLUSH');
      expect((await one.read(thread, 0, 10)).head).toBe(2);
    });

    verifies('LOG-20', 'a stopped follow is silent while another goes on', async () => {
      const [gone, stays] = [new Reader(), new Reader()];
      const first = await one.follow(thread, 0, gone);
      const second = await one.follow(thread, 0, stays);
      await append(two, '1');
      await Promise.all([gone.has(1), stays.has(1)]);
      first.stop();
      await append(two, '2');
      await stays.has(2);
      second.stop();
      const again = new Reader();
      await one.follow(thread, 1, again);
      await append(two, '3');
      await again.has(2);
      expect([gone.seqs, stays.seqs, again.seqs]).toEqual([[1], [1, 2], [2, 3]]);
    });
  });
};
