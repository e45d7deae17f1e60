import { randomUUID } from 'node:crypto';
import { verifies } from '../../../../test/spec/verifies.js';
import { absent, agentThat, asking, fresh, openBench, wholeRun, type Bench } from '../../test/bench.js';
import { keysOf } from './run-keys.js';

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
});
