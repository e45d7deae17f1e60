/** Proves that what the policy does not give is in no byte that anybody is sent, in no log line and in no job. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MO, Product, Screen, until, type Person } from '@triptych/testkit';
import type { RunAgentInput, TaskView } from '@triptych/protocol';
import { Redis } from 'ioredis';
import { frames, LoopbackAgent, type Reply } from '../conformance/loopback-agent.js';
import { PushWorker } from '../journeys/push-worker.js';
import { verifies } from '../spec/verifies.js';
import { leaksIn, secret } from '../streams/planted.js';
import { Bytes } from './bytes.js';
import { POLICY, sentAlong, TOLD } from './secrets-told.js';

const JOURNEY_MS = 180_000;
const THREAD = 'planted';
const PROTO = { accept: 'application/vnd.ag-ui.event+proto' };
const OWNER: Person = { sub: 'olive', roles: ['customer'] };
const REVIEWER: Person = { sub: 'rhea', roles: ['reviewer'], groups: ['desk'] };
/** Of another desk: to them nothing of the thread exists. */
const STRANGER: Person = { sub: 'stan', roles: ['reviewer'], groups: ['other'] };

let agent: LoopbackAgent;
let product: Product;
let folder: string;
/** Another hub on the same Redis, and at it an agent that comes by itself. */
let other: string;
let engine: PushWorker;
let [customer, reviewer, stranger]: Bytes[] = [];
const jobs: string[] = [];

const AGENTS = (url: string): string => `agents:
  - { id: planted, connect: { type: http, url: '${url}' }, roles: [customer, operator] }
  - { id: engine, connect: { type: push }, roles: [customer, operator] }
`;

beforeAll(async () => {
  agent = await LoopbackAgent.start();
  folder = mkdtempSync(join(tmpdir(), 'triptych-canary-'));
  writeFileSync(join(folder, 'agents.yaml'), AGENTS(agent.url));
  writeFileSync(join(folder, 'policy.yaml'), POLICY);
  const files = { AGENTS_FILE: join(folder, 'agents.yaml'), POLICY_FILE: join(folder, 'policy.yaml') };
  product = await Product.start({ ...files, LINGER_MS: '200', LOG_LEVEL: 'debug' });
  ({ url: other } = await product.anotherHub());
  engine = await PushWorker.open(other, await product.token({ sub: 'engine', roles: ['agent'] }));
  [customer, reviewer, stranger] = [OWNER, REVIEWER, STRANGER].map((person) => Bytes.of(product, person));
}, JOURNEY_MS);
afterAll(async () => {
  await engine?.close();
  await product.stop();
  await agent.stop();
  rmSync(folder, { recursive: true, force: true });
}, JOURNEY_MS);

/** The thread's next run tells the story's chapter. */
const willTell = (threadId: string, chapter: number): void => {
  const reply: Reply = (input) => frames(TOLD[chapter]?.(input) ?? []);
  agent.will(threadId, reply);
};

const inputFor = (threadId: string, runId: string, more: object = {}): Partial<RunAgentInput> => ({
  ...sentAlong(threadId, runId),
  ...more,
});

const run = (threadId: string, runId: string, more: object = {}, headers: Record<string, string> = {}) =>
  customer!.ask('/v1/agents/planted/run', { body: inputFor(threadId, runId, more), headers });

/** All that the queues hold now. */
const lookIntoQueues = async (): Promise<void> => {
  const redis = new Redis(product.redisUrl());
  const readers: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
    hash: (key) => redis.hgetall(key),
    list: (key) => redis.lrange(key, 0, -1),
    set: (key) => redis.smembers(key),
    zset: (key) => redis.zrange(key, '0', '-1'),
    stream: (key) => redis.xrange(key, '-', '+'),
    string: (key) => redis.get(key),
  };
  for (const key of await redis.keys('bull:*'))
    jobs.push(`${key} ${JSON.stringify(await readers[await redis.type(key)]?.(key))}`);
  redis.disconnect();
};

const tasksOf = async (bytes: Bytes): Promise<readonly TaskView[]> =>
  (JSON.parse(await bytes.ask(`/v1/approvals?threadId=${THREAD}&state=pending`)) as { items: TaskView[] })
    .items;

