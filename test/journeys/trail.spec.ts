/** Proves on the real product that whoever did something is in the trail, by whichever door it was done. */
import { threadTrail } from '@triptych/platform';
import { trailRecordIn, type TaskView, type TrailRecord } from '@triptych/protocol';
import { AMELIA, JAN, TOVE, until, type Person } from '@triptych/testkit';
import { Redis } from 'ioredis';
import { verifies } from '../spec/verifies.js';
import { product } from './the-product.js';

const JOURNEY_MS = 120_000;
const THREAD = 'journey-trail';

const unsealed = async (thread: string): Promise<TrailRecord[]> => {
  const redis = new Redis(product.redisUrl());
  const entries = await redis.xrange(threadTrail(thread), '-', '+');
  redis.disconnect();
  return entries.map(([id, [, text = '']]) => trailRecordIn(id, text));
};

const runOf = async (person: Person, body: object): Promise<string> => {
  const token = await product.token(person);
  const input = { threadId: THREAD, messages: [], tools: [], context: [], ...body };
  return (await product.fetch('/v1/agents/onboarding/run', { token, body: input })).text();
};

const only = (records: readonly TrailRecord[], action: string): TrailRecord => {
  const found = records.filter((record) => record.action === action);
  if (found.length !== 1) throw new Error(`${found.length} records of ${action}`);
  return found[0]!;
};

describe('the trail', () => {
  verifies(
    'AUD-2',
    'names who decided by which door, and what the hub and its worker did by themselves',
    async () => {
      await runOf(AMELIA, {
        runId: 'r1',
        messages: [{ id: 'm', role: 'user', content: 'open an account with 2 million' }],
      });
      const path = `/v1/approvals?threadId=${THREAD}`;
      const { items } = await product.json<{ items: TaskView[] }>(path, { token: await product.token(TOVE) });
      const [task] = items;
      if (!task) throw new Error('nothing was asked');

      const claimed = await fetch(`${product.url}/v1/approvals/${task.taskId}/claim`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await product.token(TOVE)}`,
          'x-request-id': 'desk-7',
          'user-agent': 'Desk/1.0',
          'sec-fetch-site': 'same-origin',
        },
      });
      expect(claimed.status).toBe(200);
      const screen = await product.screen('reviewer', TOVE);
      await screen.ask('task.release', { taskId: task.taskId });
      await screen.close();
      const { interruptId, rev, proposalHash } = task;
      const answer = { interruptId, status: 'resolved', payload: { approved: true } };
      await runOf(JAN, { runId: 'r2', resume: [{ ...answer, metadata: { hub: { proposalHash } } }] });
      expect(rev).toBe(1);
      await until(async () => (await unsealed(THREAD)).some(({ action }) => action === 'batch.done'));

      const records = await unsealed(THREAD);
      expect(only(records, 'task.open').actor).toEqual({ id: 'hub', via: 'system' });
      expect(only(records, 'task.claim')).toMatchObject({
        actor: { id: TOVE.sub, role: 'reviewer', via: 'web' },
        requestId: 'desk-7',
        ip: expect.stringContaining('127.0.0.1'),
        ua: 'Desk/1.0',
      });
      const released = only(records, 'task.release');
      expect(released.actor).toEqual({ id: TOVE.sub, role: 'reviewer', via: 'api' });
      expect(released.requestId).toMatch(/^[^/]+\/[^/]+$/u);
      expect(only(records, 'task.approve')).toMatchObject({
        actor: { id: JAN.sub, role: 'reviewer', via: 'agui' },
        subject: { thread: THREAD, run: 'r1', task: task.taskId, interrupt: interruptId },
        after: { decision: { kind: 'approved', by: [JAN.sub] } },
        ip: expect.any(String),
      });
      for (const action of ['batch.dispatching', 'batch.running', 'batch.done'])
        expect(only(records, action).actor).toEqual({ id: 'hub', via: 'system' });
      const times = records.map(({ at }) => at);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    },
    JOURNEY_MS,
  );
});
