/** How many tasks one person may hold, on a real Redis and several processes. */
import type { Result } from '@triptych/protocol';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { fresh, person, sven } from '../../test/bank.js';
import { countersOn, type Counter } from '../../test/counter.js';
import { batchKey, claimIndex } from '../adapters/approval-keys.js';
import { parseTaskId } from '../core/ids.js';
import { MAX_CLAIMS } from './claims.js';

const DATABASE = ownDatabase();
const MORE = 10;
const A_BATCH = 3;

describe('the tasks that one person holds', () => {
  const { at } = countersOn(DATABASE, 2);
  let one: Counter;
  let two: Counter;
  beforeAll(() => {
    [one, two] = [at(0), at(1)];
  });

  /** A few a batch: what is done to one task waits for what is done to its neighbours. */
  const ask = async (count: number): Promise<readonly string[]> => {
    const ids = Array.from({ length: Math.ceil(count / A_BATCH) }, (_, nth) =>
      Array.from({ length: Math.min(A_BATCH, count - nth * A_BATCH) }, (_, i) => `i${i}`),
    );
    const runs = await Promise.all(
      ids.map((some) => one.open({ interrupts: some.map((id) => ({ id, reason: 'confirmation' })) })),
    );
    return runs.flatMap(({ taskIds }) => taskIds);
  };
  const somebody = () => person(fresh('greedy'), ['reviewer'], ['advisors']);
  const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.refusal.code);

  verifies('APR-42', 'are so many and not one more, however many are asked for at once', async () => {
    const greedy = somebody();
    const tasks = await ask(MAX_CLAIMS + MORE);
    const answers = await Promise.all(
      tasks.map((taskId, i) => (i % 2 === 0 ? one : two).approvals.claim(greedy, taskId)),
    );
    const codes = answers.map(codeOf);
    expect(codes.filter((code) => code === 'ok')).toHaveLength(MAX_CLAIMS);
    const over = answers.find(({ ok }) => !ok);
    expect(over).toMatchObject({ refusal: { code: 'RATE_LIMITED', details: { limit: 'MAX_CLAIMS' } } });
    const [left = ''] = tasks.filter((_, i) => codes[i] !== 'ok');
    const [held = '', other = '', third = ''] = tasks.filter((_, i) => codes[i] === 'ok');
    expect(codeOf(await two.approvals.claim(greedy, held))).toBe('ok');
    expect(codeOf(await two.approvals.claim(somebody(), left))).toBe('ok');

    const { rev, proposalHash } = (
      (await one.approvals.get(greedy, held)) as { value: { rev: number; proposalHash: string } }
    ).value;
    await one.approvals.decide(greedy, held, { verb: 'approve', rev, proposalHash });
    await one.approvals.release(greedy, other);
    await one.approvals.takeover(sven, third, { rev: 2, reason: 'Urgent.' });
    const again = tasks.filter((taskId, i) => codes[i] !== 'ok' && taskId !== left).slice(0, 3);
    for (const taskId of again)
      expect([taskId, codeOf(await two.approvals.claim(greedy, taskId))]).toEqual([taskId, 'ok']);
    expect(codeOf(await one.approvals.claim(greedy, other))).toBe('RATE_LIMITED');
  });

  verifies(
    'APR-42',
    'are those that are held: what a dead process or a lost race left behind does not count',
    async () => {
      const unlucky = somebody();
      const tasks = await ask(MAX_CLAIMS + 1);
      const key = claimIndex(unlucky.tenant, unlucky.subject);
      for (const taskId of tasks) await one.redis.zadd(key, Date.now() - 60_000, taskId);
      expect(codeOf(await two.approvals.claim(unlucky, tasks[0] ?? ''))).toBe('ok');
      expect(await one.redis.zrange(key, '0', '-1')).toEqual(tasks.slice(0, 1));
      const taken = await ask(MAX_CLAIMS + 1);
      for (const taskId of taken) await one.approvals.claim(sven, taskId);
      for (const taskId of taken) await two.approvals.claim(unlucky, taskId);
      expect(codeOf(await two.approvals.claim(unlucky, tasks[1] ?? ''))).toBe('ok');
    },
  );

  verifies('APR-42', 'are counted without those of a batch that cannot be read', async () => {
    const greedy = somebody();
    const tasks = await ask(MAX_CLAIMS + 2);
    const [broken = '', ...others] = tasks;
    for (const taskId of tasks.slice(0, MAX_CLAIMS)) await one.approvals.claim(greedy, taskId);
    const [last = ''] = others.slice(-1);
    expect(codeOf(await two.approvals.claim(greedy, last))).toBe('RATE_LIMITED');
    await one.redis.hset(batchKey(parseTaskId(broken)?.batchId ?? ''), 'facts', '{}');
    expect(codeOf(await two.approvals.claim(greedy, last))).toBe('ok');
  });

  verifies(
    'APR-89',
    'grow by one that is taken back only where there is room; the answer comes back anyway',
    async () => {
      const greedy = somebody();
      const answered = async (): Promise<string> => {
        const run = await one.open({ interrupts: [{ id: 'i1', reason: 'bank:slip' }] });
        const [taskId = ''] = run.taskIds;
        const respond = { verb: 'respond', rev: 1, payload: 1 } as const;
        expect(codeOf(await one.approvals.decide(greedy, taskId, respond))).toBe('ok');
        return taskId;
      };
      const [first, second] = [await answered(), await answered()];
      for (const taskId of await ask(MAX_CLAIMS - 1)) await one.approvals.claim(greedy, taskId);
      expect(await two.approvals.undo(greedy, first, 1)).toMatchObject({ value: { state: 'claimed' } });
      expect(await two.approvals.undo(greedy, second, 1)).toMatchObject({ value: { state: 'pending' } });
      expect(codeOf(await two.approvals.claim(greedy, second))).toBe('RATE_LIMITED');
      expect(await one.redis.zcard(claimIndex(greedy.tenant, greedy.subject))).toBe(MAX_CLAIMS);
    },
  );
});
