/** What tests of deadlines wait for, and what they count in the end. */
import type { TaskView } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import type { Office } from '../stand/office.js';
import { outboxOf } from '../stand/outbox.js';

const PAY = { tool: 'pay', args: { amount: 1 } };

/** One task each, that its agent wants to be answered until then. */
export const askUntil = async (office: Office, threads: readonly string[], expiresAt: number) => {
  const ends = new Date(expiresAt).toISOString();
  const asked = threads.map((threadId) => office.ask(threadId, { ...PAY, expiresAt: ends }));
  const tasks = (await Promise.all(asked)).flat();
  expect(tasks.map(({ threadId }) => threadId)).toEqual(threads);
  return tasks;
};

/** The store's time, ms. */
export const storeNow = async ({ redis }: Office): Promise<number> => {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
};

export const storePast = (office: Office, at: number): Promise<void> =>
  until(async () => (await storeNow(office)) > at);

/** All of them ended by the clock, not before it, once, and their agent was told once that nobody answered. */
export const expectExpiredOnce = async (office: Office, tasks: readonly TaskView[]): Promise<void> => {
  await until(async () =>
    (await Promise.all(tasks.map(({ taskId }) => office.task(taskId)))).every(
      ({ batch }) => batch.state === 'done',
    ),
  );
  for (const { taskId, threadId } of tasks) {
    const { decision, expiresAt } = await office.task(taskId);
    expect(decision?.kind).toBe('expired');
    expect(decision?.at).toBeGreaterThanOrEqual(expiresAt);
    const lines = await outboxOf(office.redis, threadId);
    const count = (action: string): number => lines.filter((line) => line.action === action).length;
    expect({ expired: count('expired'), ready: count('ready'), done: count('done') }).toEqual({
      expired: 1,
      ready: 1,
      done: 1,
    });
    const resumes = office.agent
      .resumesOf(threadId)
      .map(({ resume = [] }) => resume.map(({ status }) => status));
    expect(resumes).toEqual([['cancelled']]);
  }
};

/** Decided once by who said so, and told once. */
export const expectApprovedOnce = async (office: Office, tasks: readonly TaskView[]): Promise<void> => {
  await until(async () =>
    (await Promise.all(tasks.map(({ taskId }) => office.task(taskId)))).every(
      ({ batch }) => batch.state === 'done',
    ),
  );
  for (const { threadId } of tasks) {
    const resumes = office.agent
      .resumesOf(threadId)
      .map(({ resume = [] }) => resume.map(({ payload }) => payload));
    expect(resumes).toEqual([[{ approved: true }]]);
  }
};
