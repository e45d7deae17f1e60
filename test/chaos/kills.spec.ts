import { AMELIA, MO, Product, TOVE, until, type Screen } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
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
  await customer.ask('subscribe', { threadId });
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
      await customer.ask('subscribe', { threadId });
      await customer.until(threadId, ({ open }) => open.length > 0);
      const old = await product.kill('hub');
      const stood = customer.positions.get(threadId);
      await product.returned('hub', old);
      const back = await product.screen('customer', AMELIA);
      await back.ask('subscribe', { threadId, from: stood });
      await until(async () => (await logOf(threadId)).some(({ event }) => event.code === 'hub/runner-lost'));
      await back.until(threadId, ({ run: last }) => last?.error !== undefined);
      const log = await logOf(threadId);
      expectDense(log);
      expect(log.filter(({ event }) => event.type === 'RUN_ERROR')).toHaveLength(1);
      expect(log.at(-1)?.event.type).toBe('RUN_ERROR');
      expect(back.gaps).toEqual([]);
      await run(back, 'slow-typist', threadId, 'again').catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'RUN_ID_CONFLICT' });
      });
      await back.close();
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
      await customer.ask('subscribe', { threadId });
      await customer.until(threadId, ({ open }) => open.length > 0);
      const old = await product.kill('redis');
      await product.returned('redis', old);
      const model = await customer.until(
        threadId,
        ({ run: last }) => last?.finished !== undefined || last?.error !== undefined,
      );
      expect(model.run?.error).toBeUndefined();
      const log = await logOf(threadId);
      expectDense(log);
      expect(customer.gaps).toEqual([]);
      const late = await product.screen('customer', AMELIA);
      await late.ask('subscribe', { threadId });
      await late.next('snapshot', (data) => data.threadId === threadId);
      expect(late.model(threadId).messages).toEqual(model.messages);
      await Promise.all([customer.close(), late.close()]);
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
      const { Screen: Opened } = await import('@triptych/testkit');
      const there = await Opened.open(other.url, 'operator', token);
      await run(here, 'trip-planner', threadId, 'a weekend in Lisbon');
      await Promise.all([here.ask('subscribe', { threadId }), there.ask('subscribe', { threadId })]);
      const ended = ({ run: last }: { run?: { finished?: unknown } }): boolean =>
        last?.finished !== undefined;
      await Promise.all([here.until(threadId, ended), there.until(threadId, ended)]);
      expect(there.model(threadId).messages).toEqual(here.model(threadId).messages);
      expect(there.positions.get(threadId)).toBe(here.positions.get(threadId));
      for (const screen of [here, there]) expect(screen.gaps).toEqual([]);
      await Promise.all([here.close(), there.close()]);
      await other.stop();
    },
    STORY_MS,
  );
});
