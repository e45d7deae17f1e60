/** What is read and followed: from anywhere, in one order, without gap or repeat. */
import { threadKey } from '@triptych/platform';
import { Reader, counting, newThread } from '../../../../test/redis/log-reader.js';
import { verifies } from '../../../../test/spec/verifies.js';
import { stored } from './stage.js';
import type { Stage } from './stage.js';

export const reading = (stage: Stage): void => {
  verifies('LOG-2', 'two followers on two connections see one order, that of the log', async () => {
    const { one, two, thread, append } = stage;
    const readers = [new Reader(), new Reader()] as const;
    const follows = [await one.follow(thread, 0, readers[0]), await two.follow(thread, 0, readers[1])];
    const writes = counting(1, 40).map((n) => append(n % 2 === 0 ? one : two, `a${n}`, `b${n}`));
    await Promise.all([...writes, readers[0].has(80), readers[1].has(80)]);
    const { entries } = await two.read(thread, 0, 1_000);
    expect(readers[0].entriesSeen).toEqual(entries);
    expect(readers[1].entriesSeen).toEqual(entries);
    for (const follow of follows) follow.stop();
  });

  verifies('LOG-4', 'a read starts anywhere, also within a batch, and stops at its limit', async () => {
    const { one, two, thread, append } = stage;
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
    const { one, two, thread, append } = stage;
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
        const { one, two, thread, append } = stage;
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

  verifies('LOG-12', 'a follow that starts beyond the head is told that the log went back', async () => {
    const { one, two, thread, append } = stage;
    const { epoch } = stored(await append(one, '1', '2'));
    const [ahead, nowhere] = [new Reader(), new Reader()];
    await two.follow(thread, 7, ahead);
    await two.follow(newThread(), 1, nowhere);
    expect([ahead.rotations, nowhere.rotations, ahead.seqs]).toEqual([[epoch], [''], []]);
  });

  verifies('LOG-13', 'a big batch reaches those who follow', async () => {
    const { one, two, thread, append } = stage;
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
    const { store, one, two, thread, append } = stage;
    for (const n of ['1', '2', '3']) await append(one, n);
    await store.redis.xdel(threadKey(thread, 'log'), '2-0');
    await expect(two.read(thread, 0, 10)).rejects.toThrow('seq 2 to 2 are missing');
    await expect(two.follow(thread, 1, new Reader())).rejects.toThrow('seq 2 to 2 are missing');
    expect((await two.read(thread, 2, 10)).entries).toHaveLength(1);
    await store.redis.xdel(threadKey(thread, 'log'), '3-0');
    await expect(two.read(thread, 2, 10)).rejects.toThrow('seq 3 to 3 are missing');
  });

  verifies('LOG-20', 'a stopped follow is silent while another goes on', async () => {
    const { one, two, thread, append } = stage;
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
};