const decide = async (bytes: Bytes, task: TaskView, verdict: object): Promise<void> => {
  const { taskId, rev, proposalHash } = task;
  const answer = await bytes.ask(`/v1/approvals/${taskId}/decide`, {
    body: { rev, proposalHash, ...verdict },
  });
  expect(answer).toContain('"decision"');
};

const statusOf = async (): Promise<string> => {
  const token = await product.token(MO);
  return (await product.json<{ status: string }>(`/v1/threads/${THREAD}`, { token })).status;
};

/** The doors that answer and are done. */
const readAll = async (bytes: Bytes, runs: readonly string[]): Promise<void> => {
  const thread = `/v1/threads/${THREAD}`;
  const { pos = '' } = JSON.parse(await bytes.ask(`${thread}/snapshot`)) as { pos?: string };
  for (const path of ['', '/snapshot?profile=0.0.59', '/log', '/findings', '/subscribers', '/events?after=x'])
    if (!path.startsWith('/events') || pos === '') await bytes.ask(`${thread}${path}`);
  for (const runId of runs)
    for (const path of ['', '/tree']) await bytes.ask(`${thread}/runs/${runId}${path}`);
  for (const path of ['/v1/threads', '/v1/approvals', '/v1/agents', '/copilotkit/info', '/v1/batches'])
    await bytes.ask(path);
  if (pos === '') return;
  for (const query of ['', '?profile=0.0.59'])
    await bytes.ask(`${thread}/events${query}`, { until: `id: ${pos}` });
};

const connect = async (bytes: Bytes): Promise<void> => {
  const body = { threadId: THREAD, runId: 'any', messages: [], tools: [], context: [] };
  const doors: readonly [object, Record<string, string>][] = [
    [{ protocolVersion: '1.0' }, {}],
    [{}, {}],
    [{ protocolVersion: '1.0' }, PROTO],
  ];
  for (const [more, headers] of doors)
    await bytes.ask('/v1/agents/planted/connect', { body: { ...body, ...more }, headers });
  await bytes.ask('/copilotkit/agent/planted/connect', { body });
};

/** Rewound to where the screen first stood, and joined anew by others, at both hubs. */
const comeBack = async (
  screen: Screen,
  person: Person,
  surface: 'customer' | 'reviewer',
): Promise<Screen[]> => {
  const first = screen.seen('snapshot')[0]?.data['pos'] as string;
  const head = screen.positionOf(THREAD);
  const token = await product.token(person);
  const [again, ...joined] = await Promise.all(
    [product.url, product.url, other].map((url) => Screen.open(url, surface, token)),
  );
  await again!.subscribe(THREAD, first);
  for (const each of joined) await each.subscribe(THREAD);
  const all = [again!, ...joined];
  await until(() => all.every((each) => each.positionOf(THREAD) === head));
  return [screen, ...all];
};

