/** Queues and timers, as others saw them go wrong: ids, deadlines far away or long past, jobs done twice. */
import type { AguiEvent, TaskView } from '@triptych/protocol';
import { MO, until, type Person } from '@triptych/testkit';
import { bullKnocks } from '@triptych/approvals';
import { Redis } from 'ioredis';
import { verifies } from '../spec/verifies.js';
import { Caller } from '../stand/caller.js';
import { outboxOf } from '../stand/outbox.js';
import { FieldStage, STAGE_MS } from './stage.js';
import { finished, started } from './words.js';

const ANA: Person = { sub: 'ana', roles: ['reviewer'] };
const DAY_MS = 86_400_000;
const LONGEST_NODE_TIMER_MS = 2 ** 31 - 1;
const DELAYED = 'bull:hub-timer:delayed';

let stage: FieldStage;
let redis: Redis;
beforeAll(async () => {
  stage = await FieldStage.start();
  redis = new Redis(stage.product.redisUrl());
}, STAGE_MS);
afterAll(async () => {
  redis?.disconnect();
  await stage?.stop();
}, STAGE_MS);

const asks = (thread: string, ids: readonly string[], expiresAt?: string): readonly AguiEvent[] => {
  const interrupts = ids.map((id) => ({
    id,
    reason: 'confirmation',
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }));
  return [started(thread), finished(thread, 'run-1', { outcome: { type: 'interrupt', interrupts } })];
};
const caller = async (person: Person): Promise<Caller> =>
  new Caller(stage.product.url, await stage.product.token(person));
const ANY = 'state=pending,decided,dispatched,closed,expired';
const tasksOf = async (thread: string): Promise<readonly TaskView[]> =>
  (
    await (
      await caller(MO)
    ).get<{ items: TaskView[] }>(`/v1/approvals?threadId=${encodeURIComponent(thread)}&${ANY}`)
  ).items;
const ask = async (thread: string, events: readonly AguiEvent[]): Promise<readonly TaskView[]> => {
  await stage.open(thread);
  stage.agent.tell(thread, events);
  await stage.run(thread, 'run-1');
  return tasksOf(thread);
};
/** How many of its tasks are over by themselves. */
const expiredOn = async (thread: string): Promise<number> =>
  (await tasksOf(thread)).filter(({ decision }) => decision?.kind === 'expired').length;
const delayed = async (): Promise<number> => redis.zcard(DELAYED);

describe('the queue', () => {
  verifies(
    'HUB-106',
    'QT-01: takes a timer for every interrupt, whatever the agent calls it and its thread',
    async () => {
      const before = await delayed();
      const thread = 'thr:eu:7';
      await ask(thread, asks(thread, ['12345', 'ns:approve']));
      await until(async () => (await delayed()) === before + 2);
      const soon = 'thr:eu:8';
      await ask(soon, asks(soon, ['12345', 'ns:approve'], new Date(Date.now() + 1_500).toISOString()));
      await until(async () => (await expiredOn(soon)) === 2);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-106',
    'QT-05: forgets what it has done, and still nothing is done again',
    async () => {
      const thread = 'qt-05';
      const [task] = (await ask(thread, asks(thread, ['i1']))) as [TaskView];
      const { taskId, rev, proposalHash, batch } = task;
      stage.agent.tell(thread, (response, { threadId, runId }) => {
        const over = [started(threadId, runId), finished(threadId, runId)];
        response.end(over.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
      });
      const click = async () =>
        (await caller(ANA)).ask<TaskView>(`/v1/approvals/${taskId}/decide`, {
          verb: 'approve',
          rev,
          proposalHash,
        });
      const first = await click();
      expect(first.code).toBe('ok');
      await until(async () => (await tasksOf(thread))[0]?.batch.state === 'done');
      await until(async () => (await redis.keys('bull:hub-resume:rs-*')).length === 0);
      const { hostname: host, port } = new URL(stage.product.redisUrl());
      const knocks = bullKnocks({ host, port: Number(port) });
      await knocks.dispatch(batch.batchId, 1);
      const second = await click();
      expect(second.value?.decision).toEqual(first.value?.decision);
      await until(async () => (await redis.keys('bull:hub-resume:rs-*')).length === 0);
      await knocks.close();
      expect(
        stage.agent.heard.filter(({ threadId, resume = [] }) => threadId === thread && resume.length > 0),
      ).toHaveLength(1);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-106',
    'QT-11: does not double what is told twice: the same end again, and the same run asked for again, are three tasks',
    async () => {
      const thread = 'qt-11';
      const [start, end] = asks(thread, ['i1', 'i2', 'i3']) as [AguiEvent, AguiEvent];
      await ask(thread, [start, end, end]);
      await stage.run(thread, 'run-1');
      expect((await tasksOf(thread)).map(({ interruptId }) => interruptId).toSorted()).toEqual([
        'i1',
        'i2',
        'i3',
      ]);
      const opened = (await outboxOf(redis, thread)).filter(({ action }) => action === 'opened');
      expect(opened).toHaveLength(3);
    },
    STAGE_MS,
  );
});

describe('a deadline', () => {
  verifies(
    'HUB-106',
    'QT-08: further away than a timer can count is not over at once',
    async () => {
      const thread = 'qt-08';
      const month = new Date(Date.now() + 29.9 * DAY_MS).toISOString();
      const [task] = (await ask(thread, asks(thread, ['i1'], month))) as [TaskView];
      expect(task.expiresAt - Date.now()).toBeGreaterThan(LONGEST_NODE_TIMER_MS);
      // Another one that is due passes through queue and sweep meanwhile.
      const other = 'qt-08-other';
      await ask(other, asks(other, ['i1'], new Date(Date.now() + 1_500).toISOString()));
      await until(async () => (await expiredOn(other)) === 1);
      expect(await tasksOf(thread)).toMatchObject([{ state: 'pending' }]);
    },
    STAGE_MS,
  );

  verifies(
    'HUB-106',
    'QT-09: that is past is over at once: nobody can approve, it ends once, and no job is left that spins',
    async () => {
      const thread = 'qt-09';
      const [task] = (await ask(thread, asks(thread, ['i1'], '2020-01-01T00:00:00Z'))) as [TaskView];
      const { taskId, rev, proposalHash } = task;
      const told = await (
        await caller(ANA)
      ).ask(`/v1/approvals/${taskId}/decide`, { verb: 'approve', rev, proposalHash });
      expect(told.code).toBe('EXPIRED');
      await until(async () => (await expiredOn(thread)) === 1);
      const expired = (await outboxOf(redis, thread)).filter(({ action }) => action === 'expired');
      expect(expired).toHaveLength(1);
      await until(
        async () =>
          (await redis.llen('bull:hub-timer:wait')) + (await redis.llen('bull:hub-timer:active')) === 0,
      );
    },
    STAGE_MS,
  );
});
