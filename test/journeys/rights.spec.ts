/** Proves that who may see less from now on is shown less from now on: sockets whose rights change, and tickets. */
import { once } from 'node:events';
import { AMELIA, BEN, JAN, MO, RefusedAnswer, TOVE, type Person, type Screen } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
import { verifies } from '../spec/verifies.js';
import { product } from './the-product.js';
import { approve, runBody } from './wire.js';

const JOURNEY_MS = 90_000;
/** For other tasks than Tove's and Jan's. */
const RITA: Person = { sub: 'rita', roles: ['reviewer'], groups: ['refunds'] };

const runs = async (agentId: string, threadId: string, content: string): Promise<void> => {
  const token = await product.token(AMELIA);
  const body = runBody(threadId, content);
  await (await product.fetch(`/v1/agents/${agentId}/run`, { token, body })).text();
};

const taskOf = async (threadId: string): Promise<TaskView> => {
  const token = await product.token(MO);
  const path = `/v1/approvals?threadId=${threadId}`;
  return (await product.json<{ items: TaskView[] }>(path, { token })).items[0]!;
};

const become = async (screen: Screen, person: Person): Promise<unknown> =>
  screen.ask('auth', { token: await product.token(person) });

const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error?: { code: string } }).error?.code ?? 'ok';

