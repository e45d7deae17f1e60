/** Races of what is revoked, or asked for more strictly, with the sending of an answer: row 12. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ResumeEntry, TaskView } from '@triptych/protocol';
import { until } from '@triptych/testkit';
import type { Office } from '../stand/office.js';
import { expectOnce, freeze, type Race } from './race.js';
import { RULES, STRICTER_RULES } from './rules.js';
import { approveAs, newThread, PAY, say } from './words.js';

const ROUNDS = 3;
const LEND = { tool: 'lend', args: { amount: 1 } };

const actorOf = (entry: ResumeEntry | undefined): unknown =>
  (entry?.metadata?.hub as { actor?: unknown } | undefined)?.actor;

const sentBy = (office: Office, threadId: string): unknown =>
  actorOf(office.agent.resumesOf(threadId)[0]?.resume?.[0]);

const revoke = async (office: Office, sub: string): Promise<void> => {
  expect((await office.as('ada').ask('/v1/revocations', { sub })).code).toBe('ok');
};

/** It is in everybody's inbox again, and says why. */
const expectAnew = async (office: Office, { taskId, rev, threadId }: TaskView): Promise<TaskView> => {
  await until(async () => (await office.task(taskId)).batch.state === 'open');
  const task = await office.task(taskId);
  expect(task).toMatchObject({ rev: rev + 1, batch: { open: 1 } });
  expect(task.decision).toBeUndefined();
  expect(task.history).toContainEqual(
    expect.objectContaining({ action: 'void', by: 'hub', text: expect.any(String) as unknown }) as unknown,
  );
  const inbox = await office.as('bob').get<{ items: TaskView[] }>(`/v1/approvals?threadId=${threadId}`);
  expect(inbox.items.map((item) => item.taskId)).toContain(taskId);
  expect(office.agent.resumesOf(threadId)).toEqual([]);
  return task;
};

export const withStanding: readonly Race[] = [
  {
    row: 12,
    race: 'a voter revoked between decision and sending: the decision is void, the task open again, nothing was sent',
    run: async (office) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const threadId = newThread('revoked');
        const gone = await office.newcomer(`${threadId}-gone`);
        const [task] = (await office.ask(threadId, PAY)) as [TaskView];
        freeze(office, 'SIGSTOP');
        expect((await approveAs(gone, task)).code).toBe('ok');
        await revoke(office, `${threadId}-gone`);
        freeze(office, 'SIGCONT');
        const anew = await expectAnew(office, task);
        expect(anew).toMatchObject({ state: 'pending', votes: [] });
        expect((await say(office, anew, { who: 'ann' })).code).toBe('ok');
        await expectOnce(office, threadId);
        expect(sentBy(office, threadId)).toBe('ann');
      }
    },
  },
  {
    row: 12,
    race: 'a voter revoked in the very moment of sending: sent, or void and open again, never both',
    run: async (office) => {
      await Promise.all(
        [0, 5, 20, 80].map(async (offset) => {
          const threadId = newThread('revoked-at-once');
          const gone = await office.newcomer(`${threadId}-gone`);
          const [task] = (await office.ask(threadId, PAY)) as [TaskView];
          const approved = approveAs(gone, task);
          await pause(offset);
          const [{ code }] = await Promise.all([approved, revoke(office, `${threadId}-gone`)]);
          if (code === 'ok')
            await until(async () => ['done', 'open'].includes((await office.task(task.taskId)).batch.state));
          const now = await office.task(task.taskId);
          const isSent = now.batch.state === 'done';
          expect(office.agent.resumesOf(threadId)).toHaveLength(isSent ? 1 : 0);
          if (isSent) return;
          expect((await say(office, now, { who: 'ann' })).code).toBe('ok');
          await expectOnce(office, threadId);
          expect(sentBy(office, threadId)).toBe('ann');
        }),
      );
    },
  },
  {
    row: 12,
    race: 'a stricter policy comes into force while an answered question waits for another: it is asked again under that',
    run: async (office) => {
      const threadId = newThread('stricter');
      const [lend, pay] = (await office.ask(threadId, LEND, PAY)) as [TaskView, TaskView];
      expect((await say(office, lend, { who: 'ann' })).code).toBe('ok');
      await office.goBy(STRICTER_RULES);
      try {
        expect((await say(office, pay, { who: 'ann' })).code).toBe('ok');
        const anew = await expectAnew(office, lend);
        expect(anew).toMatchObject({ state: 'voting', quorum: { needed: 2, have: 1 } });
        expect((await say(office, anew, { who: 'bob' })).code).toBe('ok');
        await expectOnce(office, threadId);
        expect(sentBy(office, threadId)).toBe('bob');
      } finally {
        await office.goBy(RULES);
      }
    },
  },
];
