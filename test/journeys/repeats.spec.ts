/** Proves that what is asked twice is done once: runs, answers, and what is asked of a task. */
import { randomUUID } from 'node:crypto';
import { HttpAgent } from '@ag-ui/client';
import { MO, Product, Screen, TOVE, until, type Person } from '@triptych/testkit';
import type { AguiEvent, TaskView } from '@triptych/protocol';
import { verifies } from '../spec/verifies.js';
import { quickAgent, type QuickAgent } from './quick-agent.js';
import { approve, eventsIn, runBody, taskOf } from './wire.js';

const JOURNEY_MS = 90_000;
/** Quick ends lose races that slow ones win: each round is a new chance. */
const ROUNDS = 6;

let agent: QuickAgent;
let product: Product;
beforeAll(async () => {
  agent = await quickAgent();
  product = await Product.start({ RATE_RUNS: '1000', AGENTS_FILE: agent.agentsFile });
}, JOURNEY_MS);
afterAll(async () => {
  await product.stop();
  await agent.stop();
}, JOURNEY_MS);

const customer = (sub: string): Person => ({ sub, roles: ['customer'] });
const ANN = customer('ann');

interface Asked {
  readonly person: Person;
  readonly body: unknown;
  readonly agent?: string;
  readonly query?: string;
}

const run = async ({ person, body, agent = 'onboarding', query = '' }: Asked): Promise<Response> =>
  product.fetch(`/v1/agents/${agent}/run${query}`, { token: await product.token(person), body });

const runsIn = (text: string): unknown[] =>
  eventsIn(text)
    .filter(({ type }) => type === 'RUN_STARTED')
    .map(({ runId }) => runId);

/** A thread of Ann's that waits for a reviewer. */
const asking = async (): Promise<TaskView> => {
  const threadId = `asks-${randomUUID()}`;
  await (await run({ person: ANN, body: runBody(threadId, 'an account with 2 million') })).text();
  return taskOf(product, threadId);
};

describe('a run that is asked for again', () => {
  const stock = async (threadId: string): Promise<HttpAgent> => {
    const agent = new HttpAgent({
      url: `${product.url}/v1/agents/onboarding/run`,
      headers: { authorization: `Bearer ${await product.token(ANN)}` },
      threadId,
    });
    agent.addMessage({ id: `${threadId}-m`, role: 'user', content: 'an account with 400,000' });
    return agent;
  };

  verifies(
    'HUB-29',
    'gives the stock client what the first one got, during the run and after it',
    async () => {
      const [first, beside, after] = await Promise.all([stock('twice'), stock('twice'), stock('twice')]);
      const once = { runId: 'twice-r' };
      await Promise.all([first.runAgent(once), beside.runAgent(once)]);
      await after.runAgent(once);
      expect(first.messages.length).toBeGreaterThan(1);
      for (const agent of [beside, after])
        expect([agent.messages, agent.state]).toEqual([first.messages, first.state]);
      const texts = after.messages.flatMap(({ content }) => (typeof content === 'string' ? [content] : []));
      for (const text of texts) expect(text.slice(0, text.length / 2)).not.toBe(text.slice(text.length / 2));
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-29',
    'is shown as it was stored, and nothing of the runs after it',
    async () => {
      const body = runBody('replayed', 'an account with 400,000');
      const first = await (await run({ person: ANN, body })).text();
      const next = runBody('replayed', 'and another one with 300,000', 'replayed-r2');
      const second = await (await run({ person: ANN, body: next })).text();
      const seenBefore = eventsIn(second).map(({ type }) => type);
      expect(seenBefore.slice(0, 3)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'STATE_SNAPSHOT']);
      expect(await (await run({ person: ANN, body })).text()).toBe(first);
      const again = await (await run({ person: ANN, body: next })).text();
      expect(eventsIn(again).map(({ type }) => type)).toEqual(
        seenBefore.filter((_, at) => at !== 1 && at !== 2),
      );
      const other = { ...body, messages: [{ id: 'x', role: 'user', content: 'something else' }] };
      expect((await run({ person: ANN, body: other })).status).toBe(409);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-25',
    'is caught up with the surface before it, on a new thread too',
    async () => {
      const body = { ...runBody('foreign-state', 'an account with 400,000'), state: { mine: true } };
      const events = eventsIn(await (await run({ person: ANN, body })).text());
      expect(events.slice(0, 3)).toMatchObject([
        { type: 'RUN_STARTED' },
        { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'foreign-state-r-m' }] },
        { type: 'STATE_SNAPSHOT', snapshot: {} },
      ]);
      expect(events[2]).not.toHaveProperty('snapshot.mine');
    },
    JOURNEY_MS,
  );
});

