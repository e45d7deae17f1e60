/** Proves what who reads the inbox is shown: orders, pages and counts over HTTP, and all that changes, on their socket. */
import { Redis } from 'ioredis';
import { AMELIA, JAN, MO, TOVE, type Screen } from '@triptych/testkit';
import type { TaskCounts, TaskView } from '@triptych/protocol';
import { verifies } from '../spec/verifies.js';
import { product } from './the-product.js';
import { approve, runBody } from './wire.js';

const JOURNEY_MS = 120_000;
const AMOUNT = 2_000_000;

interface Answer {
  readonly items: readonly TaskView[];
  readonly total: number;
  readonly counts: TaskCounts;
  readonly nextCursor?: string;
}

interface Refused {
  readonly error: { readonly code: string; readonly details?: { readonly pointer: string } };
}

const ask = async (threadId: string): Promise<void> => {
  const token = await product.token(AMELIA);
  const body = runBody(threadId, `an account with ${AMOUNT}`);
  await (await product.fetch('/v1/agents/onboarding/run', { token, body })).text();
};

const inbox = async <T = Answer>(query: Record<string, string>, person = TOVE): Promise<T> =>
  product.json<T>(`/v1/approvals?${new URLSearchParams(query).toString()}`, {
    token: await product.token(person),
  });

const claim = async ({ taskId }: TaskView, command = 'claim'): Promise<void> => {
  const token = await product.token(JAN);
  await product.json(`/v1/approvals/${taskId}/${command}`, { token, body: {} });
};

const openInbox = (screen: Screen, filter?: object): Promise<Answer> =>
  screen.ask<Answer>('inbox.subscribe', filter ? { filter } : {});

const refusedAt = (pointer: string) => ({ error: { code: 'INVALID_INPUT', details: { pointer } } });

