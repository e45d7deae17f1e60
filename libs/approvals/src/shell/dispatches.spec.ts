/** What is told of a resume, and what becomes of one that cannot be made. */
import { ownDatabase } from '@triptych/testkit';
import { verifies } from '../../../../test/spec/verifies.js';
import { carl, fresh, olga, rita, transferOf, unwrap } from '../../test/bank.js';
import { countersOn, type Counter, type OpenedRun } from '../../test/counter.js';
import { batchKey, keysOf } from '../adapters/approval-keys.js';

const DATABASE = ownDatabase();

describe('a resume', () => {
  const { at } = countersOn(DATABASE, 1);
  let one: Counter;
  beforeAll(() => {
    one = at(0);
  });

  const approved = async (): Promise<OpenedRun> => {
    const run = await one.open({ ...transferOf(10), threadId: fresh('thread') });
    unwrap(await one.approvals.decide(rita, run.taskIds[0] ?? '', { verb: 'approve', rev: 1 }));
    return run;
  };
  const recordsOf = async (threadId: string, action: string): Promise<readonly unknown[]> => {
    const entries = await one.redis.xrange(keysOf(threadId).trail, '-', '+');
    const records = entries.map(([, fields]) => JSON.parse(fields[1] ?? '') as { action: string });
    return records.filter((record) => record.action === action);
  };

  verifies(
    'AUD-28',
    'that leaves has a record of its run and, for each answer, of its decision and hashes',
    async () => {
      const run = await approved();
      const plan = await one.dispatch(run);
      await one.store(run.threadId, { riders: await one.approvals.sentFor(run.batchId) });
      const [entry] = plan.resume;
      const { decisionId, proposalHash, payloadHash } = (entry?.metadata?.hub ?? {}) as Record<
        string,
        string
      >;
      expect(await recordsOf(run.threadId, 'resume.sent')).toEqual([
        expect.objectContaining({
          actor: { id: 'hub', via: 'system' },
          subject: { thread: run.threadId, run: 'run-1', batch: run.batchId },
          after: {
            runId: plan.runId,
            attempt: 1,
            entries: [{ interruptId: 'i1', status: 'resolved', decisionId, proposalHash, payloadHash }],
          },
        }),
      ]);
      await one.store(run.threadId, { riders: await one.approvals.startedFor(run.batchId) });
      expect(await one.approvals.sentFor(run.batchId)).toEqual([]);
    },
  );

  verifies(
    'AUD-28',
    'that brings what a client said of its calls names them, and the hash of what was said',
    async () => {
      const calls = {
        p1: { name: 'payOut', argsText: '{"amount":10}' },
        p2: { name: 'showForm', argsText: '{}' },
      };
      const run = await one.open({ interrupts: [], pending: ['p1', 'p2'], calls, threadId: fresh('thread') });
      unwrap(await one.approvals.decide(rita, run.taskIds[0] ?? '', { verb: 'reject', rev: 1 }));
      const answers = [{ id: 'm1', role: 'tool' as const, toolCallId: 'p2', content: 'filled' }];
      unwrap(await one.approvals.keepAnswers(carl, { batchId: run.batchId, answers, runId: 'r2' }));
      await one.dispatch(run);
      await one.store(run.threadId, { riders: await one.approvals.sentFor(run.batchId) });
      const [record] = await recordsOf(run.threadId, 'resume.sent');
      expect(record).toMatchObject({
        after: {
          entries: [
            { interruptId: 'p1', status: 'resolved' },
            { toolCallId: 'p2', contentHash: expect.stringMatching(/^[0-9a-f]{64}$/u) as unknown },
          ],
        },
      });
    },
  );

  verifies(
    'APR-87',
    'that cannot be made waits for an operator, who sees why, and is not tried by itself',
    async () => {
      const run = await one.open({ ...transferOf(10), threadId: fresh('thread') });
      // What no version writes: it is to be sent, and its question is open.
      await one.redis.hset(batchKey(run.batchId), 'state', '{"state":"ready","attempt":0,"notBefore":0}');
      expect(await one.approvals.planDispatch(run.batchId)).toBeUndefined();
      const { items } = unwrap(await one.approvals.batches({ ...olga, tenant: 'bank' }, {}));
      expect(items.find(({ batchId }) => batchId === run.batchId)).toMatchObject({
        ...{ state: 'blocked', why: 'undeliverable', attempts: 0 },
        message: expect.stringContaining('not settled') as unknown,
      });
      expect(one.reports).toContain('approvals.undeliverable');
      expect(await one.approvals.planDispatch(run.batchId)).toBeUndefined();
      const retried = await one.approvals.mend(olga, run.batchId, { verb: 'retry' });
      expect(unwrap(retried).state).toBe('ready');
    },
  );

  verifies(
    'APR-87',
    'that was made and could not be begun waits too; one that was begun ends by its run',
    async () => {
      const run = await approved();
      await one.approvals.undeliverable(run.batchId, 'Error: no room');
      const blocked = unwrap(await one.approvals.mend(olga, run.batchId, { verb: 'retry' }));
      expect(blocked.state).toBe('ready');
      await one.dispatch(run);
      await one.approvals.undeliverable(run.batchId, 'Error: no room');
      expect(await one.approvals.batch(run.batchId, olga)).toMatchObject({ state: 'dispatching' });
    },
  );

  verifies(
    'APR-98',
    'that cannot be made for what fails beside its batch leaves the batch ready',
    async () => {
      const run = await approved();
      one.revocationsFail = new Error('WRONGTYPE of another key');
      await expect(one.approvals.planDispatch(run.batchId)).rejects.toThrow('WRONGTYPE');
      one.revocationsFail = undefined;
      expect(await one.approvals.batch(run.batchId, olga)).toMatchObject({ state: 'ready' });
      expect(await one.approvals.planDispatch(run.batchId)).toBeDefined();
    },
  );
});
