/** What is stored: dense, byte for byte, with its riders and guards or not at all. */
import { threadKey } from '@triptych/platform';
import { Reader, counting, newThread, textEvent } from '../../../../test/redis/log-reader.js';
import { verifies } from '../../../../test/spec/verifies.js';
import type { NewEvent, Rider } from '../../src/core/event-log.js';
import { stored } from './stage.js';
import type { Stage } from './stage.js';

export const storing = (stage: Stage): void => {
  verifies('LOG-1', 'eight appenders on two connections get dense seqs', async () => {
    const { one, two, thread, append } = stage;
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

  verifies('LOG-3', 'texts come back byte for byte, read and announced', async () => {
    const { one, two, thread } = stage;
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
    const { one, thread } = stage;
    await one.append({ thread, events: [{ json: '{"type":"CUSTOM","value":"\ud800"}', source: 'agent' }] });
    const { entries } = await one.read(thread, 0, 1);
    expect(entries[0]?.json).toBe('{"type":"CUSTOM","value":"\\ud800"}');
    expect(entries[0]?.event['value']).toBe('\ud800');
  });

  verifies('LOG-7', 'riders take effect with the events, and alone when there are none', async () => {
    const { store, one, two, thread } = stage;
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
    const { store, one, thread } = stage;
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
    'touches the log itself': () => ['DEL', threadKey(stage.thread, 'log')],
    'lacks a value': (key) => ['HSET', key, 'a', 'b', 'c'],
    'has no score': (key) => ['ZADD', key, 'high', 'member'],
    'chooses a stream id': (key) => ['XADD', key, '1-1', 'a', 'b'],
    'is of another kind than its key': (key) => ['ZADD', `${key}:hash`, '1', 'a'],
    'has no key': () => ['DEL'],
  };
  for (const [what, rider] of Object.entries(badRiders)) {
    verifies('LOG-9', `a rider that ${what} fails the append whole`, async () => {
      const { store, one, thread } = stage;
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

  verifies('LOG-19', 'a flush of the scripts is not noticed', async () => {
    const { store, one, thread, append } = stage;
    await append(one, '1');
    await store.redis.script('FLUSH');
    expect(await append(one, '2')).toMatchObject({ status: 'stored', last: 2 });
    await store.redis.script('FLUSH');
    expect((await one.read(thread, 0, 10)).head).toBe(2);
  });
};
