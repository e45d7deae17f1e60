/** The channel as a page: what is on it, and that what is pressed there reaches the hub as Slack would tell it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseSlackInteraction, slackModal, type SlackInteraction } from '@triptych/bridges';
import { until } from '@triptych/testkit';
import type { Browser } from 'playwright-core';
import { taskWith } from '../../../libs/bridges/test/slack-task.js';
import { slackCard } from '../../../libs/bridges/src/slack/core/card.js';
import { chromiumPath, openBrowser, openPage } from '../../journeys/pages.js';
import { verifies } from '../../spec/verifies.js';
import type { Members } from './answers.js';
import { FakeSlack } from './fake-slack.js';
import { bodyOf } from './request.js';
import { TEAM } from './world.js';

const TRY_MS = 90_000;
const LINK = 'https://hub.example/reviewer?task=b.1';

let slack: FakeSlack;
let hub: Server;
let browser: Browser | undefined;
const heard: SlackInteraction[] = [];

beforeAll(async () => {
  if (!chromiumPath) return;
  slack = await FakeSlack.start();
  slack.world.addChannel('C0DESK', 'desk');
  for (const [id, name] of [
    ['U0TOVE', 'Tove'],
    ['U0JAN', 'Jan'],
  ] as const)
    slack.world.addPerson({ id, name, team: TEAM });
  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const read = parseSlackInteraction((await bodyOf(request)).toString());
    if (read.ok) heard.push(read.value);
    response.end();
  };
  hub = createServer((request, response) => void hear(request, response)).listen(0, '127.0.0.1');
  await once(hub, 'listening');
  slack.hub.hubUrl = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  browser = await openBrowser();
}, TRY_MS);
afterAll(async () => {
  await browser?.close();
  hub?.close();
  await slack?.stop();
}, TRY_MS);

const cardFor = (message: string) =>
  slackCard({ task: taskWith({ message }), names: {}, chat: true, link: LINK, value: 't1.b.1.3.seal' });

describe('the page of the fake Slack', () => {
  verifies(
    'BRG-57',
    'shows cards as they are, and presses buttons and modals as whoever is chosen',
    async () => {
      if (!browser) return console.log('skipped: no chromium on this machine');
      const { text, blocks } = cardFor('Is <b>this</b> fine?');
      slack.world.post({ channel: 'C0DESK', text, blocks: blocks as unknown as Members[] });
      const { page, complaints } = await openPage(browser, slack.url);
      await page.getByText('The agent says: Is <b>this</b> fine?').waitFor();
      await page.getByLabel('You are').selectOption({ label: 'Jan' });
      page.on('dialog', (dialog) => void dialog.accept());
      await page.getByRole('button', { name: 'Approve' }).click();
      await until(() => heard.length === 1);
      expect(heard[0]).toMatchObject({ kind: 'click', act: 'approve', by: { user: 'U0JAN' } });
      const from = { value: 't1.b.1.3.seal', channel: 'C0DESK' };
      const view = slackModal('reject', { task: taskWith(), from, link: LINK, showsAll: true });
      slack.world.views.set('V1', { id: 'V1', user: 'U0JAN', hash: 'h', view: view as unknown as Members });
      await page.getByLabel('Reason').fill('too much');
      if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE, fullPage: true });
      await page.getByRole('button', { name: 'Reject', exact: true }).click();
      await until(() => heard.length === 2);
      expect(JSON.stringify(heard[1])).toContain('too much');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      expect(complaints).toEqual([]);
    },
    TRY_MS,
  );
});
