import { setTimeout as sleep } from 'node:timers/promises';
import { verifies } from '../../../../test/spec/verifies.js';
import { openBench, type Bench } from '../../test/bench.js';
import { engine, freshThread, intakeOn, inOrder, pushing } from '../../test/push-bench.js';
import { story } from '../../test/push-story.js';
import type { PushAgent } from '../core/ports.js';

const SPEC_MS = 60_000;
const PATIENCE_MS = 30_000;

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

type Thread = ReturnType<typeof freshThread>;

const quick = (timeouts: Partial<PushAgent['timeouts']>): PushAgent => ({
  ...engine,
  timeouts: { ...engine.timeouts, ...timeouts },
});

/** What became of it; nobody but the hubs looks. */
const endOf = async (thread: Thread): Promise<unknown> => {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20)) {
    const record = await bench.ledger.run(thread, 'r1');
    if (record && record.status !== 'running') return record.code ?? record.status;
  }
  return 'running';
};

describe('a pushed run whose time is up', () => {
  verifies(
    'ING-27',
    'is ended by the hub that its agent spoke through, without a worker',
    async () => {
      const hub = intakeOn(bench);
      const threads = {
        counted: freshThread(),
        placed: freshThread(),
        total: freshThread(),
        socket: freshThread(),
      };
      const began = (thread: Thread) => story(thread).slice(0, 1);
      await hub.push({ ...pushing(threads.counted, began(threads.counted)), agent: quick({ idleMs: 300 }) });
      const placed = began(threads.placed).map((event) => ({ position: 1, event }));
      await hub.pushInOrder({ ...inOrder(threads.placed, placed), agent: quick({ idleMs: 300 }) });
      await hub.push({ ...pushing(threads.total, began(threads.total)), agent: quick({ totalMs: 300 }) });
      await hub.push({ ...pushing(threads.socket, began(threads.socket)), agent: engine, socket: 's1' });
      expect(await Promise.all(Object.values(threads).map(endOf))).toEqual([
        ...['hub/timeout-idle', 'hub/timeout-idle', 'hub/timeout-total', 'hub/runner-lost'],
      ]);
    },
    SPEC_MS,
  );

  verifies(
    'RUN-62',
    'goes on where it was given more, until it says nothing for too long',
    async () => {
      const hub = intakeOn(bench);
      const [longer, other, silent] = [freshThread(), freshThread(), freshThread()];
      const agent = quick({ totalMs: 6_000 });
      for (const thread of [longer, silent, other])
        await hub.push({ ...pushing(thread, story(thread).slice(0, 1)), agent });
      const more = (thread: Thread, brief: PushAgent) =>
        intakeOn(bench).offers.extend(thread, 'r1', { ms: 60_000, agent: brief });
      expect(await more(longer, agent)).toBe(true);
      expect(await more(silent, quick({ totalMs: 6_000, idleMs: 500 }))).toBe(true);
      expect(await endOf(other)).toBe('hub/timeout-total');
      expect(await endOf(silent)).toBe('hub/timeout-idle');
      expect((await bench.ledger.run(longer, 'r1'))?.status).toBe('running');
      expect(await more(other, agent)).toBe(false);
    },
    SPEC_MS,
  );

  verifies(
    'ING-27',
    'is ended once, however many hubs and workers look at the same moment',
    async () => {
      const hubs = Array.from({ length: 4 }, () => intakeOn(bench));
      const agent = quick({ idleMs: 300 });
      const threads = Array.from({ length: 12 }, freshThread);
      for (const thread of threads) {
        // Each of them was spoken through, so that each of them looks.
        await hubs[0]!.push({ ...pushing(thread, story(thread).slice(0, 1)), agent });
        await Promise.all(
          hubs.map((hub, nth) => hub.push({ ...pushing(thread, [], { id: `p${nth}` }), agent })),
        );
      }
      const worker = intakeOn(bench);
      const ends = threads.map(endOf);
      for (const end = Date.now() + 3_000; Date.now() < end; await sleep(30)) await worker.mourn(() => agent);
      expect(await Promise.all(ends)).toEqual(threads.map(() => 'hub/timeout-idle'));
      for (const thread of threads) expect(await bench.typesOf(thread)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    },
    SPEC_MS,
  );

  verifies(
    'ING-27',
    'was put off through another hub, and goes on',
    async () => {
      const [one, other] = [intakeOn(bench), intakeOn(bench)];
      const thread = freshThread();
      const agent = quick({ idleMs: 4_000 });
      await one.push({ ...pushing(thread, story(thread).slice(0, 1)), agent });
      for (let nth = 0; nth < 6; nth += 1) {
        await sleep(1_000);
        await other.push({ ...pushing(thread, []), agent });
      }
      expect(await bench.ledger.run(thread, 'r1')).toMatchObject({ status: 'running' });
      expect(await endOf(thread)).toBe('hub/timeout-idle');
    },
    SPEC_MS,
  );
});
