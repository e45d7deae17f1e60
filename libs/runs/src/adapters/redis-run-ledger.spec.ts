import { randomUUID } from 'node:crypto';
import { threadKey } from '@triptych/platform';
import { verifies } from '../../../../test/spec/verifies.js';
import { absent, agentThat, asking, fresh, openBench, wholeRun, type Bench } from '../../test/bench.js';
import { engine, intakeOn } from '../../test/push-bench.js';
import type { CalledAgent, LogToWrite } from '../core/ports.js';
import type { Lease } from '../core/run-record.js';
import { RedisRunLedger } from './redis-run-ledger.js';
import { keysOf, LIVE_INDEX } from './run-keys.js';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

describe('the ledger', () => {
  verifies('RUN-23', 'makes its thread the newest in the lists, which page without a repeat', async () => {
    const owner = `pager-${randomUUID()}`;
    const { agent } = agentThat(wholeRun);
    const made = Array.from({ length: 7 }, fresh);
    await Promise.all(
      made.map((thread) => bench.runToEnd({ ...asking(thread, agent), owner, subject: owner })),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await bench.ledger.threads({
        tenant: 'default',
        owner,
        limit: 2,
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...page.items.map(({ threadId }) => threadId));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(7);
    expect(new Set(seen)).toEqual(new Set(made));
  });

  verifies('RUN-16', 'that only resumes and never reached its agent leaves nothing behind', async () => {
    const thread = fresh();
    await bench.runToEnd(asking(thread, agentThat(wholeRun).agent));
    await bench.redis.hset(keysOf(thread).run, 'batch', 'b1');
    const before = (await bench.typesOf(thread)).length;
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
    expect(await bench.runsOf().resume(order)).toEqual({ kind: 'forgotten' });
    expect(await bench.typesOf(thread)).toHaveLength(before);
    expect(await bench.ledger.run(thread, 'r2')).toBeUndefined();
    expect(bench.settled.at(-1)).toMatchObject({ batchId: 'b1', outcome: 'error', sent: false });
  });

  verifies(
    'RUN-59',
    'has what is told of a resume before its agent has it, once however often that is said',
    async () => {
      const thread = fresh();
      await bench.runToEnd(asking(thread, agentThat(wholeRun).agent));
      const { run } = keysOf(thread);
      const told = threadKey(thread, 'told');
      const riders = [['XADD', told, '*', 'sent', 'b1']] as const;
      await bench.redis.hset(run, 'batch', 'b1');
      const seen: unknown[] = [];
      const { agent } = agentThat(wholeRun);
      const watched: CalledAgent = {
        ...agent,
        open: async (input, signal) => {
          const lease = { thread, runId: 'r2', term: Number(await bench.redis.hget(run, 'term')) };
          seen.push(
            await bench.redis.xlen(told),
            await bench.ledger.markSent(lease, riders),
            await bench.ledger.markSent({ ...lease, term: lease.term - 1 }, riders),
            await bench.redis.xlen(told),
          );
          return agent.open(input, signal);
        },
      };
      const closings = { ...bench.depsOf().closings, sentFor: () => Promise.resolve(riders) };
      const order = { thread, agent: watched, runId: 'r2', batchId: 'b1', requester: 'amelia', resume: [] };
      await bench.runsOf({ closings }).resume({ ...order, guards: [], riders: [] });
      expect(seen).toEqual([1, true, false, 1]);
    },
  );

  verifies('RUN-59', 'has it with the step that gives the resume to an agent that comes for it', async () => {
    const thread = fresh();
    await bench.runToEnd(asking(thread, agentThat(wholeRun).agent));
    const told = threadKey(thread, 'told');
    const sentFor = () => Promise.resolve([['XADD', told, '*', 'sent', 'b1']] as const);
    const closings = { ...bench.depsOf().closings, sentFor };
    await bench.redis.hset(keysOf(thread).run, 'batch', 'b1');
    const order = { thread, agent: engine, runId: 'r2', batchId: 'b1', requester: 'amelia', resume: [] };
    expect(await bench.runsOf({ closings }).resume({ ...order, guards: [], riders: [] })).toEqual({
      kind: 'offered',
    });
    expect(await bench.redis.xlen(told)).toBe(0);
    const agent = { ...engine, id: 'teller' };
    const taking = { thread, runId: 'r2', tenant: 'default', agent };
    const taken = ['s1', 's2'].map((socket) =>
      intakeOn(bench, { closings }).offers.take({ ...taking, socket }),
    );
    expect((await Promise.all(taken)).filter(({ ok }) => ok)).toHaveLength(1);
    expect(await bench.redis.xlen(told)).toBe(1);
  });

  for (const [what, meanwhile] of [
    ['sent', (lease: Lease) => bench.ledger.markSent(lease)],
    ['renewed', (lease: Lease) => bench.ledger.renew(lease)],
  ] as const)
    verifies('RUN-61', `takes no run that was ${what} while it was looked at`, async () => {
      const thread = fresh();
      const begun = await bench.runsOf().begin(asking(thread, agentThat(wholeRun).agent));
      if (!begun.ok || begun.value.kind !== 'admitted') throw new Error('not admitted');
      const { lease } = begun.value.admitted;
      const lapse = (): Promise<unknown> => bench.redis.hset(keysOf(thread).run, 'until', '1');
      await lapse();
      await bench.redis.zadd(LIVE_INDEX, 1, thread);
      // Its carrier, slow but not gone, comes between the look and the taking.
      const log: LogToWrite = {
        ...{ begin: bench.log.begin.bind(bench.log), read: bench.log.read.bind(bench.log) },
        append: async (request) => {
          if (request.thread === thread) await meanwhile(lease);
          return bench.log.append(request);
        },
      };
      const slow = new RedisRunLedger({ redis: bench.redis, log });
      const lost = async (ledger: RedisRunLedger) =>
        (await ledger.takeLost(1)).filter((run) => run.lease.thread === thread);
      expect(await lost(slow)).toEqual([]);
      await lapse();
      await bench.redis.zadd(LIVE_INDEX, 1, thread);
      expect(await lost(bench.ledger)).toMatchObject([{ sent: what === 'sent', started: false }]);
    });
});
