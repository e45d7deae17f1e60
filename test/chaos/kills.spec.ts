import { AMELIA, MO, Product, Screen, TOVE, until, type LastingScreen } from '@triptych/testkit';
import { HubClient, type SocketConstructor } from '@triptych/client';
import { emptyModel, type Model, type TaskView } from '@triptych/protocol';
import { WebSocket } from 'ws';
import { hasRedisServer } from '../redis/own-redis.js';
import { verifies } from '../spec/verifies.js';

const STORY_MS = 120_000;

let product: Product;
beforeEach(async () => {
  product = await Product.start({ SPEED: '0.15' });
}, STORY_MS);
afterEach(async () => {
  await product.stop();
}, STORY_MS);

const run = (screen: Screen, agentId: string, threadId: string, content: string) =>
  screen.ask('run', {
    agentId,
    threadId,
    runId: `${threadId}-r`,
    messages: [{ id: `${threadId}-m`, role: 'user', content }],
  });

/** A customer whose screen stays, while somebody types slowly. */
const watching = async (threadId: string): Promise<LastingScreen> => {
  const starter = await product.screen('customer', AMELIA);
  await run(starter, 'slow-typist', threadId, 'tell me a story');
  await starter.close();
  const customer = product.lastingScreen('customer', AMELIA);
  await customer.follow(threadId);
  await customer.until(threadId, ({ open }) => open.length > 0);
  return customer;
};

const isOver = ({ run: last }: Model): boolean => last?.finished !== undefined || last?.error !== undefined;

/** Nothing was left out and nothing came twice: it has what one has who comes only now. */
const expectWhole = async (screen: Screen | LastingScreen, threadId: string): Promise<void> => {
  const late = await product.screen('customer', AMELIA);
  await late.subscribe(threadId);
  await late.next('snapshot', (data) => data.threadId === threadId);
  expect(screen.model(threadId)).toEqual(late.model(threadId));
  expect(screen.book.positionOf(threadId)).toBe(late.positionOf(threadId));
  expect([...screen.gaps, ...late.gaps]).toEqual([]);
  await late.close();
};

interface Logged {
  readonly seq: number;
  readonly event: { readonly type: string; readonly toolCallId?: string; readonly code?: string };
}

const logOf = async (threadId: string): Promise<readonly Logged[]> => {
  const token = await product.token(MO);
  return (await product.json<{ items: Logged[] }>(`/v1/threads/${threadId}/log?limit=1000`, { token })).items;
};

const expectDense = (log: readonly Logged[]): void =>
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));

const decide = async (threadId: string): Promise<void> => {
  const reviewer = await product.screen('reviewer', TOVE);
  const { items } = await reviewer.ask<{ items: TaskView[] }>('inbox.subscribe', {});
  const task = items.find((one) => one.threadId === threadId);
  if (!task) throw new Error('no task');
  const { taskId, rev, proposalHash } = task;
  const decided = await reviewer.ask<TaskView>('task.decide', { taskId, rev, proposalHash, verb: 'approve' });
  expect(decided.state).toBe('decided');
  await reviewer.close();
};

const waiting = async (threadId: string): Promise<Screen> => {
  const customer = await product.screen('customer', AMELIA);
  await run(customer, 'onboarding', threadId, 'open an account with 2 million');
  await customer.subscribe(threadId);
  await customer.until(threadId, (model) => model.pending !== undefined);
  return customer;
};

const expectOpenedOnce = async (threadId: string): Promise<void> => {
  const log = await logOf(threadId);
  expectDense(log);
  const asked = log.filter(({ event }) => event.type === 'TOOL_CALL_START').at(-1)?.event.toolCallId;
  const results = log.filter(({ event }) => event.type === 'TOOL_CALL_RESULT' && event.toolCallId === asked);
  expect(results).toHaveLength(1);
};

