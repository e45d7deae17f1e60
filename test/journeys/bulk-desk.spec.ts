import type { TaskView } from '@triptych/protocol';
import { AMELIA, Product, type Person } from '@triptych/testkit';
import type { Browser, Page } from 'playwright-core';
import { verifies } from '../spec/verifies.js';
import { findingsOn, scrollsSideways } from './axe.js';
import { chromiumPath, NARROW, openBrowser, openPage } from './pages.js';

const STORY_MS = 120_000;

let product: Product;
let browser: Browser;

beforeAll(async () => {
  if (!chromiumPath) return;
  product = await Product.start();
  browser = await openBrowser();
}, STORY_MS);
afterAll(async () => {
  await browser?.close();
  await product?.stop();
}, STORY_MS);

const RUTH: Person = { sub: 'ruth', roles: ['supervisor'], groups: ['refunds'], name: 'Ruth Okafor' };

const askForRefund = async (nth: number): Promise<void> => {
  const token = await product.token(AMELIA);
  const body = {
    threadId: `refund-${nth}`,
    runId: `run-${nth}`,
    messages: [{ id: `message-${nth}`, role: 'user', content: 'My parcel never came' }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  };
  await (await product.fetch('/v1/agents/refund/run', { body, token })).text();
};

/** Somebody else is faster with one of them. */
const decideElsewhere = async (): Promise<void> => {
  const token = await product.token(RUTH);
  const { items } = await product.json<{ items: readonly TaskView[] }>('/v1/approvals', { token });
  const { taskId, rev, proposalHash } = items[0]!;
  const body = { verb: 'approve', proposalHash };
  const headers = { 'if-match': `"${rev}"` };
  const answer = await product.fetch(`/v1/approvals/${taskId}/decide`, { body, token, headers });
  expect(answer.status).toBe(200);
};

const rows = (page: Page) => page.locator('#tasks .task');

describe('several tasks at once', () => {
  verifies(
    'WEB-60',
    'keys alone pick three refunds, and one act approves those nobody else decided meanwhile',
    async () => {
      if (!chromiumPath) return console.log('skipped: no chromium on this machine');
      for (const nth of [1, 2, 3]) await askForRefund(nth);
      const tove = await openPage(browser, `${product.url}/reviewer`);
      await rows(tove.page).nth(2).waitFor();
      for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await tove.page.keyboard.press(key);
      await tove.page.getByText('3 selected').waitFor();
      await tove.page.getByRole('heading', { name: '3 requests' }).waitFor();
      expect(await findingsOn(tove.page)).toEqual([]);
      await tove.page.setViewportSize(NARROW);
      await tove.page.getByRole('button', { name: 'Decide' }).click();
      await tove.page.getByRole('heading', { name: '3 requests' }).waitFor();
      expect([await findingsOn(tove.page), await scrollsSideways(tove.page)]).toEqual([[], false]);
      await decideElsewhere();
      await tove.page.getByRole('button', { name: 'Approve 2 of 3' }).waitFor();
      await tove.page.keyboard.press('a');
      await tove.page.getByText('2 approved.', { exact: true }).first().waitFor();
      await tove.page.locator('.bulk-table').getByText('Approved and carried out').nth(2).waitFor();
      expect(tove.complaints).toEqual([]);
    },
    STORY_MS,
  );

  verifies(
    'WEB-61',
    'a supervisor gives a task to a colleague, who sees whose it is, and moves when it is due',
    async () => {
      if (!chromiumPath) return console.log('skipped: no chromium on this machine');
      await askForRefund(4);
      const { page, complaints } = await openPage(browser, `${product.url}/reviewer`);
      await page.getByRole('combobox').selectOption('ruth');
      await rows(page).first().click();
      await page.getByRole('button', { name: 'Give it to someone' }).click();
      await page.getByRole('textbox', { name: 'User id of a colleague' }).fill('tove');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Take it back' }).waitFor();
      await page.getByRole('button', { name: '+1 h' }).click();
      await page.getByText('moved when it is due').waitFor();
      expect([await findingsOn(page), complaints]).toEqual([[], []]);
      await page.getByRole('combobox').selectOption('tove');
      await rows(page).first().click();
      await page.getByRole('heading', { name: 'Given to' }).waitFor();
      expect(await page.getByRole('button', { name: 'Give it to someone' }).count()).toBe(0);
    },
    STORY_MS,
  );
});
