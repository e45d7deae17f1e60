/** Races of people with what the house does by itself: rows 7, 9 to 11 and 13. */
import { bullKnocks } from '@triptych/approvals';
import { threadTag } from '@triptych/platform';
import type { TaskView } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import { batchIdOf, taskIdOf } from '../../libs/approvals/src/core/ids.js';
import type { Office } from '../stand/office.js';
import { expectOnce, freeze, type Race } from './race.js';
import { newThread, PAY, say } from './words.js';

const ROUNDS = 5;
const DAY_MS = 86_400_000;

const connectionOf = (office: Office) => {
  const { hostname: host, port } = new URL(office.house.redis.url);
  return { host, port: Number(port) };
};

/** Knocks for one batch as often as if every attempt of it had been due. */
const knockOften = async (office: Office, batchId: string): Promise<void> => {
  const knocks = bullKnocks(connectionOf(office));
  await Promise.all(Array.from({ length: 20 }, (_, nth) => knocks.dispatch(batchId, nth + 1)));
  await knocks.close();
};

const messageOf = (threadId: string, nth: number) => ({
  threadId,
  runId: `${threadId}-m${nth}`,
  messages: [{ id: `${threadId}-m${nth}`, role: 'user', content: 'well?' }],
  tools: [],
  context: [],
});

export const withTheMachinery: readonly Race[] = [
  {
    row: 7,
    race: 'decide before any list shows the task: whoever sees the run’s end can decide, by the id alone',
    run: async (office) => {
      const operator = await office.screen('operator', 'mo');
      for (let round = 0; round < ROUNDS; round += 1) {
        const threadId = newThread('early');
        const [runId, toolCallId] = [`${threadId}-r`, `${threadId}-r-call-1`];
        await office.as('amelia').ask('/v1/threads', { threadId, agentId: 'asking' });
        await operator.subscribe(threadId);
        const asked = office.ask(threadId, PAY);
        await operator.until(threadId, ({ pending }) => pending !== undefined);
        const taskId = taskIdOf(batchIdOf(threadTag(threadId), runId), toolCallId);
        await office.redis.zrem('tt:inbox:default', taskId);
        const told = await office.as('ann', 1).ask<TaskView>(`/v1/approvals/${taskId}`);
        expect(told.code).toBe('ok');
        expect((await say(office, told.value as TaskView, { who: 'ann', at: 1 })).code).toBe('ok');
        await asked;
        await expectOnce(office, threadId);
      }
      await operator.close();
    },
  },
  {
    row: 9,
    race: 'two dispatchers: of twenty knocks at two workers one sends',
    run: async (office) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const threadId = newThread('knocks');
        const [task] = (await office.ask(threadId, PAY)) as [TaskView];
        freeze(office, 'SIGSTOP');
        expect((await say(office, task, { who: 'ann' })).code).toBe('ok');
        await knockOften(office, task.batch.batchId);
        freeze(office, 'SIGCONT');
        await expectOnce(office, threadId);
      }
    },
  },
  {
    row: 10,
    race: 'a message while a batch is open, or in the moment it opens: RESUME_REQUIRED or busy, never a run',
    run: async (office) => {
      const threadId = newThread('message');
      const asked = office.ask(threadId, PAY);
      const heard: string[] = [];
      for (let nth = 0; heard.at(-1) !== 'RESUME_REQUIRED'; nth += 1) {
        const told = await office.as('amelia', nth).ask('/v1/agents/asking/run', messageOf(threadId, nth));
        heard.push(told.code);
        expect(['THREAD_BUSY', 'RESUME_REQUIRED', 'NOT_FOUND']).toContain(told.code);
      }
      const [task] = (await asked) as [TaskView];
      const again = await Promise.all(
        [101, 102, 103].map((nth) =>
          office.as('amelia', nth).ask('/v1/agents/asking/run', messageOf(threadId, nth)),
        ),
      );
      for (const told of again)
        expect(told).toMatchObject({ code: 'RESUME_REQUIRED', details: { open: [expect.any(String)] } });
      expect((await say(office, task, { who: 'ann' })).code).toBe('ok');
      await expectOnce(office, threadId);
      expect(office.agent.calls.filter((input) => input.threadId === threadId)).toHaveLength(2);
    },
  },
  {
    row: 11,
    race: 'a RUN_ERROR after the end that asked: the run has failed, its questions stay open and are answered',
    run: async (office) => {
      const threadId = newThread('late-error');
      const runId = `${threadId}-r`;
      const interrupts = [{ id: 'i1', reason: 'confirmation' }];
      office.told.tell(
        threadId,
        [
          { type: 'RUN_STARTED', threadId, runId },
          { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'interrupt', interrupts } },
          { type: 'RUN_ERROR', message: 'too late', code: 'oops' },
        ],
        (response, input) => {
          const over = ['RUN_STARTED', 'RUN_FINISHED'].map((type) => ({
            type,
            threadId,
            runId: input.runId,
          }));
          response.end(over.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
        },
      );
      const [task] = (await office.run('told', threadId)) as [TaskView];
      const path = `/v1/threads/${threadId}/runs/${runId}`;
      await until(async () => (await office.as('mo').get<{ status: string }>(path)).status === 'failed');
      expect(await office.task(task.taskId)).toMatchObject({ state: 'pending', batch: { state: 'open' } });
      expect((await say(office, task, { who: 'ann' })).code).toBe('ok');
      await until(async () => (await office.task(task.taskId)).batch.state === 'done');
      const resumes = office.told.heard.filter(
        (input) => input.threadId === threadId && input.resume?.length,
      );
      expect(resumes).toHaveLength(1);
    },
  },
  {
    row: 13,
    race: '`expiresAt` missing: the rule’s time; unreadable: that, and the history says so; past: expired at once',
    run: async (office) => {
      const threadId = newThread('expiry');
      const wishes = [undefined, 'soon', '2020-01-01T00:00:00Z'].map((expiresAt) => ({
        ...PAY,
        ...(expiresAt === undefined ? {} : { expiresAt }),
      }));
      const tasks = await office.ask(threadId, ...wishes);
      const [missing, unreadable, past] = tasks as [TaskView, TaskView, TaskView];
      for (const { createdAt, expiresAt } of [missing, unreadable])
        expect(expiresAt - createdAt).toBe(30 * DAY_MS);
      const { history = [] } = await office.task(unreadable.taskId);
      expect(history.map(({ action }) => action)).toContain('expiry-unreadable');
      expect((await say(office, past, { who: 'ann' })).code).toBe('EXPIRED');
      expect(await office.task(past.taskId)).toMatchObject({ decision: { kind: 'expired' } });
      for (const task of [missing, unreadable])
        expect((await say(office, task, { who: 'ann' })).code).toBe('ok');
      await expectOnce(office, threadId);
      const entries = office.agent.resumesOf(threadId)[0]?.resume ?? [];
      expect(entries.map(({ status }) => status)).toEqual(['resolved', 'resolved', 'cancelled']);
    },
  },
];
