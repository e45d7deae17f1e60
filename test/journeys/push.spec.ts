import { setTimeout as pause } from 'node:timers/promises';
import { AMELIA, MO, type Product } from '@triptych/testkit';
import { story } from '../../libs/runs/test/push-story.js';
import { verifies } from '../spec/verifies.js';
import { ENGINE, pusherFor, pushStage } from './push-agent.js';
import { logOf } from './wire.js';

const STORY_MS = 120_000;

let stage: Awaited<ReturnType<typeof pushStage>>;
let product: Product;
let agent: ReturnType<typeof pusherFor>;
beforeAll(async () => {
  stage = await pushStage();
  ({ product } = stage);
  agent = pusherFor(await product.token(ENGINE));
}, STORY_MS);
afterAll(async () => {
  await stage?.stop();
}, STORY_MS);

const PLACE = { 'producer-id': 'p', 'producer-epoch': '0', 'producer-seq': '0' };

describe('an agent that only posts', () => {
  verifies(
    'ING-8',
    'is let in by its role and type, and told what is wrong with what it sends',
    async () => {
      const body = JSON.stringify(story('push-door'));
      const json = { 'content-type': 'application/json' };
      const stranger = pusherFor(await product.token(AMELIA));
      const called = pusherFor(await product.token({ sub: 'onboarding', roles: ['agent'] }));
      const codes = [
        await stranger.raw(product.url, 'push-door', { headers: { ...json, ...PLACE }, body }),
        await called.raw(product.url, 'push-door', { headers: { ...json, ...PLACE }, body }),
        await agent.raw(product.url, 'push-door', {
          headers: { 'content-type': 'text/plain', ...PLACE },
          body,
        }),
        await agent.raw(product.url, 'push-door', { headers: json, body }),
        await agent.raw(product.url, 'push-door', { headers: { ...json, ...PLACE }, body: '{}' }),
        await agent.raw(product.url, 'push-door', {
          headers: { ...json, ...PLACE, 'producer-seq': '-1' },
          body,
        }),
      ].map(({ status, error }) => [status, error?.code, error?.details?.pointer]);
      expect(codes).toEqual([
        [403, 'FORBIDDEN', undefined],
        [403, 'FORBIDDEN', undefined],
        [415, 'UNSUPPORTED_MEDIA_TYPE', undefined],
        [400, 'INVALID_INPUT', '/producer-id'],
        [400, 'INVALID_INPUT', ''],
        [400, 'INVALID_INPUT', '/producer-seq'],
      ]);
      expect((await agent.push(product.url, 'push-door', { events: [] })).status).toBe(404);
      const good = await agent.raw(product.url, 'push-door', { headers: { ...json, ...PLACE }, body });
      expect(good).toMatchObject({ status: 200, accepted: 7, duplicates: 0, buffered: 0 });
    },
    STORY_MS,
  );

  verifies(
    'ING-5',
    'creates a thread for somebody, who then sees what it pushes',
    async () => {
      const own = { threadId: 'push-owned', agentId: 'engine', owner: AMELIA.sub };
      const token = await product.token(ENGINE);
      const created = await product.fetch('/v1/threads', { body: own, token });
      expect([created.status, await created.json()]).toMatchObject([201, { ...own, status: 'idle' }]);
      const foreign = await product.fetch('/v1/threads', { body: { agentId: 'refund' }, token });
      expect(foreign.status).toBe(403);
      expect(await agent.push(product.url, 'push-owned', { events: story('push-owned') })).toMatchObject({
        accepted: 7,
      });
      const customer = await product.screen('customer', AMELIA);
      await customer.subscribe('push-owned');
      await customer.until('push-owned', ({ run }) => run?.finished !== undefined);
    },
    STORY_MS,
  );

  verifies(
    'ING-4',
    'has what was refused of its events shown to operators, with the rule',
    async () => {
      const [started, ...rest] = story('push-bad');
      const answer = await agent.push(product.url, 'push-bad', { events: [started!, rest[1]!, ...rest] });
      expect(answer).toMatchObject({
        status: 400,
        error: { code: 'INVALID_INPUT', details: { pointer: '/1', rule: 'not-open', accepted: 1 } },
      });
      const log = await logOf(product, 'push-bad');
      expect(log.filter(({ refused }) => refused).map(({ rule }) => rule)).toEqual([
        'not-open',
        ...rest.map(() => 'run-over'),
      ]);
    },
    STORY_MS,
  );

  verifies(
    'HUB-53',
    'has what was odd in what it sends listed to operators, page by page, and to nobody else',
    async () => {
      const [started, ...rest] = story('push-odd');
      const odd = Array.from({ length: 5 }, (_, nth) => ({ type: `FUTURE_${nth}` }));
      await agent.push(product.url, 'push-odd', { events: [started!, ...odd, ...rest] });
      const ask = async (person: typeof MO, path: string) =>
        product.fetch(`/v1/threads/${path}`, { token: await product.token(person) });
      const page = async (query: string) =>
        (await (await ask(MO, `push-odd/findings${query}`)).json()) as {
          items: { kind: string; message: string; runId: string; at: number }[];
          nextCursor?: string;
        };
      const first = await page('?limit=3');
      const second = await page(`?limit=3&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
      const all = [...first.items, ...second.items];
      expect(all.map(({ message }) => /FUTURE_\d/u.exec(message)?.[0])).toEqual(
        odd.map(({ type }) => type).toReversed(),
      );
      expect(second.nextCursor).toBeUndefined();
      expect(all[0]).toMatchObject({ kind: 'warning', runId: 'r1', at: expect.any(Number) as number });
      const statuses = [
        await ask(AMELIA, 'push-odd/findings'),
        await ask(ENGINE, 'push-odd/findings'),
        await ask(MO, 'push-odd/findings?cursor=made-up'),
        await ask(MO, 'no-such-thread/findings'),
      ].map(({ status }) => status);
      expect(statuses).toEqual([404, 404, 400, 404]);
    },
    STORY_MS,
  );

  verifies(
    'ING-6',
    'may reach two hubs at once, and one that is killed, and loses and doubles nothing',
    async () => {
      const threadId = 'push-two-hubs';
      const other = await product.anotherHub();
      const events = story(threadId, 'r1', 200);
      const done = async (seq: number): Promise<void> => {
        for (;;) {
          const batch = { events: events.slice(seq, seq + 13), seq };
          const hub = seq % 2 === 0 ? product.url : other.url;
          const doubled = await Promise.allSettled([
            agent.push(hub, threadId, batch),
            agent.push(other.url, threadId, {
              events: events.slice(Math.max(0, seq - 5), seq + 3),
              seq: Math.max(0, seq - 5),
            }),
          ]);
          if (doubled[0].status === 'fulfilled' && doubled[0].value.status === 200) return;
          await pause(50);
        }
      };
      const starts = Array.from({ length: Math.ceil(events.length / 13) }, (_, nth) => nth * 13);
      for (const [nth, seq] of starts.entries()) {
        // Two batches at a time, in whichever order; now and then the hub is killed under them.
        if (nth % 6 === 3) await product.kill('hub');
        await Promise.all([done(seq), done(starts[nth + 1] ?? seq)]);
      }
      await product.ready();
      const log = await logOf(product, threadId);
      expect(log.map(({ seq }) => seq)).toEqual(events.map((_, nth) => nth + 1));
      expect(log.slice(1).map(({ event }) => event)).toEqual(events.slice(1));
      await other.stop();
    },
    STORY_MS,
  );

  verifies(
    'ING-3',
    'that is taken over by a newer one is fenced in the middle of its run',
    async () => {
      const threadId = 'push-fence';
      const events = story(threadId);
      await agent.push(product.url, threadId, { events: events.slice(0, 3) });
      const taken = await agent.push(product.url, threadId, { events: events.slice(3, 4), epoch: 1 });
      expect(taken).toMatchObject({ status: 200, accepted: 1 });
      const old = await agent.push(product.url, threadId, { events: events.slice(3), seq: 3 });
      expect(old).toMatchObject({ status: 409, error: { code: 'PRODUCER_FENCED' } });
      await agent.push(product.url, threadId, { events: events.slice(4), epoch: 1, seq: 1 });
      expect((await logOf(product, threadId)).map(({ event }) => event.type)).toEqual(
        events.map(({ type }) => type),
      );
    },
    STORY_MS,
  );
});