describe('rights that change', () => {
  verifies(
    'HUB-27',
    'end what may not be read any more before the answer, and nothing else',
    async () => {
      await runs('onboarding', 'narrow-advice', 'an account with 2 million');
      await runs('refund', 'narrow-refund', 'I want my money back');
      const screen = await product.screen('reviewer', TOVE);
      const watch = await product.screen('reviewer', JAN);
      await screen.ask('inbox.subscribe', {});
      for (const threadId of ['narrow-advice', 'narrow-refund']) await screen.subscribe(threadId);
      await watch.subscribe('narrow-advice');

      await become(screen, TOVE);
      expect(screen.seen('unsubscribed')).toEqual([]);
      expect(screen.seen('inbox.reset')).toEqual([]);

      await become(screen, { ...TOVE, groups: ['refunds'] });
      // What the change brought about came before the answer to it.
      expect(screen.frames.slice(-3)).toEqual([
        { event: 'inbox.reset', data: {} },
        { event: 'unsubscribed', data: { threadId: 'narrow-advice', code: 'NOT_FOUND' } },
        expect.objectContaining({ event: 'reply' }),
      ]);
      const from = screen.frames.length;
      await approve(product, await taskOf('narrow-advice'), JAN);
      await watch.until('narrow-advice', ({ run, pending }) => !pending && run?.finished !== undefined);
      await approve(product, await taskOf('narrow-refund'), RITA);
      await screen.until('narrow-refund', ({ run, pending }) => !pending && run?.finished !== undefined);
      expect(JSON.stringify(screen.frames.slice(from))).not.toContain('narrow-advice');
      await expect(screen.subscribe('narrow-advice')).rejects.toThrow(RefusedAnswer);

      // And what they gain is theirs at once.
      await become(screen, TOVE);
      await screen.subscribe('narrow-advice');
      await Promise.all([screen.close(), watch.close()]);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-28',
    'a role that is lost is refused, then said good-bye to',
    async () => {
      const screen = await product.screen('reviewer', TOVE);
      const refused = { code: 'FORBIDDEN' };
      await expect(become(screen, { ...TOVE, sub: 'another' })).rejects.toMatchObject(refused);
      await expect(become(screen, { ...TOVE, tenant: 'another' })).rejects.toMatchObject(refused);
      expect(screen.isOpen).toBe(true);
      const closed = once(screen.socket, 'close') as Promise<[number]>;
      await expect(become(screen, { ...TOVE, roles: ['customer'] })).rejects.toMatchObject(refused);
      expect((await closed)[0]).toBe(4403);
      expect(screen.frames.slice(-2)).toMatchObject([
        { event: 'refused', data: { code: 'FORBIDDEN' } },
        { event: 'closing', data: { code: 4403, next: 'stop' } },
      ]);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-35',
    'another group’s task is no news, not even in numbers',
    async () => {
      const rita = await product.screen('reviewer', RITA);
      const jan = await product.screen('reviewer', JAN);
      for (const screen of [rita, jan]) await screen.ask('inbox.subscribe', {});
      await runs('onboarding', 'no-news', 'an account with 2 million');
      await jan.next('task', ({ threadId }) => threadId === 'no-news');
      // Rita came first and is told first.
      const { data } = await jan.next('counts');
      expect(data).toMatchObject({ pending: expect.any(Number) });
      await rita.ask('ping', {});
      expect(rita.frames.filter(({ event }) => event === 'counts' || event === 'task')).toEqual([]);
      await Promise.all([rita.close(), jan.close()]);
    },
    JOURNEY_MS,
  );
});

describe('a ticket for a thread', () => {
  const ticketFor = async (person: Person, body: object) =>
    product.fetch('/v1/tickets', { token: await product.token(person), body });

  /** The first words of a stream. */
  const attached = async (path: string): Promise<[number, string]> => {
    const aborting = new AbortController();
    const response = await fetch(`${product.url}${path}`, { signal: aborting.signal });
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    aborting.abort();
    return [response.status, Buffer.from(value ?? []).toString()];
  };

  verifies(
    'HUB-31',
    'opens its stream on its surface, as often as need be, and nothing else',
    async () => {
      await runs('onboarding', 'ticketed', 'an account with 400,000');
      await runs('onboarding', 'not-ticketed', 'an account with 400,000');
      const issued = await ticketFor(AMELIA, { surface: 'customer', threadId: 'ticketed' });
      expect(issued.status).toBe(201);
      const { ticket, expiresAt } = (await issued.json()) as { ticket: string; expiresAt: number };
      expect(expiresAt - Date.now()).toBeGreaterThan(4 * 60_000);
      expect(expiresAt - Date.now()).toBeLessThanOrEqual(5 * 60_000);

      const path = `/v1/threads/ticketed/events?ticket=${ticket}`;
      for (const query of ['', '&surface=customer']) {
        const [status, text] = await attached(`${path}${query}`);
        expect(status).toBe(200);
        expect(text).toContain('event: prelude');
      }
      const refused = [
        `${path}&surface=operator`,
        `/v1/threads/not-ticketed/events?ticket=${ticket}`,
        `/v1/threads/ticketed/snapshot?ticket=${ticket}`,
        `/v1/threads/ticketed?ticket=${ticket}`,
        `/v1/threads/ticketed/events?ticket=${ticket}x`,
        `/v1/threads/ticketed/events?ticket=${ticket}&ticket=${ticket}`,
      ];
      for (const other of refused) expect(await product.fetch(other).then(codeOf)).toBe('UNAUTHENTICATED');
      const run = { body: runBody('ticketed', 'more') };
      expect(await product.fetch(`/v1/agents/onboarding/run?ticket=${ticket}`, run).then(codeOf)).toBe(
        'UNAUTHENTICATED',
      );
      const socket = await ticketFor(AMELIA, { surface: 'customer' });
      const { ticket: forSocket } = (await socket.json()) as { ticket: string };
      const misused = `/v1/threads/ticketed/events?ticket=${forSocket}`;
      expect(await product.fetch(misused).then(codeOf)).toBe('UNAUTHENTICATED');
    },
    JOURNEY_MS,
  );

  verifies('HUB-31', 'is given to those who may read it so', async () => {
    const ask = async (person: Person, surface: string, threadId: unknown = 'ticketed') =>
      codeOf(await ticketFor(person, { surface, threadId }));
    expect(await ask(BEN, 'customer')).toBe('NOT_FOUND');
    expect(await ask(AMELIA, 'customer', 'never-was')).toBe('NOT_FOUND');
    expect(await ask(AMELIA, 'operator')).toBe('FORBIDDEN');
    expect(await ask(AMELIA, 'operator', 'never-was')).toBe('FORBIDDEN');
    expect(await ask(AMELIA, 'customer', 7)).toBe('INVALID_INPUT');
    expect(await ask(AMELIA, 'customer', '')).toBe('INVALID_INPUT');
    for (const surface of ['customer', 'operator']) expect(await ask(MO, surface)).toBe('ok');
  });
});
