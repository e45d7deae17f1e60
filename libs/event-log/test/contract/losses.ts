/** Producers that send again, and stores that lost what they had acknowledged. */
import { threadKey } from '@triptych/platform';
import { Reader, textEvent } from '../../../../test/redis/log-reader.js';
import { verifies } from '../../../../test/spec/verifies.js';
import type { AppendOutcome } from '../../src/core/event-log.js';
import { stored } from './stage.js';
import type { Stage } from './stage.js';

export const losses = (stage: Stage): void => {
  verifies('LOG-10', 'a producer repeats, overlaps, leaves a gap, and is fenced', async () => {
    const { one, two, thread, append } = stage;
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
    expect(entries.map(({ event }) => event['delta'])).toEqual(['1', '2', '3', '4', '5', '6', 'other', '8']);
  });

  /** What a store that lost its latest writes looks like. */
  const loseAfter = async (seq: number): Promise<void> => {
    const { store, thread } = stage;
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
      const { one, two, thread } = stage;
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
      const { store, one, thread, append } = stage;
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
      const { store, one, two, thread, append } = stage;
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
    const { one, two, thread, append } = stage;
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
};