describe('a thread with a secret in every member of every event', () => {
  verifies(
    'HUB-91',
    'tells none of them to its customer, to reviewers or to strangers, by any door, live, replayed or joined',
    async () => {
      const here = await product.screen('customer', OWNER);
      await customer!.ask('/v1/threads', { body: { threadId: THREAD, agentId: 'planted' } });
      await here.subscribe(THREAD);

      willTell(THREAD, 0);
      await run(THREAD, 'r1');
      await here.until(THREAD, ({ pending }) => pending !== undefined);
      const desk = await product.screen('reviewer', REVIEWER);
      await desk.ask('inbox.subscribe', {});
      await desk.subscribe(THREAD);
      await lookIntoQueues();
      await run(THREAD, 'too-early');

      // Both questions are answered, and the agent goes on.
      willTell(THREAD, 1);
      const [task] = await tasksOf(reviewer!);
      await reviewer!.ask(`/v1/approvals/${task!.taskId}`);
      const claimed = await reviewer!.ask(`/v1/approvals/${task!.taskId}/claim`, { body: {} });
      await decide(reviewer!, JSON.parse(claimed) as TaskView, { verb: 'approve' });
      const token = await product.token(MO);
      const { items } = await product.json<{ items: TaskView[] }>(`/v1/approvals?threadId=${THREAD}`, {
        token,
      });
      const asked = items.find(({ audience }) => audience === 'customer')!;
      await customer!.ask(`/v1/approvals/${asked.taskId}`);
      await decide(customer!, asked, { verb: 'respond', payload: {} });
      await lookIntoQueues();
      await until(async () => agent.asked(THREAD).length === 2 && (await statusOf()) === 'idle');

      willTell(THREAD, 2);
      await run(THREAD, 'r3', { protocolVersion: undefined });
      willTell(THREAD, 3);
      await run(THREAD, 'r4', {}, PROTO);
      agent.will(THREAD, { status: 500, type: 'application/json', body: [secret('the body of a failure')] });
      await run(THREAD, 'r5');
      willTell(THREAD, 4);
      await customer!.plainSocket('planted', inputFor(THREAD, 'r6'));
      for (const bytes of [customer!, reviewer!, stranger!]) await connect(bytes);
      willTell(THREAD, 5);
      await here.ask('run', { agentId: 'planted', ...inputFor(THREAD, 'r7', { resume: undefined }) });
      for (const screen of [here, desk]) await screen.until(THREAD, ({ pending }) => pending !== undefined);

      // The richest chapter once more, live by the doors that say it otherwise.
      for (const [nth, more, headers] of [
        ['59', { protocolVersion: undefined }, {}],
        ['proto', {}, PROTO],
      ] as const) {
        willTell(`planted-${nth}`, 0);
        await run(`planted-${nth}`, 'r1', more, headers);
      }
      willTell('planted-plain', 0);
      await customer!.plainSocket('planted', inputFor('planted-plain', 'r1'));

      const runs = ['r1', 'r3', 'r4', 'r5', 'r6', 'r7', 'none'];
      for (const bytes of [customer!, reviewer!, stranger!])
        for (const hub of [product.url, other]) await readAll(bytes.through(hub), runs);
      for (const screen of await comeBack(here, OWNER, 'customer'))
        customer!.keep('socket', screen.texts.join('\n'));
      for (const screen of await comeBack(desk, REVIEWER, 'reviewer'))
        reviewer!.keep('socket', screen.texts.join('\n'));

      const told = [customer!, reviewer!, stranger!].map((bytes) => bytes.doorsThatSay('Good ').length);
      expect(told).toEqual([15, 12, 0]);
      expect(customer!.leaks('customer')).toEqual([]);
      expect(stranger!.leaks('customer')).toEqual([]);
      expect(reviewer!.leaks('reviewer')).toEqual([]);
      await here.close();
      await desk.close();
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-111',
    'tells an agent nothing of what is another’s, and of what its clients send only what counts',
    async () => {
      const threadId = 'planted-pushed';
      const sent = { ...sentAlong(threadId, 'r1'), context: [] };
      const body = JSON.stringify(sent);
      expect(leaksIn('customer', body)).not.toEqual([]);
      const asked = customer!.ask('/v1/agents/engine/run', { body: sent });
      const input = await engine.take(threadId);
      expect(input.messages).toMatchObject([{ role: 'user', content: 'Hello.' }]);
      const events = TOLD[2]?.({ threadId, runId: 'r1' }) ?? [];
      expect(await engine.append(threadId, events, 0)).toMatchObject({ data: { accepted: events.length } });
      expect(await asked).toContain('It ');
      expect(await engine.append(THREAD, events, 0)).toMatchObject({ data: { code: 'NOT_FOUND' } });
      expect(leaksIn('customer', JSON.stringify(engine.frames))).toEqual([]);
      expect(customer!.leaks('customer')).toEqual([]);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-92',
    'leaves none of them in the logs of hub and worker, nor in a job',
    async () => {
      await lookIntoQueues();
      expect(jobs.some((job) => job.includes('expire'))).toBe(true);
      for (const text of [product.said(), ...jobs]) expect(leaksIn('customer', text)).toEqual([]);
      expect(product.said()).toContain('run.agent-unavailable');
    },
    JOURNEY_MS,
  );
});
