/** Proves the desk's list in a browser: narrowed, ordered, and what is over. */
import { until } from '@triptych/testkit';
import type { Page } from 'playwright-core';
import { verifies } from '../spec/verifies.js';
import { findingsOn, scrollsSideways } from './axe.js';
import { inBrowser, onPages, STORY_MS } from './browser-stage.js';
import { deskStage, press, rows } from './desk-stage.js';
import { chromiumPath, NARROW, WIDE } from './pages.js';

const stage = onPages();
const { askForAccount, askForRefund, decide, taskOf } = deskStage(stage);

beforeAll(async () => {
  if (!chromiumPath) return;
  for (const millions of [2, 4, 3]) await askForAccount(`account-${millions}`, millions);
  for (const nth of [1, 2]) await askForRefund(`refund-${nth}`);
}, STORY_MS);

const titles = (page: Page) => rows(page).locator('b').allTextContents();
const hasRows = (page: Page, n: number) => until(async () => (await rows(page).count()) === n);
const choose = (page: Page, name: string, label: string) =>
  page.getByRole('combobox', { name, exact: true }).selectOption({ label });
const count = (page: Page, queue: string) =>
  page.getByRole('button', { name: queue }).locator('.count').textContent();

describe('the desk’s list', () => {
  verifies(
    'WEB-62',
    'is narrowed by what people know, kept in the address over a reload, in both languages and themes',
    inBrowser(async () => {
      const { page, complaints } = await stage.open('/reviewer');
      await hasRows(page, 5);
      await choose(page, 'Agent', 'Refund');
      await hasRows(page, 2);
      await choose(page, 'Amount', '10,000 or more');
      await page.getByText('No task matches.').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await hasRows(page, 5);
      await page.getByRole('searchbox').fill('€3,000,000');
      await hasRows(page, 1);
      await page.reload();
      await hasRows(page, 1);
      expect(await page.getByRole('searchbox').inputValue()).toBe('€3,000,000');
      await page.getByRole('searchbox').fill('');
      await choose(page, 'Due', 'Due today');
      await hasRows(page, 3);
      expect(new URL(page.url()).searchParams.get('due')).toBe('today');
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await findingsOn(page)).toEqual([]);
      await page.setViewportSize(NARROW);
      expect([await findingsOn(page), await scrollsSideways(page)]).toEqual([[], false]);
      await page.setViewportSize(WIDE);
      await page.getByRole('button', { name: 'Switch language' }).or(page.getByText('中文')).first().click();
      await page.getByRole('button', { name: '清除筛选' }).click();
      await hasRows(page, 5);
      expect(complaints).toEqual([]);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-63',
    'comes in the order that is chosen, says how much there is, and moves only when its reader sorts again',
    inBrowser(async () => {
      const { page } = await stage.open('/reviewer?sort=amount');
      await hasRows(page, 5);
      const amounts = (await titles(page)).slice(0, 3).map((title) => /[234],000,000/u.exec(title)?.[0]);
      expect(amounts).toEqual(['4,000,000', '3,000,000', '2,000,000']);
      expect([await count(page, 'Open for me'), await count(page, 'Refunds')]).toEqual(['5', '2']);
      await rows(page).nth(1).click();
      await askForAccount('account-9', 9);
      await page.getByText('1 new task since you looked').waitFor();
      expect((await titles(page))[0]).toContain('4,000,000');
      await page.getByRole('button', { name: 'Sort again' }).click();
      await hasRows(page, 6);
      expect((await titles(page))[0]).toContain('9,000,000');
      expect(await page.locator('#tasks .task.sel b').textContent()).toContain('3,000,000');
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-64',
    'finds what is over, last ended first, and shows it with votes, history and receipt, and nothing to decide',
    inBrowser(async () => {
      await decide('refund-1');
      await decide('refund-2', { verb: 'reject', reason: 'The parcel was found.' });
      const { page, complaints } = await stage.open('/reviewer');
      await hasRows(page, 4);
      await page.getByRole('button', { name: 'Decided', exact: true }).click();
      await hasRows(page, 2);
      expect(await rows(page).first().textContent()).toContain('Rejected');
      await press(page, 'j');
      await page.getByText('The parcel was found.').last().waitFor();
      await page.getByText('Nothing more to decide here').waitFor();
      expect(await page.getByRole('button', { name: /^approve/iu }).count()).toBe(0);
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Receipt' }).click(),
      ]);
      expect(saved.suggestedFilename()).toBe(`receipt-${(await taskOf('refund-2')).taskId}.json`);
      await page.getByRole('searchbox').fill('N-10482');
      await hasRows(page, 2);
      await page.getByRole('searchbox').fill('nothing has this');
      await page.getByText('No task matches.').waitFor();
      await page.getByRole('button', { name: 'Expired or withdrawn' }).click();
      await page.getByRole('searchbox').fill('');
      await page.getByText('Nothing was closed yet').waitFor();
      expect([await findingsOn(page), complaints]).toEqual([[], []]);
      await page.context().close();
    }),
    STORY_MS,
  );
});
