/** Proves the console's page of the trail: found, opened, verified in the browser, and shut to all but auditors. */
import { readFile } from 'node:fs/promises';
import { AMELIA, Product, TOVE, until, type Person } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
import { Redis } from 'ioredis';
import type { Browser, Page } from 'playwright-core';
import { verifies } from '../spec/verifies.js';
import { chromiumPath, openBrowser, openPage } from './pages.js';

const JOURNEY_MS = 180_000;
const THREAD = 'audited';
const CHAIN = 'tt:trail:{default}:chain';
const AUDA: Person = { sub: 'auda', roles: ['auditor'] };

let product: Product;
let browser: Browser;
let taskId: string;

const audit = async <T>(path: string): Promise<T> =>
  product.json<T>(`/v1/audit${path}`, { token: await product.token(AUDA) });

/** One task, asked for and approved, and sealed with a checkpoint behind it. */
beforeAll(async () => {
  if (!chromiumPath) return;
  product = await Product.start({ SPEED: '0.2' });
  browser = await openBrowser();
  const screen = await product.screen('customer', AMELIA);
  const messages = [{ id: 'm', role: 'user', content: 'open an account with 2 million' }];
  await screen.ask('run', { agentId: 'onboarding', threadId: THREAD, runId: 'r', messages });
  await screen.close();
  const token = await product.token(TOVE);
  const tasks = async () =>
    (await product.json<{ items: TaskView[] }>(`/v1/approvals?threadId=${THREAD}`, { token })).items;
  await until(async () => (await tasks()).length > 0);
  const [task] = await tasks();
  taskId = task?.taskId ?? '';
  await product.fetch(`/v1/approvals/${taskId}/decide`, {
    token,
    headers: { 'if-match': `"${task?.rev}"` },
    body: { verb: 'approve', proposalHash: task?.proposalHash },
  });
  await until(async () => (await audit<{ items: object[] }>('?action=task.approve')).items.length > 0);
  await until(async () => (await audit<{ items: object[] }>('/checkpoints')).items.length > 0);
}, JOURNEY_MS);
afterAll(async () => {
  await browser?.close();
  await product?.stop();
}, JOURNEY_MS);

const inBrowser = (id: string, name: string, body: () => Promise<void>): void =>
  verifies(
    id,
    name,
    async () => {
      if (!chromiumPath) return console.log('skipped: no chromium on this machine');
      await body();
    },
    JOURNEY_MS,
  );

/** As somebody who operates and audits; `before` runs before any script of the page. */
const asAuditor = async (query = '', before = '') => {
  const { page, complaints } = await openPage(browser, `${product.url}/`);
  await page.addInitScript(`sessionStorage.setItem('triptych.persona.operator', 'ada'); ${before}`);
  await page.goto(`${product.url}/operator?view=trail${query}`);
  return { page, complaints };
};
const rows = (page: Page) => page.getByRole('list', { name: 'Records, newest first' }).getByRole('link');
const openRecord = (page: Page, action: string): Promise<void> =>
  rows(page).filter({ hasText: action }).first().click();

describe('the page of the trail', () => {
  inBrowser('WEB-85', 'lists what was done, filters it, and keeps the filter in the address', async () => {
    const { page, complaints } = await asAuditor();
    await rows(page).filter({ hasText: 'task.approve' }).first().waitFor();
    const all = await rows(page).count();
    await page.getByLabel('Who', { exact: true }).fill('tove');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await until(async () => (await rows(page).count()) < all);
    for (const row of await rows(page).all()) expect(await row.textContent()).toContain('Tove');
    expect(new URL(page.url()).searchParams.get('who')).toBe('tove');
    await page.reload();
    await rows(page).first().waitFor();
    expect(await page.getByLabel('Who', { exact: true }).inputValue()).toBe('tove');
    await page.getByLabel('Did what').fill('task.never');
    await page.keyboard.press('Enter');
    await page.getByText('No record matches.').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await until(async () => (await rows(page).count()) >= all);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  inBrowser('WEB-85', 'saves what the filters leave, as lines and as a table', async () => {
    const { page } = await asAuditor('&did=task.approve');
    await rows(page).first().waitFor();
    const saved = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ]);
      return readFile(await download.path(), 'utf8');
    };
    const lines = (await saved('Save as lines')).trimEnd().split('\n');
    expect(lines).toHaveLength(await rows(page).count());
    expect(lines[0]).toContain('"action":"task.approve"');
    expect(await saved('Save as table')).toMatch(/^seq,at,tenant,actor/u);
    await page.context().close();
  });

  inBrowser('WEB-85', 'tells an operator who is no auditor whose it is, and is sent nothing', async () => {
    const { page } = await openPage(browser, `${product.url}/operator`);
    await page.getByRole('link', { name: 'Trail' }).click();
    await page.getByText('The trail is for auditors.').waitFor();
    expect(await rows(page).count()).toBe(0);
    await page.context().close();
  });

  inBrowser('WEB-86', 'opens a record with its change, its rule, and a seal that holds', async () => {
    const { page, complaints } = await asAuditor();
    await openRecord(page, 'task.open');
    await page.getByText('The seal holds.').or(page.getByText('Not vouched for yet.')).waitFor();
    await rows(page).last().click();
    await page.getByText('The seal holds.').waitFor();
    await page.keyboard.press('ArrowUp');
    expect(new URL(page.url()).searchParams.get('record')).toBe('2');
    await page.reload();
    await page.getByRole('complementary', { name: 'Record 2' }).waitFor();
    await page.getByRole('columnheader', { name: 'After' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  inBrowser('WEB-86', 'says so where the browser cannot verify', async () => {
    const without = "Object.defineProperty(crypto, 'subtle', { value: undefined })";
    const { page } = await asAuditor('&record=1', without);
    await page.getByText('Not verified.').waitFor();
    await page.getByText('This browser has no Ed25519', { exact: false }).waitFor();
    await page.context().close();
  });

  inBrowser('WEB-87', 'shows the receipt of a decision, verified', async () => {
    const { page, complaints } = await asAuditor(`&onTask=${taskId}`);
    await openRecord(page, 'task.approve');
    await page.getByRole('button', { name: 'Show the receipt' }).click();
    await page.getByText('Signed by a published key, and it is what was signed.').waitFor();
    await page.getByRole('link', { name: THREAD, exact: true }).click();
    await page.getByRole('grid').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  /** Last: somebody has been at the store. */
  inBrowser('WEB-86', 'names the record that is not what was sealed', async () => {
    const redis = new Redis(product.redisUrl());
    const kept = await redis.xrange(CHAIN, '-', '+');
    await redis.del(CHAIN);
    for (const [id, [name = '', text = '', ...rest]] of kept)
      await redis.xadd(CHAIN, id, name, id === '1-0' ? text.replace('"at":1', '"at":2') : text, ...rest);
    redis.disconnect();
    const { page } = await asAuditor('&record=1');
    await page.getByText('The seal does not hold.').waitFor();
    await page.getByText('Record 1 is not what was sealed.').waitFor();
    await page.context().close();
  });
});
