import { asThreadId } from '@triptych/protocol';
import type { ThreadRecord } from '@triptych/runs';
import { verifies } from '../../../../test/spec/verifies.js';
import { pageOfThreads } from './thread-page.js';

const thread = (name: string, updatedAt: number): ThreadRecord => ({
  threadId: asThreadId(name),
  tenant: 'default',
  owner: 'amelia',
  agentId: 'bank',
  status: 'idle',
  createdAt: 0,
  updatedAt,
});
const THREADS = [
  thread('c', 5),
  thread('a', 9),
  thread('e', 5),
  thread('b', 7),
  thread('d', 5),
  thread('f', 1),
];

const walk = (limit: number, change = (threads: ThreadRecord[]): ThreadRecord[] => threads) => {
  const pages: string[][] = [];
  let threads = THREADS;
  let cursor: string | undefined;
  do {
    const page = pageOfThreads(threads, { limit, cursor });
    if (!page.ok) throw new Error(page.refusal.code);
    pages.push(page.value.items.map(({ threadId }) => threadId));
    cursor = page.value.next;
    threads = change(threads);
  } while (cursor !== undefined);
  return pages;
};

describe('pages of threads', () => {
  verifies('HUB-21', 'are newest first, and end', () => {
    expect(walk(10)).toEqual([['a', 'b', 'c', 'd', 'e', 'f']]);
    expect(walk(6)).toEqual([['a', 'b', 'c', 'd', 'e', 'f']]);
    expect(walk(3)).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
    ]);
    expect(walk(4)).toEqual([
      ['a', 'b', 'c', 'd'],
      ['e', 'f'],
    ]);
    expect(walk(1).flat()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  verifies('HUB-21', 'repeat nothing that changes or comes meanwhile', () => {
    let now = 100;
    const pages = walk(2, (threads) => {
      now += 1;
      return [
        ...threads.map((one) => (one.threadId === 'a' ? thread('a', now) : one)),
        thread(`n${now}`, now),
      ];
    });
    expect(pages.flat()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it.each(['', 'x', 'W10', 'WyJhIiwxXQ', 'bnVsbA'])('refuse the cursor %j', (cursor) => {
    expect(pageOfThreads(THREADS, { limit: 2, cursor })).toMatchObject({
      refusal: { code: 'INVALID_INPUT', details: { pointer: '/cursor' } },
    });
  });
});
