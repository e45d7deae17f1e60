/** A bench for runs: a real log, a real ledger, and agents that say what a test tells them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { redisEventLog, type RedisEventLog } from '@triptych/event-log';
import { closeRedis, connectRedis, createLog, threadKey } from '@triptych/platform';
import { asThreadId, type LogEntry, type RunAgentInput, type ThreadId } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { RedisBroughtBook } from '../src/adapters/brought-book.js';
import { RedisRunLedger } from '../src/adapters/redis-run-ledger.js';
import { RedisPushStore } from '../src/adapters/redis-push-store.js';
import type { AgentItem, AgentOpened, CalledAgent, Closings, ResumeEnd } from '../src/core/ports.js';
import type { RunRequest } from '../src/shell/begin-run.js';
import { Runs, type RunsDeps } from '../src/shell/runs.js';

const LINGER_MS = 300;

export interface Bench {
  readonly redis: Redis;
  readonly log: RedisEventLog;
  readonly ledger: RedisRunLedger;
  /** What the approvals were told of resumes. */
  readonly settled: ResumeEnd[];
  depsOf(over?: Partial<RunsDeps>): RunsDeps;
  runsOf(over?: Partial<RunsDeps>): Runs;
  runToEnd(request: RunRequest & { readonly agent: CalledAgent }, runs?: Runs): ReturnType<Runs['carry']>;
  entriesOf(thread: ThreadId): Promise<readonly LogEntry[]>;
  typesOf(thread: ThreadId): Promise<string[]>;
  close(): Promise<void>;
}

/** No approvals beside these runs: nothing opens, and what would be settled is noted. */
const notingClosings = (settled: ResumeEnd[]): Closings => ({
  openingFor: () => Promise.resolve({ ahead: () => Promise.resolve(), riders: [] }),
  stands: () => Promise.resolve(true),
  sentFor: () => Promise.resolve([]),
  startedFor: () => Promise.resolve([]),
  settlementFor: (end) => {
    settled.push(end);
    return Promise.resolve([]);
  },
  callsToAnswer: () => Promise.resolve(undefined),
  shutGates: () => Promise.resolve(new Map()),
  failedLateFor: () => Promise.resolve([]),
});

/** `logKeep`: events a thread keeps behind its newest snapshot. */
export const openBench = async (logKeep?: number): Promise<Bench> => {
  const url = process.env.REDIS_URL ?? '';
  const silent = createLog({ level: 'silent' });
  const redis = await connectRedis(url, 'commands', { log: silent });
  const subscriber = await connectRedis(url, 'subscriber', { log: silent });
  const newEpoch = (): string => randomBytes(4).toString('hex');
  const log = redisEventLog({ redis, subscriber, newEpoch, logKeep });
  const ledger = new RedisRunLedger({ redis, log });
  const settled: ResumeEnd[] = [];
  const depsOf = (over: Partial<RunsDeps> = {}): RunsDeps => ({
    log,
    ledger,
    closings: notingClosings(settled),
    clock: { now: Date.now },
    sleep: (ms) => sleep(ms),
    storeGraceMs: 5_000,
    lingerMs: LINGER_MS,
    eventLimits: { maxEventBytes: 1_000_000, maxSnapshotBytes: 7_000_000 },
    maxModelBytes: 7_000_000,
    report: () => undefined,
    pushes: new RedisPushStore(redis),
    brought: new RedisBroughtBook({ redis, log }),
    ...over,
  });
  const runsOf = (over: Partial<RunsDeps> = {}): Runs => new Runs(depsOf(over));
  const entriesOf = async (thread: ThreadId): Promise<readonly LogEntry[]> =>
    (await log.read(thread, 0, 1_000)).entries;
  return {
    redis,
    log,
    ledger,
    settled,
    depsOf,
    runsOf,
    entriesOf,
    typesOf: async (thread) => (await entriesOf(thread)).map(({ event }) => event.type),
    runToEnd: async (request, runs = runsOf()) => {
      const begun = await runs.begin(request);
      if (!begun.ok || begun.value.kind !== 'admitted') throw new Error('not admitted');
      return runs.carry(begun.value, request.agent);
    },
    close: async () => {
      log.close();
      await closeRedis(subscriber);
      await closeRedis(redis);
    },
  };
};

export type Script = (input: RunAgentInput, signal: AbortSignal) => AsyncIterable<object>;

/** An agent outside, as a run meets it: what it was sent, and what it says. */
export const agentThat = (script: Script) => {
  const inputs: RunAgentInput[] = [];
  const agent: CalledAgent = {
    id: 'teller',
    idempotent: false,
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

export const absent: CalledAgent = {
  id: 'teller',
  idempotent: false,
  open: () => Promise.resolve({ ok: false, failure: 'unavailable', detail: 'refused' }),
};

/** The store has not what it says it has of this thread: it cannot be read any more. Answers how to be rid of it. */
export const damage = async ({ log, redis }: Bench, thread: ThreadId): Promise<() => Promise<unknown>> => {
  await log.append({ thread, events: [{ json: '{"type":"CUSTOM","name":"n","value":1}', source: 'agent' }] });
  await redis.del(threadKey(thread, 'log'));
  return () => redis.del(threadKey(thread, 'run'));
};

export const fresh = (): ThreadId => asThreadId(`run-spec-${randomUUID()}`);
export const user = (id: string) => ({ id, role: 'user' as const, content: `words of ${id}` });

export const asking = (
  thread: ThreadId,
  agent: CalledAgent,
  input: Partial<RunAgentInput> = {},
): RunRequest & { readonly agent: CalledAgent } => ({
  thread,
  agent,
  tenant: 'default',
  subject: 'amelia',
  owner: 'amelia',
  mustOwn: true,
  writable: [],
  showState: (state) => state,
  acceptProps: [],
  acceptTools: [],
  isPolicyTool: () => false,
  recordForeign: () => Promise.resolve([]),
  imageLimits: { imageBytes: 4_000_000, imagesBytes: 5_000_000 },
  input: { threadId: thread, runId: 'r1', messages: [user('m1')], tools: [], context: [], ...input },
});

export async function* wholeRun({ threadId, runId }: RunAgentInput): AsyncGenerator<object> {
  const input = { threadId, runId, messages: [], tools: [], context: [], state: { secret: 1 } };
  yield { type: 'RUN_STARTED', threadId, runId, input };
  yield { type: 'TEXT_MESSAGE_START', messageId: `${runId}-a`, role: 'assistant' };
  yield { type: 'TEXT_MESSAGE_CONTENT', messageId: `${runId}-a`, delta: 'hi' };
  yield { type: 'TEXT_MESSAGE_END', messageId: `${runId}-a` };
  yield { type: 'RUN_FINISHED', threadId, runId };
}