describe('a question that is held for', () => {
  verifies(
    'HUB-24',
    'is followed by the run that answers it, however quick that is',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const threadId = `quick-${round}`;
        const body = runBody(threadId, 'ask');
        const asked = { person: ANN, agent: 'quick', body, query: '?hold=30' };
        const holding = run(asked).then((response) => response.text());
        await approve(product, await taskOf(product, threadId));
        const text = await holding;
        expect(runsIn(text)).toHaveLength(2);
        expect(eventsIn(text).at(-1)?.type).toBe('RUN_FINISHED');
      }
    },
    JOURNEY_MS,
  );
});

describe('an answer that is given again', () => {
  const answer = ({ threadId, interruptId }: TaskView, runId: string) => ({
    ...runBody(threadId, '', runId),
    messages: [],
    resume: [{ interruptId, status: 'resolved', payload: { approved: true } }],
  });

  verifies(
    'HUB-30',
    'shows the run it brought about; under another name it is answered at once',
    async () => {
      const task = await asking();
      const body = answer(task, `${task.threadId}-r2`);
      const first = await (await run({ person: TOVE, body })).text();
      expect(runsIn(first)).toEqual([`${task.threadId}-r2`]);
      expect(eventsIn(first).at(-1)?.type).toBe('RUN_FINISHED');
      const again = eventsIn(await (await run({ person: TOVE, body })).text());
      expect(again.map(({ type }) => type)).toEqual(
        eventsIn(first)
          .map(({ type }) => type)
          .filter((type) => type !== 'MESSAGES_SNAPSHOT' && type !== 'STATE_SNAPSHOT'),
      );
      const renamed = await run({ person: TOVE, body: answer(task, `${task.threadId}-r3`) });
      expect([renamed.status, await renamed.json()]).toEqual([
        202,
        expect.objectContaining({ threadId: task.threadId, waiting: 0 }),
      ]);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-30',
    'by many at once ends for each of them, and the agent is told once',
    async () => {
      const task = await asking();
      const bodies = Array.from({ length: 6 }, (_, nth) => answer(task, `${task.threadId}-n${nth}`));
      const answers = await Promise.all(
        bodies.map(async (body) => {
          const response = await run({ person: TOVE, body });
          return { status: response.status, text: await response.text() };
        }),
      );
      const streamed = answers.filter(({ status }) => status === 200);
      expect(streamed.length).toBeGreaterThan(0);
      for (const { text } of streamed) {
        expect(runsIn(text)).toHaveLength(1);
        expect(eventsIn(text).at(-1)?.type).toBe('RUN_FINISHED');
      }
      for (const { status } of answers) expect([200, 202]).toContain(status);
      const token = await product.token(MO);
      const log = await product.json<{ items: { event: AguiEvent }[] }>(
        `/v1/threads/${task.threadId}/log?limit=1000`,
        { token },
      );
      expect(log.items.filter(({ event }) => event.type === 'RUN_STARTED')).toHaveLength(2);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-30',
    'is told what is waited for, or held open until the others have answered',
    async () => {
      const hold = async (threadId: string, query: string) => {
        await (await run({ person: ANN, agent: 'quick', body: runBody(threadId, 'ask both') })).text();
        const resume = [{ interruptId: 'question', status: 'resolved', payload: 'CHF' }];
        const body = { ...runBody(threadId, '', `${threadId}-r2`), messages: [], resume };
        return run({ person: ANN, agent: 'quick', body, query });
      };
      const told = await hold('not-held', '');
      expect([told.status, await told.json()]).toEqual([202, expect.objectContaining({ waiting: 1 })]);
      const held = await hold('held', '?hold=30');
      expect([held.status, held.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      await approve(product, await taskOf(product, 'held'));
      const text = await held.text();
      expect(eventsIn(text).map(({ type }) => type)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    },
    JOURNEY_MS,
  );
});

describe('what is asked of a task under a key', () => {
  const pathOf = ({ taskId }: TaskView, command: string): string =>
    `/v1/approvals/${encodeURIComponent(taskId)}/${command}`;
  const commentsOn = async (task: TaskView): Promise<string[]> => {
    const token = await product.token(TOVE);
    const { history = [] } = await product.json<TaskView>(`/v1/approvals/${task.taskId}`, { token });
    return history.filter(({ action }) => action === 'comment').map(({ text }) => String(text));
  };
  const codeOf = async (response: Response): Promise<string> =>
    ((await response.json()) as { error?: { code: string } }).error?.code ?? 'ok';

  verifies(
    'HUB-32',
    'over HTTP is done once, and another request under the key is refused',
    async () => {
      const task = await asking();
      const token = await product.token(TOVE);
      const say = (text: string, key: string) =>
        product.fetch(pathOf(task, 'comment'), {
          token,
          body: { text },
          headers: { 'idempotency-key': key },
        });
      const [one, two] = await Promise.all([say('once', 'k1'), say('once', 'k1')]);
      expect([one.status, two.status, await two.json()]).toEqual([200, 200, await one.json()]);
      const reused = await say('twice', 'k1');
      expect([reused.status, await codeOf(reused)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(await codeOf(await say('twice', 'k2'))).toBe('ok');
      expect(await codeOf(await say('never', 'x'.repeat(257)))).toBe('INVALID_INPUT');
      expect(await commentsOn(task)).toEqual(['once', 'twice']);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-32',
    'over a socket too, by the same keys',
    async () => {
      const task = await asking();
      const screen = await product.screen('reviewer', TOVE);
      const { taskId, rev, proposalHash } = task;
      const decision = { taskId, rev, proposalHash, verb: 'approve', idempotencyKey: 'd1' };
      const decided = await screen.ask<TaskView>('task.decide', decision);
      await until(async () => {
        const token = await product.token(TOVE);
        return (await product.json<TaskView>(`/v1/approvals/${taskId}`, { token })).state === 'closed';
      });
      expect(await screen.ask<TaskView>('task.decide', decision)).toEqual(decided);
      await expect(
        screen.ask('task.decide', { ...decision, verb: 'reject', reason: 'no' }),
      ).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
      // Who may not see the task any more is not told of it by an old answer.
      const token = await product.token({ ...TOVE, groups: ['travel'] });
      const headers = { 'idempotency-key': 'd1' };
      const body = { rev, proposalHash, verb: 'approve' };
      const stranger = await product.fetch(pathOf(task, 'decide'), { token, body, headers });
      expect(await codeOf(stranger)).toBe('NOT_FOUND');
      await screen.close();
    },
    JOURNEY_MS,
  );
});

describe('what became of a run', () => {
  verifies(
    'HUB-33',
    'is told as the surface tells it: an agent’s own code is not for customers',
    async () => {
      await (await run({ person: ANN, agent: 'fails', body: runBody('told', 'hello') })).text();
      const read = async (person: Person, query = '') =>
        product.json<{ status: string; code?: string }>(`/v1/threads/told/runs/told-r${query}`, {
          token: await product.token(person),
        });
      expect(await read(ANN)).toMatchObject({ status: 'failed', code: 'hub/agent-error' });
      expect(await read(MO)).toMatchObject({ status: 'failed', code: 'model_overloaded' });
    },
    JOURNEY_MS,
  );
});

describe('a run that nobody reads', () => {
  const begun = async (agentId: string): Promise<string> => {
    const threadId = `${agentId}-${randomUUID()}`;
    const screen = await product.screen('customer', ANN);
    const { messages } = runBody(threadId, 'go on');
    await screen.ask('run', { agentId, threadId, runId: `${threadId}-r`, messages });
    await screen.subscribe(threadId);
    await screen.until(threadId, ({ open }) => open.length > 0);
    await screen.close();
    return threadId;
  };
  const runOf = async (threadId: string) =>
    product.json<{ status: string; code?: string }>(`/v1/threads/${threadId}/runs/${threadId}-r`, {
      token: await product.token(ANN),
    });

  verifies(
    'HUB-34',
    'is stopped where its agent wants that; a reader on another hub is enough',
    async () => {
      const other = await product.anotherHub();
      const read = await begun('shy');
      const reader = await Screen.open(other.url, 'operator', await product.token(MO));
      await reader.subscribe(read);
      const [unread, patient] = [await begun('shy'), await begun('quick')];
      await until(async () => (await runOf(unread)).status !== 'running');
      expect(await runOf(unread)).toMatchObject({ status: 'cancelled', code: 'hub/cancelled' });
      for (const threadId of [read, patient]) expect((await runOf(threadId)).status).toBe('running');
      expect(agent.open.size).toBe(2);
      await reader.close();
      await until(async () => (await runOf(read)).status === 'cancelled');
      expect((await runOf(patient)).status).toBe('running');
      await other.stop();
    },
    JOURNEY_MS,
  );
});
