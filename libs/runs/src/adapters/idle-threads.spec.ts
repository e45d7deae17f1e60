import { threadKey } from '@triptych/platform';
import type { ThreadId } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import { agentThat, asking, fresh, openBench, wholeRun, type Bench } from '../../test/bench.js';
import { findingsKey } from './findings.js';
import { IdleThreads } from './idle-threads.js';
import { IDLE_INDEX, keysOf, threadsIndex } from './run-keys.js';
import { idleMember } from './thread-index.js';

const DAY_MS = 86_400_000;
const AGO = Date.now() - 3 * DAY_MS;
const TENANT = `idle-${process.pid}`;

let bench: Bench;
let idle: IdleThreads;
beforeAll(async () => {
  bench = await openBench();
  const othersKeys = (thread: ThreadId) => Promise.resolve([threadKey(thread, 'outbox')]);
  idle = new IdleThreads({ redis: bench.redis, log: bench.log, othersKeys });
});
afterAll(() => bench.close());

const nameOf = (threadId: ThreadId) => ({ tenant: TENANT, owner: 'amelia', threadId });

/** A thread that had a run, and nothing since. */
const old = async (): Promise<ThreadId> => {
  const thread = fresh();
  await bench.runToEnd({ ...asking(thread, agentThat(wholeRun).agent), tenant: TENANT });
  await bench.log.keep(thread);
  await bench.redis.hset(threadKey(thread, 'outbox'), 'some', 'thing');
  await bench.redis.xadd(findingsKey(thread), '*', 'finding', '{}');
  await age(thread);
  return thread;
};

const age = async (thread: ThreadId): Promise<void> => {
  await bench.redis.hset(keysOf(thread).thread, 'updatedAt', String(AGO));
  await bench.redis.zadd(IDLE_INDEX, AGO, idleMember(nameOf(thread)));
};

const left = (thread: ThreadId): Promise<string[]> => bench.redis.keys(threadKey(thread, '*'));
const listed = async (thread: ThreadId) => [
  await bench.redis.zscore(threadsIndex(TENANT), thread),
  await bench.redis.zscore(threadsIndex(TENANT, 'amelia'), thread),
  await bench.redis.zscore(IDLE_INDEX, idleMember(nameOf(thread))),
];

describe('a thread that was idle for long', () => {
  verifies('RUN-26', 'is forgotten whole, and its name begins anew', async () => {
    const thread = await old();
    expect((await left(thread)).length).toBeGreaterThan(4);
    expect(await idle.forget(DAY_MS)).toBeGreaterThan(0);
    expect(await left(thread)).toEqual([]);
    expect(await listed(thread)).toEqual([null, null, null]);
    await bench.runToEnd({ ...asking(thread, agentThat(wholeRun).agent), tenant: TENANT });
    expect(await bench.typesOf(thread)).toHaveLength(5);
    expect(await listed(thread)).not.toContain(null);
  });

  verifies('RUN-26', 'stays while a run is active, a batch is open, or it changed since', async () => {
    const [running, waiting, changed] = [await old(), await old(), await old()];
    await bench.redis.hset(keysOf(running).run, 'id', 'r9');
    await bench.redis.hset(keysOf(waiting).run, 'batch', 'b9');
    await bench.redis.hset(keysOf(changed).thread, 'updatedAt', String(Date.now()));
    await idle.forget(DAY_MS);
    for (const thread of [running, waiting, changed]) {
      expect(await bench.typesOf(thread)).toHaveLength(5);
      expect(await listed(thread)).not.toContain(null);
    }
    await bench.redis.hdel(keysOf(running).run, 'id');
    await bench.redis.hdel(keysOf(waiting).run, 'batch');
  });

  verifies('RUN-26', 'stays when a run begins in the very moment', async () => {
    const thread = await old();
    const late = new IdleThreads({
      redis: bench.redis,
      log: bench.log,
      othersKeys: async () => {
        await bench.runsOf().begin({
          ...asking(thread, agentThat(wholeRun).agent, { runId: 'r2' }),
          tenant: TENANT,
        });
        return [];
      },
    });
    await late.forget(DAY_MS);
    expect((await bench.ledger.thread(thread))?.activeRunId).toBe('r2');
    expect(await bench.typesOf(thread)).toHaveLength(5);
  });

  verifies('RUN-26', 'leaves the lists also when whoever forgot it died before telling them', async () => {
    const thread = await old();
    await bench.redis.del(...(await left(thread)));
    await idle.forget(DAY_MS);
    expect(await listed(thread)).toEqual([null, null, null]);
  });
});
