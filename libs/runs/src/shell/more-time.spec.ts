import { setTimeout as sleep } from 'node:timers/promises';
import { threadKey } from '@triptych/platform';
import { verifies } from '../../../../test/spec/verifies.js';
import { agentThat, asking, fresh, openBench, type Bench } from '../../test/bench.js';
import type { CalledAgent } from '../core/ports.js';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

/** Goes on until it is let finish, and tells what it was given. */
const lasting = () => {
  const given: number[] = [];
  let finish = (): void => undefined;
  const { agent } = agentThat(async function* ({ threadId, runId }) {
    yield { type: 'RUN_STARTED', threadId, runId };
    await new Promise<void>((resolve) => (finish = resolve));
    yield { type: 'RUN_FINISHED', threadId, runId };
  });
  const open: CalledAgent['open'] = async (input, signal) => {
    const opened = await agent.open(input, signal);
    return opened.ok ? { ...opened, prolong: (ms) => void given.push(ms) } : opened;
  };
  const sum = (): number => given.reduce((all, ms) => all + ms, 0);
  return { agent: { ...agent, open }, sum, finish: () => finish() };
};

describe('a run that takes its time', () => {
  verifies(
    'RUN-62',
    'is given more where it is carried, whichever hub is asked, until it is over',
    async () => {
      const thread = fresh();
      const { agent, sum, finish } = lasting();
      const carrying = bench.runToEnd(asking(thread, agent));
      while ((await bench.typesOf(thread)).length === 0) await sleep(10);
      const other = bench.runsOf();
      for (const [ms, all] of [
        [5_000, 5_000],
        [700, 5_700],
      ] as const) {
        expect(await other.extend(thread, 'r1', { ms, agent })).toBe(true);
        while (sum() < all) await sleep(20);
        expect(sum()).toBe(all);
      }
      expect(await other.extend(thread, 'another', { ms: 1, agent })).toBe(false);
      finish();
      await carrying;
      expect(await other.extend(thread, 'r1', { ms: 1, agent })).toBe(false);
      expect(await bench.redis.hexists(threadKey(thread, 'run'), 'extra')).toBe(0);
    },
  );
});
