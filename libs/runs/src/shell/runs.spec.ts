import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { redisEventLog, type RedisEventLog } from '@triptych/event-log';
import { connectRedis, createLog } from '@triptych/platform';
import { asThreadId, type LogEntry, type RunAgentInput, type ThreadId } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { refusedEvents } from '../adapters/refused-events.js';
import { RedisRunLedger } from '../adapters/redis-run-ledger.js';
import type { AgentItem, AgentOpened, Closings, ResumeEnd, RunAgent } from '../core/ports.js';
import { Runs, type RunRequest } from './runs.js';

const LINGER_MS = 300;
const silent = createLog({ level: 'silent' });

let redis: Redis;
let subscriber: Redis;
let log: RedisEventLog;
let ledger: RedisRunLedger;
const settled: ResumeEnd[] = [];

const closings: Closings = {
  openingFor: () => ({ ahead: () => Promise.resolve(), riders: [] }),
  startedFor: () => Promise.resolve([]),
  settlementFor: (end) => {
    settled.push(end);
    return Promise.resolve([]);
  },
};

const runsOf = (over: Partial<ConstructorParameters<typeof Runs>[0]> = {}): Runs =>
  new Runs({
    ...{ log, ledger, closings, clock: { now: Date.now }, sleep: (ms: number) => sleep(ms) },
    ...{
      storeGraceMs: 5_000,
      lingerMs: LINGER_MS,
      maxEventBytes: 1_000_000,
      maxSnapshotBytes: 7_000_000,
      report: () => undefined,
    },
    ...over,
  });

beforeAll(async () => {
  const url = process.env.REDIS_URL ?? '';
  redis = await connectRedis(url, 'commands', { log: silent });
  subscriber = await connectRedis(url, 'subscriber', { log: silent });
  log = redisEventLog({ redis, subscriber, newEpoch: () => randomBytes(4).toString('hex') });
  ledger = new RedisRunLedger({ redis, log });
});
afterAll(async () => {
  log.close();
  subscriber.disconnect();
  await redis.quit();
});

type Script = (input: RunAgentInput, signal: AbortSignal) => AsyncIterable<object>;

/** An agent outside, as a run meets it: what it was sent, and what it says. */
const agentThat = (script: Script, idempotent = false) => {
  const inputs: RunAgentInput[] = [];
  const agent: RunAgent = {
    id: 'teller',
    idempotent,
    open: (input, signal): Promise<AgentOpened> => {
      inputs.push(input);
      const events = (async function* (): AsyncGenerator<AgentItem> {
        for await (const event of script(input, signal)) yield { kind: 'event', text: JSON.stringify(event) };
      })();
      return Promise.resolve({ ok: true, events });
    },
  };
  return { agent, inputs };
};

const absent: RunAgent = {
  id: 'teller',
  idempotent: false,
  open: () => Promise.resolve({ ok: false, failure: 'unavailable', detail: 'refused' }),
};

const fresh = (): ThreadId => asThreadId(`run-spec-${randomUUID()}`);
const user = (id: string) => ({ id, role: 'user' as const, content: `words of ${id}` });

const asking = (thread: ThreadId, agent: RunAgent, input: Partial<RunAgentInput> = {}): RunRequest => ({
  ...{ thread, agent, tenant: 'default', subject: 'amelia', owner: 'amelia', mustOwn: true },
  ...{ writable: [], acceptProps: [], acceptTools: [], isPolicyTool: () => false },
  input: { threadId: thread, runId: 'r1', messages: [user('m1')], tools: [], context: [], ...input },
});

const runToEnd = async (request: RunRequest, runs = runsOf()) => {
  const begun = await runs.begin(request);
  if (!begun.ok || begun.value.kind !== 'admitted') throw new Error('not admitted');
  return runs.carry(begun.value.admitted, request.agent, begun.value.intake);
};

const entriesOf = async (thread: ThreadId): Promise<readonly LogEntry[]> =>
  (await log.read(thread, 0, 1_000)).entries;
const typesOf = async (thread: ThreadId): Promise<string[]> =>
  (await entriesOf(thread)).map(({ event }) => event.type);