describe('what is killed comes back, and nothing is lost or done twice', () => {
  verifies(
    'HUB-4',
    'the worker dies before the decision is delivered',
    async () => {
      const customer = await waiting('kill-worker');
      const old = await product.kill('worker');
      await decide('kill-worker');
      await product.returned('worker', old);
      await customer.until(
        'kill-worker',
        ({ run: last, pending }) => !pending && last?.finished !== undefined,
      );
      await expectOpenedOnce('kill-worker');
      expect(customer.gaps).toEqual([]);
      await customer.close();
    },
    STORY_MS,
  );

  verifies(
    'HUB-4',
    'the worker dies while it carries the resumed run',
    async () => {
      const customer = await waiting('kill-resume');
      await decide('kill-resume');
      await customer.until('kill-resume', ({ run: last }) => last?.started?.runId !== 'kill-resume-r');
      const old = await product.kill('worker');
      await product.returned('worker', old);
      await customer.until(
        'kill-resume',
        ({ run: last, pending }) => !pending && last?.finished !== undefined,
      );
      await expectOpenedOnce('kill-resume');
      const lost = (await logOf('kill-resume')).filter(({ event }) => event.code === 'hub/runner-lost');
      expect(lost.length).toBeLessThanOrEqual(1);
      expect(customer.gaps).toEqual([]);
      await customer.close();
    },
    STORY_MS,
  );

  verifies(
    'HUB-5',
    'the hub dies while it streams',
    async () => {
      const threadId = 'kill-hub';
      const customer = await product.screen('customer', AMELIA);
      await run(customer, 'slow-typist', threadId, 'tell me a story');
      await customer.subscribe(threadId);
      await customer.until(threadId, ({ open }) => open.length > 0);
      const old = await product.kill('hub');
      const stood = customer.positionOf(threadId);
      await product.returned('hub', old);
      const back = await product.screen('customer', AMELIA, customer.book);
      await back.subscribe(threadId, stood);
      await until(async () => (await logOf(threadId)).some(({ event }) => event.code === 'hub/runner-lost'));
      await back.until(threadId, ({ run: last }) => last?.error !== undefined);
      const log = await logOf(threadId);
      expectDense(log);
      expect(log.filter(({ event }) => event.type === 'RUN_ERROR')).toHaveLength(1);
      expect(log.at(-1)?.event.type).toBe('RUN_ERROR');
      await expectWhole(back, threadId);
      await expect(run(back, 'slow-typist', threadId, 'again')).rejects.toMatchObject({
        code: 'RUN_ID_CONFLICT',
      });
      await back.close();
    },
    STORY_MS,
  );

  verifies(
    'HUB-5',
    'a screen that stays through the death of its hub ends whole',
    async () => {
      const threadId = 'stay-hub';
      const customer = await watching(threadId);
      const old = await product.kill('hub');
      await product.returned('hub', old);
      const model = await customer.until(threadId, isOver);
      expect(model.run?.error?.code).toBe('hub/runner-lost');
      expect(customer.sockets).toBe(2);
      await expectWhole(customer, threadId);
    },
    STORY_MS,
  );

  verifies(
    'HUB-5',
    'and so does the client that the pages use',
    async () => {
      const threadId = 'stay-page';
      const customer = await watching(threadId);
      const WebSocketImpl = WebSocket as unknown as SocketConstructor;
      const getToken = () => product.token(AMELIA);
      const luck = { random: () => 0.1 };
      const page = new HubClient({ url: product.url, surface: 'customer', getToken, WebSocketImpl, ...luck });
      let model = emptyModel();
      page.start();
      page.subscribe(threadId, (view) => (model = view.model));
      await until(() => model.open.length > 0);
      const old = await product.kill('hub');
      await product.returned('hub', old);
      await Promise.all([until(() => isOver(model)), customer.until(threadId, isOver)]);
      expect(model).toEqual(customer.model(threadId));
      page.stop();
    },
    STORY_MS,
  );

  verifies(
    'HUB-2',
    'two hubs on one Redis deliver the same order',
    async () => {
      const threadId = 'two-hubs';
      const other = await product.anotherHub();
      const here = await product.screen('operator', MO);
      const token = await product.token(MO);
      const there = await Screen.open(other.url, 'operator', token);
      await run(here, 'trip-planner', threadId, 'a weekend in Lisbon');
      await Promise.all([here.subscribe(threadId), there.subscribe(threadId)]);
      const ended = ({ run: last }: { run?: { finished?: unknown } }): boolean =>
        last?.finished !== undefined;
      await Promise.all([here.until(threadId, ended), there.until(threadId, ended)]);
      expect(there.model(threadId).messages).toEqual(here.model(threadId).messages);
      expect(there.positionOf(threadId)).toBe(here.positionOf(threadId));
      for (const screen of [here, there]) expect(screen.gaps).toEqual([]);
      await Promise.all([here.close(), there.close()]);
    },
    STORY_MS,
  );
});

(hasRedisServer() ? describe : describe.skip)('a Redis that is killed and keeps what it acknowledged', () => {
  beforeEach(() => product.losesNothing());

  verifies(
    'HUB-6',
    'a screen that stays through the death of Redis ends whole',
    async () => {
      const threadId = 'stay-redis';
      const customer = await watching(threadId);
      const old = await product.kill('redis');
      await product.returned('redis', old);
      const model = await customer.until(threadId, isOver);
      expect(model.run?.error).toBeUndefined();
      await expectWhole(customer, threadId);
    },
    STORY_MS,
  );

  verifies(
    'HUB-6',
    'hub and Redis die together, and the screen that stayed ends whole',
    async () => {
      const threadId = 'stay-both';
      const customer = await watching(threadId);
      const [hub, redis] = await Promise.all([product.kill('hub'), product.kill('redis')]);
      await Promise.all([product.returned('redis', redis), product.returned('hub', hub)]);
      await customer.until(threadId, isOver);
      expectDense(await logOf(threadId));
      await expectWhole(customer, threadId);
    },
    STORY_MS,
  );

  verifies(
    'HUB-6',
    'Redis dies while a run streams',
    async () => {
      const threadId = 'kill-redis';
      const customer = await product.screen('customer', AMELIA);
      await run(customer, 'slow-typist', threadId, 'tell me a story');
      await customer.subscribe(threadId);
      await customer.until(threadId, ({ open }) => open.length > 0);
      const old = await product.kill('redis');
      await product.returned('redis', old);
      const model = await customer.until(threadId, isOver);
      expect(model.run?.error).toBeUndefined();
      expectDense(await logOf(threadId));
      expect(customer.seen('snapshot')).toHaveLength(1);
      await expectWhole(customer, threadId);
      await customer.close();
    },
    STORY_MS,
  );
});
