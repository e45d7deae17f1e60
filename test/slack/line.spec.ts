/** Slack on a socket that the hub opened: the same people, the same buttons, and no address that Slack must reach. */
import { until } from '@triptych/testkit';
import { APP_TOKEN } from '../fakes/slack/lines.js';
import { verifies } from '../spec/verifies.js';
import { SlackDesk } from './slack-desk.js';

const UP_MS = 240_000;
const TRY_MS = 120_000;
const RULES = `
    - { id: pay, match: { tool: pay }, chat: true }
`;

let desk: SlackDesk;
beforeAll(async () => {
  const env = { SLACK_APP_TOKEN: APP_TOKEN, SLACK_SIGNING_SECRET: '' };
  desk = await SlackDesk.start({ rules: RULES, env });
  await until(() => desk.slack.lines.open.size === 1);
}, UP_MS);
afterAll(() => desk?.stop(), UP_MS);

const lines = () => desk.slack.lines;
const decisionOf = async (taskId: string) => (await desk.office.task(taskId)).decision;

describe('a line to Slack', () => {
  verifies(
    'BRG-126',
    'brings what is pressed, acknowledged first and done once though it is said twice',
    async () => {
      const { task, ts } = await desk.card('line-1', { tool: 'pay', args: { amount: 5 } });
      desk.slack.hub.copies = 2;
      expect(await desk.press('ann', ts, 'approve')).toMatchObject({ status: 200 });
      desk.slack.hub.copies = 1;
      await until(async () => (await decisionOf(task.taskId)) !== undefined);
      expect(await decisionOf(task.taskId)).toMatchObject({ kind: 'approved', by: ['ann'] });
      expect(desk.slack.hub.late).toEqual([]);
    },
    TRY_MS,
  );

  verifies(
    'BRG-126',
    'answers a modal in its acknowledgement, and whoever is linked to nobody where only they see it',
    async () => {
      const { task, ts } = await desk.card('line-2', { tool: 'pay', args: { amount: 5 } });
      await desk.press('nobody', ts, 'approve');
      await until(() => desk.slack.world.ephemerals.some(({ user }) => user === 'U0NOBODY'));
      await desk.press('ann', ts, 'reject');
      await until(() => desk.slack.world.views.size === 1);
      const [view] = [...desk.slack.world.views.values()];
      const values = { 'f.0': 'Too much.' };
      const ack = await desk.slack.hub.submit({ view: view!.id, values });
      expect(ack).toMatchObject({ status: 200, body: {} });
      expect(await decisionOf(task.taskId)).toMatchObject({ kind: 'rejected', reason: 'Too much.' });
    },
    TRY_MS,
  );

  verifies(
    'BRG-126',
    'is opened anew when Slack ends it or it breaks, and is the only door where nothing is signed',
    async () => {
      for (const end of [() => lines().disconnect('refresh_requested'), () => lines().stop()]) {
        const [before] = lines().open;
        end();
        await until(() => [...lines().open].some((line) => line !== before));
      }
      const { task, ts } = await desk.card('line-3', { tool: 'pay', args: { amount: 5 } });
      await desk.press('ann', ts, 'approve');
      await until(async () => (await decisionOf(task.taskId)) !== undefined);
      const url = `${desk.office.house.hub.directUrl}/v1/bridges/slack/interactions`;
      const body = 'payload=%7B%7D';
      const headers = { ...desk.slack.hub.signed(body, { secret: '' }), 'content-type': 'text/plain' };
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(404);
    },
    TRY_MS,
  );
});
