import { AMELIA, MO, Screen, TOVE, until, type Product, type RefusedAnswer } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
import { WebSocket } from 'ws';
import { story } from '../../libs/runs/test/push-story.js';
import { verifies } from '../spec/verifies.js';
import { ENGINE, pusherFor, pushStage, SHY_ENGINE } from './push-agent.js';
import { logOf } from './wire.js';
import { PushWorker } from './push-worker.js';

const STORY_MS = 120_000;

let stage: Awaited<ReturnType<typeof pushStage>>;
let product: Product;
let token: string;
const workers: PushWorker[] = [];
beforeAll(async () => {
  stage = await pushStage();
  ({ product } = stage);
  token = await product.token(ENGINE);
}, STORY_MS);
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close();
});
afterAll(async () => {
  await stage?.stop();
}, STORY_MS);

const tells = (id: string, name: string, body: () => Promise<void>): void =>
  verifies(id, name, body, STORY_MS);

const worker = async (hub = product.url, by = token): Promise<PushWorker> => {
  const opened = await PushWorker.open(hub, by);
  workers.push(opened);
  return opened;
};

const runOf = (threadId: string, runId = 'r1', agentId = 'engine') => ({
  ...{ agentId, threadId, runId },
  messages: [{ id: `${runId}-m`, role: 'user', content: 'go' }],
});

const following = async (threadId: string): Promise<Screen> => {
  const customer = await product.screen('customer', AMELIA);
  await customer.ask('run', runOf(threadId));
  await customer.subscribe(threadId);
  return customer;
};

