/** Proves how one follow reads: once at a time, again after a failure, not at all when it has ended. */
import { createLog } from '@triptych/platform';
import { StoreAway } from '@triptych/protocol';
import { Reader, counting, newThread } from '../../../../test/redis/log-reader.js';
import { verifies } from '../../../../test/spec/verifies.js';
import { batchFrom } from '../core/batch.js';
import type { Page } from '../core/page.js';
import { Follower, type FollowerParts } from './follower.js';

const json = '{"type":"CUSTOM"}';
const pageTo = (head: number, after: number): Page => ({
  epoch: 'e',
  head,
  firstSeq: 1,
  batches:
    after < head
      ? [
          batchFrom(
            after + 1,
            1,
            counting(after + 1, head).map(() => ({ source: 'agent', json })),
          ),
        ]
      : [],
});
const announced = (seq: number): Buffer => Buffer.from(`b e ${seq} ${seq} 1 a${json.length}\n${json}`);

/** A follow whose reads are answered by hand. */
const byHand = (more: Partial<FollowerParts> = {}) => {
  const reader = new Reader();
  const asked: { after: number; answer: (page: Page | Error) => void }[] = [];
  const ended: string[] = [];
  const follower = new Follower({
    thread: newThread(),
    after: 0,
    listener: reader,
    log: createLog({ level: 'silent' }),
    note: () => undefined,
    fence: () => Promise.resolve('f'),
    ended: () => void ended.push('ended'),
    read: (after) =>
      new Promise((resolve, reject) =>
        asked.push({ after, answer: (page) => (page instanceof Error ? reject(page) : resolve(page)) }),
      ),
    ...more,
  });
  const attachAt = async (head: number): Promise<void> => {
    const attached = follower.attach();
    asked.shift()?.answer(pageTo(head, 0));
    await attached;
  };
  return { reader, asked, ended, follower, attachAt };
};

describe('follower', () => {
  verifies(
    'LOG-30',
    'a log that went back is given its new epoch before anybody is told, whatever that takes',
    async () => {
      let away = true;
      const { reader, ended, follower, attachAt } = byHand({
        fence: async () => {
          if (away) throw new StoreAway('not yet');
          return Promise.resolve('f');
        },
      });
      await attachAt(5);
      await follower.check(() => Promise.resolve({ epoch: 'e', head: 3 }));
      follower.hear(announced(4));
      expect([reader.rotations, ended]).toEqual([[], []]);
      away = false;
      await reader.until(({ rotations }) => rotations.length > 0);
      expect([reader.rotations, reader.seqs, ended]).toEqual([['f'], counting(1, 5), ['ended']]);
    },
  );

  verifies(
    'LOG-32',
    'a new epoch that could not be given for a strange reason is asked for again',
    async () => {
      let tries = 0;
      const { reader, ended, follower, attachAt } = byHand({
        fence: async () => {
          tries += 1;
          if (tries === 1) throw new Error('nobody thought of this');
          return Promise.resolve('f');
        },
      });
      await attachAt(5);
      await follower.check(() => Promise.resolve({ epoch: 'e', head: 3 }));
      await reader.until(({ rotations }) => rotations.length > 0);
      expect([tries, reader.rotations, ended]).toEqual([2, ['f'], ['ended']]);
    },
  );

  verifies('LOG-6', 'however many announcements show a gap, one read is under way', async () => {
    const { reader, asked, follower, attachAt } = byHand();
    await attachAt(2);
    for (const seq of [5, 6, 9]) follower.hear(announced(seq));
    expect(asked.map(({ after }) => after)).toEqual([2]);
    asked.shift()?.answer(pageTo(8, 2));
    await reader.has(9);
    expect([reader.seqs, asked]).toEqual([counting(1, 9), []]);
  });

  verifies('LOG-14', 'a read that fails is tried again, and what came meanwhile is not lost', async () => {
    const { reader, asked, follower, attachAt } = byHand();
    await attachAt(1);
    follower.hear(announced(3));
    asked.shift()?.answer(new StoreAway('away'));
    follower.hear(announced(4));
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    asked.shift()?.answer(pageTo(4, 1));
    await reader.has(4);
    expect(reader.seqs).toEqual([1, 2, 3, 4]);
  });

  verifies('LOG-20', 'a follow that was stopped while it read delivers nothing', async () => {
    const { reader, asked, ended, follower } = byHand();
    const attached = follower.attach();
    follower.stop();
    asked.shift()?.answer(pageTo(3, 0));
    await attached;
    follower.hear(announced(4));
    expect([reader.seqs, ended, asked]).toEqual([[], ['ended'], []]);
  });
});
