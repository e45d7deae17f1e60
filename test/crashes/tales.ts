/** The stories that go on while a process dies: what the agent asks for, and what people do. */
import type { TaskView } from '@triptych/protocol';
import type { Wish } from '../stand/asking-agent.js';
import type { People } from './people.js';
import type { Tale } from './points.js';

interface Story {
  readonly wishes: () => readonly Wish[];
  readonly live: (people: People, tasks: readonly TaskView[]) => Promise<void>;
}

/** Far enough for the run to be over by then, ms. */
const EXPIRES_IN_MS = 1_500;

const PAY: Wish = { tool: 'pay', args: { amount: 1 } };
const pay = (): readonly Wish[] => [PAY];

const first = ([task]: readonly TaskView[]): TaskView => {
  if (!task) throw new Error('Nothing was asked.');
  return task;
};

/** Its agent refuses the first answer it is given. */
const refused = async (people: People, task: TaskView, code: string): Promise<void> => {
  people.site.agent.refuses(people.threadId, code);
  await people.approve('ann', task);
};

export const TALES: Readonly<Record<Tale, Story>> = {
  reviewed: {
    wishes: () => [PAY, { tool: 'wire', args: { amount: 2 } }],
    live: async (people, [paying, wire]) => {
      if (!paying || !wire) return;
      await people.approve('ann', paying);
      await people.approve('ann', wire);
      await people.approve('bob', wire);
    },
  },
  expiring: {
    wishes: () => [{ ...PAY, expiresAt: new Date(Date.now() + EXPIRES_IN_MS).toISOString() }],
    live: () => Promise.resolve(),
  },
  answered: {
    wishes: () => [{ tool: 'ask', args: {}, reason: 'input_required' }],
    live: async (people, tasks) => {
      const payload = { said: 'so' };
      const resume = tasks.map(({ interruptId }) => ({ interruptId, status: 'resolved', payload }));
      await people.run(`${people.threadId}-a`, { resume });
    },
  },
  held: {
    wishes: () => [{ tool: 'hold', args: {} }],
    live: async (people, tasks) => void (await people.approve('ann', first(tasks))),
  },
  undone: {
    wishes: () => [{ tool: 'hold', args: {} }],
    live: async (people, tasks) => {
      const held = await people.approve('ann', first(tasks));
      const path = `/v1/approvals/${held.taskId}/undo`;
      const { code, value } = await people.told<TaskView>('ann', path, { rev: held.rev });
      // Who is back too late finds that the answer stands.
      if (code === 'ok' && value) await people.approve('ann', value);
      else if (code !== 'ALREADY_DECIDED') throw new Error(`To take it back was answered ${code}.`);
    },
  },
  reopened: {
    wishes: pay,
    live: async (people, tasks) => {
      await refused(people, first(tasks), 'INVALID_PAYLOAD');
      await people.approve('ann', await people.anew(first(tasks)));
    },
  },
  retried: {
    wishes: pay,
    live: async (people, tasks) => {
      await refused(people, first(tasks), 'E_DB');
      await people.mend(first(tasks), 'retry');
    },
  },
  closed: {
    wishes: pay,
    live: async (people, tasks) => {
      await refused(people, first(tasks), 'E_DB');
      await people.mend(first(tasks), 'mark-done');
    },
  },
  voided: {
    wishes: () => [PAY, PAY],
    live: async (people, tasks) => {
      const sub = `${people.threadId}-gone`;
      const [one, other] = tasks;
      if (!one || !other) return;
      await people.approve(await people.site.newcomer(sub), one);
      await people.insist('ada', '/v1/revocations', { sub });
      await people.approve('ann', other);
      await people.approve('ann', await people.anew(one));
    },
  },
};
