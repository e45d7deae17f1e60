/** One row of the table of races: what happens at once, and what must come of it. */
import { until } from '@triptych/testkit';
import type { Office } from '../stand/office.js';

export interface Race {
  readonly row: number;
  readonly race: string;
  readonly run: (office: Office) => Promise<void>;
}

/** The thread's batch comes to its end, and its agent has heard one resume. */
export const expectOnce = async (office: Office, threadId: string): Promise<void> => {
  await until(async () => (await office.tasksOf(threadId)).every(({ batch }) => batch.state === 'done'));
  expect(office.agent.resumesOf(threadId)).toHaveLength(1);
};

/** All workers stand still, or go on. */
export const freeze = (office: Office, name: 'SIGSTOP' | 'SIGCONT'): void => {
  for (const { process } of office.house.workers) process.signal(name);
};