describe('an agent that comes by a socket', () => {
  tells('ING-9', 'takes on one hub what a customer asked of another, and the customer sees it', async () => {
    const other = await product.anotherHub();
    const [first, second] = [await worker(other.url), await worker()];
    const customer = await following('sock-take');
    const offers = [await first.next('run.offer'), await second.next('run.offer')];
    const [won, lost] = [
      await first.ask('run.take', offers[0]!.data),
      await second.ask('run.take', offers[1]!.data),
    ];
    expect(won).toMatchObject({
      event: 'reply',
      data: { input: { threadId: 'sock-take', runId: 'r1', messages: [{ content: 'go' }] } },
    });
    expect(lost).toMatchObject({ event: 'refused', data: { code: 'CLAIM_LOST' } });
    const events = story('sock-take');
    const pushed = await first.append('sock-take', events, 0);
    expect(pushed).toMatchObject({ event: 'reply', data: { accepted: 7, duplicates: 0, buffered: 0 } });
    await customer.until('sock-take', ({ run }) => run?.finished !== undefined);
    expect(customer.gaps).toEqual([]);
    await other.stop();
  });

  tells('ING-10', 'is unavailable without a socket, and then nothing was recorded', async () => {
    const customer = await product.screen('customer', AMELIA);
    // A hub that has left is believed for a moment.
    let threadId = '';
    for (let nth = 0, code = ''; code !== 'AGENT_UNAVAILABLE'; nth += 1) {
      threadId = `sock-none-${nth}`;
      const asked = customer.ask('run', runOf(threadId));
      code = await asked.then(String, (error: RefusedAnswer) => error.code);
    }
    const mo = await product.token(MO);
    expect((await product.fetch(`/v1/threads/${threadId}`, { token: mo })).status).toBe(404);
    await worker();
    const later = await product.screen('customer', AMELIA);
    await later.ask('run', runOf('sock-untaken'));
    await later.subscribe('sock-untaken');
    const { run } = await later.until('sock-untaken', (model) => model.run?.error !== undefined);
    expect(run?.error?.code).toBe('hub/agent-unavailable');
  });

  tells('ING-11', 'goes on through another hub when the one it sat on is killed', async () => {
    const other = await product.anotherHub();
    const before = await worker();
    const customer = product.lastingScreen('customer', AMELIA);
    const starter = await product.screen('customer', AMELIA);
    await starter.ask('run', runOf('sock-move'));
    await customer.follow('sock-move');
    await before.take('sock-move');
    const events = story('sock-move', 'r1', 20);
    await before.append('sock-move', events.slice(0, 5), 0);
    const old = await product.kill('hub');
    const after = await worker(other.url);
    // It does not know what of its last words was stored, and says them again.
    const again = await after.append('sock-move', events.slice(3, 12), 3);
    expect(again).toMatchObject({ event: 'reply', data: { accepted: 7, duplicates: 2 } });
    await product.returned('hub', old);
    expect(await after.append('sock-move', events.slice(12), 12)).toMatchObject({ event: 'reply' });
    await customer.until('sock-move', ({ run }) => run?.finished !== undefined);
    const log = await logOf(product, 'sock-move');
    expect(log.map(({ seq }) => seq)).toEqual(events.map((_, nth) => nth + 1));
    expect(log.slice(1).map(({ event }) => event)).toEqual(events.slice(1));
    expect(customer.gaps).toEqual([]);
    await other.stop();
  });

  tells('ING-11', 'and vanishes with what it took loses it', async () => {
    const only = await worker();
    const customer = await following('sock-lost');
    await only.take('sock-lost');
    only.socket.terminate();
    const { run } = await customer.until('sock-lost', (model) => model.run?.error !== undefined);
    expect(run?.error?.code).toBe('hub/runner-lost');
  });

  tells('ING-13', 'is told of a cancel on whichever hub, and ends its run itself, or is ended', async () => {
    const other = await product.anotherHub();
    const engine = await worker(other.url);
    const polite = await following('sock-cancel');
    await engine.take('sock-cancel');
    await engine.append('sock-cancel', story('sock-cancel').slice(0, 1), 0);
    await polite.ask('cancel', { threadId: 'sock-cancel', runId: 'r1' });
    await engine.next('run.cancel', ({ threadId }) => threadId === 'sock-cancel');
    const finished = {
      ...{ type: 'RUN_FINISHED', threadId: 'sock-cancel', runId: 'r1' },
      outcome: { type: 'cancelled' },
    };
    await engine.append('sock-cancel', [finished], 1);
    await polite.until('sock-cancel', ({ run }) => run?.finished !== undefined);

    const deaf = await following('sock-deaf');
    await engine.take('sock-deaf');
    await engine.append('sock-deaf', story('sock-deaf').slice(0, 1), 0);
    await deaf.ask('cancel', { threadId: 'sock-deaf', runId: 'r1' });
    const { run } = await deaf.until('sock-deaf', (model) => model.run?.error !== undefined);
    expect(run?.error?.code).toBe('hub/cancelled');
    const late = await engine.append('sock-deaf', story('sock-deaf').slice(1), 1);
    expect(late).toMatchObject({ event: 'reply', data: { accepted: 0, refused: 6 } });
    await other.stop();
  });

  verifies(
    'ING-26',
    'is told to stop where nobody reads its run, asked for or its own',
    async () => {
      const shy = await product.token(SHY_ENGINE);
      const other = await product.anotherHub();
      const engine = await worker(product.url, shy);
      const customer = await Screen.open(other.url, 'customer', await product.token(AMELIA));
      for (const threadId of ['sock-shy', 'sock-shy-read']) {
        await customer.ask('run', runOf(threadId, 'r1', SHY_ENGINE.sub));
        await engine.take(threadId);
        await engine.append(threadId, story(threadId).slice(0, 1), 0);
      }
      await engine.append('sock-shy-own', story('sock-shy-own').slice(0, 1), 0);
      const mo = await product.screen('operator', MO);
      await mo.subscribe('sock-shy-read');
      // The hub that was asked is gone: the one that the agent comes to looks.
      await other.stop();
      for (const threadId of ['sock-shy', 'sock-shy-own']) {
        await engine.next('run.cancel', (data) => data.threadId === threadId && data.runId === 'r1');
        const stopped = { type: 'RUN_FINISHED', threadId, runId: 'r1', outcome: { type: 'cancelled' } };
        expect(await engine.append(threadId, [stopped], 1)).toMatchObject({ data: { accepted: 1 } });
      }
      expect(await engine.append('sock-shy-read', story('sock-shy-read').slice(1, 3), 1)).toMatchObject({
        data: { accepted: 2 },
      });
      await mo.close();
      await engine.next('run.cancel', ({ threadId }) => threadId === 'sock-shy-read');
      const told = engine.frames.filter(({ event }) => event === 'run.cancel');
      expect(told).toHaveLength(3);
      // It says nothing more.
      const operator = await product.token(MO);
      const ended = (): Promise<{ status: string }> =>
        product.json('/v1/threads/sock-shy-read/runs/r1', { token: operator });
      await until(async () => (await ended()).status !== 'running');
      expect(await ended()).toMatchObject({ status: 'cancelled', code: 'hub/cancelled' });
    },
    STORY_MS,
  );

  tells('ING-14', 'asks a reviewer, and is offered the answer as a run', async () => {
    const engine = await worker();
    const customer = await following('sock-ask');
    await engine.take('sock-ask');
    const [started] = story('sock-ask');
    const asks = {
      ...{ type: 'RUN_FINISHED', threadId: 'sock-ask', runId: 'r1' },
      outcome: { type: 'interrupt', interrupts: [{ id: 'i1', reason: 'tool_call', toolCallId: 'k1' }] },
    };
    const call = [
      { type: 'TOOL_CALL_START', toolCallId: 'k1', toolCallName: 'openAccount' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'k1', delta: '{"amount":2000000}' },
      { type: 'TOOL_CALL_END', toolCallId: 'k1' },
    ];
    await engine.append('sock-ask', [started!, ...call, asks], 0);
    const reviewer = await product.screen('reviewer', TOVE);
    const { items } = await reviewer.ask<{ items: TaskView[] }>('inbox.subscribe', {});
    const { taskId, rev, proposalHash } = items.find(({ threadId }) => threadId === 'sock-ask')!;
    await reviewer.ask('task.decide', { taskId, rev, proposalHash, verb: 'approve' });
    const input = await engine.take('sock-ask', 'r1');
    expect(input.resume).toMatchObject([
      { interruptId: 'i1', status: 'resolved', payload: { approved: true } },
    ]);
    const answer = story('sock-ask', input.runId);
    expect(await engine.append('sock-ask', answer, 5)).toMatchObject({ data: { accepted: 7 } });
    await customer.until('sock-ask', ({ run, pending }) => run?.finished !== undefined && !pending);
    const batches = await product.json<{ items: unknown[] }>('/v1/batches', {
      token: await product.token(MO),
    });
    expect(batches.items).toEqual([]);
  });

  verifies(
    'ING-15',
    'is let in as an agent of type push, and held to the rules of all sockets',
    async () => {
      const status = async (bearer: string | undefined, protocol = 'triptych.v1+json'): Promise<unknown> => {
        const offered = bearer === undefined ? [protocol] : [protocol, `bearer.${bearer}`];
        const socket = new WebSocket(`${product.url.replace('http', 'ws')}/ws/agent`, offered);
        return new Promise((resolve) => {
          socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
          socket.on('open', () => resolve('open'));
          socket.on('error', () => undefined);
        });
      };
      expect([
        await status(undefined),
        await status(token, 'other'),
        await status(await product.token(AMELIA)),
        await status(await product.token({ sub: 'onboarding', roles: ['agent'] })),
      ]).toEqual([401, 400, 403, 403]);

      const engine = await worker();
      expect(await engine.ask('subscribe', { threadId: 't' })).toMatchObject({
        data: { code: 'INVALID_INPUT', details: { pointer: '/event' } },
      });
      const wrong = await Promise.all([
        engine.ask('append', { threadId: 't', producer: { id: 'w', epoch: 0 }, events: [] }),
        engine.ask('append', { threadId: 't', producer: { id: 'w', epoch: 0, seq: 0 }, events: {} }),
        engine.ask('append', { threadId: '', producer: { id: 'w', epoch: 0, seq: 0 }, events: [] }),
        engine.ask('append', { threadId: 'sock-bad', producer: { id: 'w', epoch: 0, seq: 0 }, events: [{}] }),
      ]);
      expect(wrong.map(({ data }) => [data.code, (data.details as { pointer?: string })?.pointer])).toEqual([
        ['INVALID_INPUT', '/data/producer/seq'],
        ['INVALID_INPUT', '/data/events'],
        ['INVALID_INPUT', '/data/threadId'],
        ['NOT_FOUND', undefined],
      ]);
      const large = { type: 'CUSTOM', name: 'large', value: 'x'.repeat(1_000_000) };
      const [started] = story('sock-large');
      const many = [started!, ...Array.from({ length: 8 }, () => large)];
      expect(await engine.append('sock-large', many, 0)).toMatchObject({ data: { accepted: 9 } });
      const tooLarge = await engine.ask('append', { threadId: 't', events: ['x'.repeat(9.5 * 1024 * 1024)] });
      expect(tooLarge.event).toBe('closed 1009');
      const posts = pusherFor(token);
      expect(
        await posts.push(product.url, 'sock-large', { events: [], producer: 'w', seq: 9 }),
      ).toMatchObject({
        status: 200,
        accepted: 0,
      });
    },
    STORY_MS,
  );
});
