/** The whole way: an agent asks, the worker posts, somebody decides somewhere, and the card in Slack says so. */
import { verifies } from '../spec/verifies.js';
import { CHANNEL, SlackDesk } from './slack-desk.js';

const UP_MS = 120_000;
const TRY_MS = 90_000;

const RULES = `
    - { id: pay, match: { tool: pay }, chat: true }
`;
const SECRET = 'CH9300762011623852957';
const pay = (amount: number) => ({ tool: 'pay', args: { amount, iban: SECRET } });

let desk: SlackDesk;
beforeAll(async () => {
  desk = await SlackDesk.start({ rules: RULES, routed: true });
}, UP_MS);
afterAll(async () => {
  await desk?.stop();
}, UP_MS);

const asked = async (thread: string, amount: number): Promise<string> => {
  const [task] = await desk.office.ask(thread, pay(amount));
  return task?.taskId ?? '';
};
const isOver = (text: string): boolean => !text.includes('tt.approve');

describe('a task in Slack', () => {
  verifies(
    'BRG-58',
    'is there by itself, is decided there, and is told there',
    async () => {
      const taskId = await asked('in-slack', 5);
      const { ts } = await desk.shown(taskId);
      await desk.press('ann', ts, 'approve');
      const card = await desk.shown(taskId, isOver);
      expect(card.ts).toBe(ts);
      expect(JSON.stringify(card.blocks)).toContain('Approved by ANN');
    },
    TRY_MS,
  );

  verifies(
    'BRG-58',
    'loses its buttons when it is decided anywhere else (CH-09)',
    async () => {
      const taskId = await asked('on-the-web', 6);
      const { ts } = await desk.shown(taskId);
      const { rev, proposalHash } = await desk.office.task(taskId);
      const decision = { verb: 'approve', rev, proposalHash };
      expect((await desk.office.as('bob').ask(`/v1/approvals/${taskId}/decide`, decision)).code).toBe('ok');
      const card = await desk.shown(taskId, isOver);
      expect(card.ts).toBe(ts);
      expect(JSON.stringify(card.blocks)).toContain('Approved by BOB');
    },
    TRY_MS,
  );

  verifies(
    'BRG-58',
    'is there once though the answer to its post was lost, or Slack was away',
    async () => {
      desk.slack.faults.next('chat.postMessage', 'drop-reply');
      const lost = await asked('lost', 7);
      expect((await desk.shown(lost)).channel).toBe(CHANNEL);
      desk.slack.faults.next('chat.postMessage', 'reset', 2);
      const away = await asked('away', 8);
      await desk.shown(away);
      const { ts } = await desk.shown(lost);
      await desk.press('ann', ts, 'approve');
      await desk.shown(lost, isOver);
    },
    TRY_MS,
  );

  verifies(
    'BRG-58',
    'is nowhere shown with what its channel may not see (threat 14)',
    async () => {
      await desk.shown(await asked('hidden', 9));
      const sent = JSON.stringify(desk.slack.calls.map(({ args }) => args));
      expect(sent).toContain('[redacted]');
      expect(sent).not.toContain(SECRET);
    },
    TRY_MS,
  );
});
