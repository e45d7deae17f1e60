/** What an older version stored, in the hands of this one: weeks pass between a question and its answer. */
import { readFileSync } from 'node:fs';
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { matterOf, NOON, rita, rolf, ruleOnTransfer, sven } from '../../test/bank.js';
import { Counter } from '../../test/counter.js';
import { batchKey, BUSY_INDEX, keysOf } from '../adapters/approval-keys.js';
import { batchFrom, type Fields } from '../adapters/read-batch.js';
import { wholeBatch } from '../adapters/stored-batch.js';
import type { Batch } from '../core/batch.js';
import { withChange } from '../core/change.js';
import { decide } from '../core/decide.js';
import type { DecideCommand } from '../core/command.js';
import { planDispatch } from '../core/dispatch.js';
import { applyDue } from '../core/due.js';
import { resumeEntries } from '../core/resume-entries.js';

const DATABASE = ownDatabase();
const MONTH_MS = 31 * 86_400_000;
const stored = JSON.parse(
  readFileSync(new URL('../../test/old-batches/first-version.json', import.meta.url), 'utf8'),
) as Fields;
const BATCH_ID = 'joI2bcN8kNtcsAOArP-SDe.TmXT--itZTVoGwIb';
const THREAD = 'thread-of-old';

const read = (): Batch => {
  const batch = batchFrom(BATCH_ID, stored);
  if (!batch) throw new Error('nothing is stored');
  return batch;
};

describe('a batch of the first version', () => {
  let one: Counter;
  beforeAll(async () => {
    one = await Counter.start(DATABASE);
    await one.redis.flushdb();
  });
  afterAll(() => one.close());

  const statuses = (batch: Batch, now: number) => {
    const plan = planDispatch(batch, now, 'run-2');
    if (!plan) throw new Error('not ready');
    return resumeEntries(withChange(batch, plan)).map(({ status }) => status);
  };

  verifies('APR-79', 'is read as it was written', () => {
    const pairs = wholeBatch(read());
    const again = Object.fromEntries(pairs.flatMap((name, i) => (i % 2 === 0 ? [[name, pairs[i + 1]]] : [])));
    expect(again).toEqual(stored);
  });

  verifies('APR-79', 'is decided in time, its claim and its edit being what they were', () => {
    const now = NOON + 5_000;
    const answered = (
      batch: Batch,
      index: number,
      { who, ...command }: DecideCommand & { readonly who: typeof rita },
    ): Batch => {
      const task = batch.tasks[index];
      if (!task) throw new Error('no such task');
      const seen = { rev: task.rev, proposalHash: task.proposalHash };
      const judged = decide(matterOf(batch, who, { task, now }), { ...seen, ...command }, ruleOnTransfer);
      if (!judged.ok) throw new Error(judged.refusal.code);
      return withChange(batch, judged.value);
    };
    const first = answered(read(), 0, { who: rolf, verb: 'approve' });
    const second = answered(first, 0, { who: sven, verb: 'approve' });
    const all = answered(second, 2, { who: rita, verb: 'respond', payload: 'yes' });
    expect(all.status).toMatchObject({ state: 'ready' });
    expect(all.tasks[0]).toMatchObject({ decision: { editedArgs: { amount: 1500 } } });
    expect(statuses(all, now)).toEqual(['resolved', 'resolved', 'resolved']);
  });

  verifies('APR-79', 'falls due a month later: what was not answered is abandoned', () => {
    const now = NOON + MONTH_MS;
    const late = withChange(read(), applyDue(read(), now));
    expect(statuses(late, now)).toEqual(['cancelled', 'resolved', 'cancelled']);
  });

  verifies('APR-79', 'is found by the index of its time, ended and sent', async () => {
    const keys = keysOf(THREAD);
    await one.redis.hset(batchKey(BATCH_ID), stored);
    await one.redis.hset(keys.run, 'batch', BATCH_ID);
    await one.redis.zadd(keys.batches, NOON, BATCH_ID);
    await one.redis.zadd(BUSY_INDEX, NOON + 3_600_000, `${BATCH_ID}@${NOON}`);
    expect(await one.sweepAll()).toMatchObject({
      ready: [BATCH_ID],
      expired: [expect.any(String), expect.any(String)],
    });
    const run = { threadId: THREAD, batchId: BATCH_ID, taskIds: [] };
    const plan = await one.dispatch(run);
    expect(plan.resume.map(({ status }) => status)).toEqual(['cancelled', 'resolved', 'cancelled']);
    await one.end(run, { outcome: 'success' });
    expect(await one.ledger.heldBy(THREAD)).toBeUndefined();
  });
});