describe('the inbox', () => {
  const threads = ['inbox-1', 'inbox-2', 'inbox-3'];
  beforeAll(async () => {
    for (const threadId of threads) await ask(threadId);
  }, JOURNEY_MS);

  verifies('HUB-93', 'comes in the order that is asked for, and in no other', async () => {
    const newest = threads.toReversed();
    const orders = { created: newest, due: threads, priority: threads, expires: threads };
    const screen = await product.screen('reviewer', TOVE);
    for (const [sort, order] of Object.entries(orders)) {
      const { items } = await inbox({ sort, tool: 'openAccount' });
      expect(items.map(({ threadId }) => threadId)).toEqual(order);
      const there = await openInbox(screen, { sort, tool: 'openAccount' });
      expect(there.items.map(({ threadId }) => threadId)).toEqual(order);
    }
    expect((await inbox({})).items.map(({ threadId }) => threadId)).toEqual(newest);
    for (const sort of ['zzz', '', 'Created', 'constructor'])
      expect(await inbox<Refused>({ sort })).toMatchObject(refusedAt('/sort'));
    for (const sort of ['zzz', 7, null, ['due']])
      await expect(openInbox(screen, { sort })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { details: { pointer: '/data/filter/sort' } },
      });
    await screen.close();
  });

  verifies('HUB-94', 'goes on from where a page ended, for the question it was part of only', async () => {
    const first = await inbox({ sort: 'due', limit: '1' });
    const cursor = first.nextCursor ?? '';
    const next = await inbox({ sort: 'due', limit: '2', cursor });
    expect([...first.items, ...next.items].map(({ threadId }) => threadId)).toEqual(threads);
    expect(next.nextCursor).toBeUndefined();
    const others: Record<string, string>[] = [
      { cursor },
      { sort: 'due', tool: 'openAccount', cursor },
      { sort: 'due', cursor: `${cursor}A` },
      { sort: 'due', cursor: cursor.slice(1) },
      { sort: 'due', cursor: 'nonsense' },
    ];
    for (const other of others) expect(await inbox<Refused>(other)).toMatchObject(refusedAt('/cursor'));
  });

  verifies(
    'APR-111',
    'says how many are asked for on all pages, dearest first where that is asked',
    async () => {
      const first = await inbox({ sort: 'amount', limit: '1', minAmount: String(AMOUNT) });
      expect([first.items.length, first.total]).toEqual([1, 3]);
      expect(await inbox({ minAmount: String(AMOUNT + 1) })).toMatchObject({ items: [], total: 0 });
      const screen = await product.screen('reviewer', TOVE);
      expect(await openInbox(screen, { agent: 'onboarding', holder: '' })).toMatchObject({ total: 3 });
      const shown = await screen.ask<Answer>('inbox.subscribe', { filter: {}, limit: 2 });
      expect([shown.items.length, shown.total]).toEqual([2, 3]);
      for (const limit of [0, 501, 1.5, '9'])
        await expect(screen.ask('inbox.subscribe', { limit })).rejects.toMatchObject({
          code: 'INVALID_INPUT',
        });
      for (const bad of ['minAmount', 'dueBefore', 'decision'])
        expect(await inbox<Refused>({ [bad]: 'much' })).toMatchObject(refusedAt(`/${bad}`));
      await screen.close();
    },
  );

  verifies('APR-112', 'is counted by what people look for it by', async () => {
    const token = await product.token(TOVE);
    const facets = await product.json('/v1/approvals/facets', { token });
    expect(facets).toMatchObject({ open: 3, mine: 0, over: 0, agents: { onboarding: 3 } });
    expect(facets).toMatchObject({ tools: { openAccount: 3 }, holders: {} });
  });

  verifies(
    'HUB-95',
    'counts all that its reader may see, and what is over where that is asked for',
    async () => {
      const sums = async (query: Record<string, string>, person = TOVE) =>
        (await inbox(query, person)).counts;
      expect(await sums({ q: 'nothing has this' })).toEqual({ pending: 3 });
      expect(await sums({ limit: '1' }, MO)).toEqual({ pending: 3 });
      expect(await sums({}, { ...TOVE, groups: ['refunds'] })).toEqual({});
      await ask('inbox-over');
      const [task] = (await inbox({ threadId: 'inbox-over' })).items;
      const screen = await product.screen('operator', MO);
      await screen.subscribe('inbox-over');
      await approve(product, task!, JAN);
      await screen.until('inbox-over', ({ run, pending }) => !pending && run?.finished !== undefined);
      await screen.close();
      expect(await sums({})).toEqual({ pending: 3 });
      expect(await sums({ state: 'closed,decided' })).toEqual({ pending: 3, closed: 1 });
      expect((await inbox({ state: 'closed' })).items.map(({ threadId }) => threadId)).toEqual([
        'inbox-over',
      ]);
    },
  );

  verifies(
    'HUB-96',
    'tells its reader of every change once it is made, through whichever hub, and what was made while it was read',
    async () => {
      const other = await product.anotherHub();
      const [task] = (await inbox({ threadId: 'inbox-1' })).items;
      for (let turn = 0; turn < 12; turn += 1) {
        const screen = await product.screen('reviewer', TOVE);
        const command = turn % 2 === 0 ? 'claim' : 'release';
        const [reply] = await Promise.all([openInbox(screen), claim(task!, command)]);
        const wanted = command === 'claim' ? 'claimed' : 'pending';
        const told = reply.items.find(({ taskId }) => taskId === task!.taskId)?.state === wanted;
        if (!told)
          await screen.next('task', ({ taskId, state }) => taskId === task!.taskId && state === wanted);
        const counted = (counts: TaskCounts): boolean =>
          (counts.claimed ?? 0) === (wanted === 'claimed' ? 1 : 0);
        if (!counted(reply.counts)) await screen.next('counts', counted);
        await screen.close();
      }
      const screen = await product.screen('reviewer', TOVE);
      await openInbox(screen, { states: ['voting', 'claimed'] });
      const token = await product.token(JAN);
      const path = `/v1/approvals/${task!.taskId}/claim`;
      await fetch(`${other.url}${path}`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
      await screen.next('task', ({ state }) => state === 'claimed');
      await screen.next('counts', (counts: TaskCounts) => counts.claimed === 1);
      await screen.close();
      await other.stop();
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-97',
    'a task that changed is read once, however many are told of it',
    async () => {
      const redis = new Redis(product.redisUrl());
      const [task] = (await inbox({ threadId: 'inbox-2' })).items;
      const reads = async (): Promise<number> =>
        Number(/cmdstat_hgetall:calls=(\d+)/u.exec(await redis.info('commandstats'))?.[1] ?? 0);
      const screens: Screen[] = [];
      const readsFor = async (readers: number): Promise<number> => {
        while (screens.length < readers) {
          const screen = await product.screen('reviewer', { ...TOVE, sub: `reader-${screens.length}` });
          await openInbox(screen);
          screens.push(screen);
        }
        const before = await reads();
        const token = await product.token(JAN);
        const text = `to ${readers}`;
        await product.json(`/v1/approvals/${task!.taskId}/comment`, { token, body: { text } });
        const comments = (view: Record<string, unknown>) => JSON.stringify(view).includes(`"${text}"`);
        await Promise.all(screens.map((screen) => screen.next('task', comments)));
        return (await reads()) - before;
      };
      const alone = await readsFor(1);
      expect(alone).toBeGreaterThan(0);
      expect(await readsFor(20)).toBeLessThan(alone + 10);
      await Promise.all(screens.map((screen) => screen.close()));
      redis.disconnect();
    },
    JOURNEY_MS,
  );
});