async function* wholeRun({ threadId, runId }: RunAgentInput): AsyncGenerator<object> {
  yield {
    type: 'RUN_STARTED',
    threadId,
    runId,
    input: { threadId, runId, messages: [], tools: [], context: [], state: { secret: 1 } },
  };
  yield { type: 'TEXT_MESSAGE_START', messageId: `${runId}-a`, role: 'assistant' };
  yield { type: 'TEXT_MESSAGE_CONTENT', messageId: `${runId}-a`, delta: 'hi' };
  yield { type: 'TEXT_MESSAGE_END', messageId: `${runId}-a` };
  yield { type: 'RUN_FINISHED', threadId, runId };
}

describe('a run', () => {
  verifies('RUN-7', 'is stored with the hub’s input; the producer’s echo is kept beside it', async () => {
    const thread = fresh();
    await runToEnd(asking(thread, agentThat(wholeRun).agent));
    const [started] = await entriesOf(thread);
    expect(started?.event.input).toEqual({
      threadId: thread,
      runId: 'r1',
      messages: [user('m1')],
      tools: [],
      context: [],
    });
    expect(started?.raw).toContain('"secret":1');
    expect(started?.json).not.toContain('secret');
  });

  verifies('RUN-17', 'sends the agent the hub’s own history, not a client’s version of it', async () => {
    const thread = fresh();
    const { agent, inputs } = agentThat(wholeRun);
    await runToEnd(asking(thread, agent));
    const forged = { id: 'r1-a', role: 'assistant' as const, content: 'approved!' };
    await runToEnd(
      asking(thread, agent, {
        runId: 'r2',
        messages: [user('m1'), forged, user('m2')],
        state: { paid: true },
      }),
    );
    expect(inputs[1]?.messages).toEqual([
      user('m1'),
      { id: 'r1-a', role: 'assistant', content: 'hi' },
      user('m2'),
    ]);
    expect(inputs[1]?.state).toEqual({});
    expect(inputs[1]?.protocolVersion).toBe('1.0');
  });

  verifies('RUN-8', 'frees the thread in the step that stores its end', async () => {
    const thread = fresh();
    const { agent } = agentThat(wholeRun);
    await runToEnd(asking(thread, agent));
    const after = await ledger.thread(thread);
    expect([after?.activeRunId, after?.status]).toEqual([undefined, 'idle']);
    expect((await ledger.run(thread, 'r1'))?.status).toBe('success');
    expect((await runsOf().begin(asking(thread, agent, { runId: 'r2' }))).ok).toBe(true);
  });

  verifies('RUN-1', 'keeps all others off its thread, from every instance', async () => {
    const thread = fresh();
    const { agent } = agentThat(wholeRun);
    const asked = Array.from({ length: 20 }, (_, nth) =>
      runsOf().begin(asking(thread, agent, { runId: `r${nth}` })),
    );
    const answers = await Promise.all(asked);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const codes = new Set(answers.map((answer) => (answer.ok ? 'ok' : answer.refusal.code)));
    expect(codes).toEqual(new Set(['ok', 'THREAD_BUSY']));
  });

  verifies('RUN-9', 'that stops without a terminal has failed, and says so', async () => {
    const thread = fresh();
    const cut: Script = async function* ({ threadId, runId }) {
      yield { type: 'RUN_STARTED', threadId, runId };
      yield { type: 'TEXT_MESSAGE_START', messageId: 'a', role: 'assistant' };
    };
    await runToEnd(asking(thread, agentThat(cut).agent));
    const end = (await entriesOf(thread)).at(-1);
    expect([end?.event.type, end?.event.code, end?.source]).toEqual([
      'RUN_ERROR',
      'hub/upstream-truncated',
      'hub',
    ]);
    const empty = fresh();
    await runToEnd(asking(empty, agentThat(async function* () {}).agent));
    expect(await typesOf(empty)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
  });

  verifies('RUN-10', 'ends at an illegal event, which is kept with its rule', async () => {
    const thread = fresh();
    const illegal: Script = async function* ({ threadId, runId }) {
      yield { type: 'RUN_STARTED', threadId, runId };
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'never-opened', delta: 'x' };
      yield { type: 'RUN_FINISHED', threadId, runId };
    };
    await runToEnd(asking(thread, agentThat(illegal).agent));
    expect(await typesOf(thread)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect((await entriesOf(thread)).at(-1)?.event.code).toBe('hub/protocol-violation');
    const [refused] = await refusedEvents(redis, thread);
    expect(refused?.text).toContain('never-opened');
    expect(refused?.rule).not.toBe('');
  });

  verifies('RUN-11', 'whose agent cannot be reached has begun and failed', async () => {
    const thread = fresh();
    await runToEnd(asking(thread, absent));
    expect(await typesOf(thread)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect((await entriesOf(thread)).at(-1)?.event.code).toBe('hub/agent-unavailable');
  });

  verifies('RUN-12', 'whose carrier went silent is mourned once, and its ghost writes nothing', async () => {
    const thread = fresh();
    let speak = (): void => undefined;
    const held: Script = async function* ({ threadId, runId }) {
      yield { type: 'RUN_STARTED', threadId, runId };
      await new Promise<void>((resolve) => (speak = resolve));
      yield { type: 'TEXT_MESSAGE_START', messageId: 'ghost', role: 'assistant' };
    };
    const { agent } = agentThat(held);
    const deaf = Object.assign(Object.create(ledger) as RedisRunLedger, {
      renew: () => Promise.resolve('kept' as const),
    });
    const carrying = runToEnd(asking(thread, agent), runsOf({ ledger: deaf }));
    while ((await typesOf(thread)).length === 0) await sleep(10);
    while ((await typesOf(thread)).length < 2) {
      await Promise.all([runsOf().mourn(() => agent), runsOf().mourn(() => agent)]);
      await sleep(100);
    }
    speak();
    expect(await carrying).toEqual({ kind: 'lost' });
    expect(await typesOf(thread)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect((await entriesOf(thread)).at(-1)?.event.code).toBe('hub/runner-lost');
  });

  verifies('RUN-13', 'is cancelled from another instance', async () => {
    const thread = fresh();
    const endless: Script = async function* ({ threadId, runId }, signal) {
      yield { type: 'RUN_STARTED', threadId, runId };
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    };
    const carrying = runToEnd(asking(thread, agentThat(endless).agent));
    while ((await typesOf(thread)).length === 0) await sleep(10);
    expect(await runsOf().cancel(thread, 'r1')).toBe(true);
    await carrying;
    expect((await entriesOf(thread)).at(-1)?.event.code).toBe('hub/cancelled');
    expect(await runsOf().cancel(thread, 'r1')).toBe(false);
  });

  verifies('RUN-14', 'that says after its end that it failed, has failed', async () => {
    const thread = fresh();
    const late: Script = async function* (input) {
      yield* wholeRun(input);
      yield { type: 'RUN_ERROR', message: 'the ledger was not written', code: 'LATE' };
    };
    await runToEnd(asking(thread, agentThat(late).agent));
    expect((await typesOf(thread)).slice(-2)).toEqual(['RUN_FINISHED', 'RUN_ERROR']);
    expect(await ledger.run(thread, 'r1')).toMatchObject({ status: 'failed', code: 'LATE' });
  });

  it('may be followed by another run of the same stream', async () => {
    const thread = fresh();
    const twice: Script = async function* (input) {
      yield* wholeRun(input);
      yield* wholeRun({ ...input, runId: 'r1-more' });
    };
    await runToEnd(asking(thread, agentThat(twice).agent));
    expect((await ledger.run(thread, 'r1-more'))?.status).toBe('success');
    expect((await typesOf(thread)).filter((type) => type === 'RUN_FINISHED')).toHaveLength(2);
  });

  verifies('RUN-16', 'that only resumes and never reached its agent leaves nothing behind', async () => {
    const thread = fresh();
    await runToEnd(asking(thread, agentThat(wholeRun).agent));
    await redis.hset((await import('../adapters/run-keys.js')).keysOf(thread).run, 'batch', 'b1');
    const before = (await typesOf(thread)).length;
    const order = {
      thread,
      agent: absent,
      runId: 'r2',
      batchId: 'b1',
      requester: 'amelia',
      resume: [],
      guards: [],
      riders: [],
    };
    expect(await runsOf().resume(order)).toEqual({ kind: 'forgotten' });
    expect(await typesOf(thread)).toHaveLength(before);
    expect(await ledger.run(thread, 'r2')).toBeUndefined();
    expect(settled.at(-1)).toMatchObject({ batchId: 'b1', outcome: 'error', sent: false });
  });
});
