/** Proves the palette of desk and console: by keys alone to where its words lead, and only to what its reader may do. */
import { AMELIA, MO, Product, TOVE, until } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
import type { Browser, Page } from 'playwright-core';
import { verifies } from '../spec/verifies.js';
import { findingsOn } from './axe.js';
import { chromiumPath, NARROW, openBrowser, openPage } from './pages.js';
import { quickAgent, type QuickAgent } from './quick-agent.js';
import { inputOf } from './wire.js';

const STORY_MS = 120_000;

let agent: QuickAgent;
let product: Product;
let browser: Browser;
let task: TaskView;

beforeAll(async () => {
  if (!chromiumPath) return;
  agent = await quickAgent();
  product = await Product.start({ AGENTS_FILE: agent.agentsFile, SPEED: '0.2' });
  browser = await openBrowser();
  const token = await product.token(AMELIA);
  for (const threadId of ['first-talk', 'second-talk'])
    await (await product.fetch('/v1/agents/quick/run', { token, body: inputOf(threadId, 'ask') })).text();
  const reviewer = await product.token(TOVE);
  const { items } = await product.json<{ items: TaskView[] }>('/v1/approvals?threadId=first-talk', {
    token: reviewer,
  });
  task = items[0]!;
}, STORY_MS);
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await agent?.stop();
}, STORY_MS);

const inBrowser = (body: () => Promise<void>) => async (): Promise<void> => {
  if (!chromiumPath) return console.log('skipped: no chromium on this machine');
  await body();
};

const field = (page: Page) => page.getByRole('combobox', { name: 'Go to or do something' });
const option = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('option', { name });
const openPalette = async (page: Page, text = ''): Promise<void> => {
  await page.keyboard.press('Control+k');
  await field(page).fill(text);
};
const param = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);

describe('the palette', () => {
  verifies(
    'WEB-88',
    'goes to a thread, an event and a page of the console, by keys alone',
    inBrowser(async () => {
      const { page, complaints } = await openPage(browser, `${product.url}/operator`);
      await page.getByRole('grid').waitFor();
      await openPalette(page, 'first-talk');
      await option(page, /first-talk/u)
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
      await field(page).waitFor({ state: 'detached' });
      expect(param(page, 'thread')).toBe('first-talk');
      await page.getByText('RUN_FINISHED').first().waitFor();
      await openPalette(page, '3');
      await option(page, 'Event 3').waitFor();
      await page.keyboard.press('Enter');
      await until(() => Promise.resolve(param(page, 'seq') === '3'));
      await openPalette(page, 'health');
      await option(page, 'Health').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Answers to agents').waitFor();
      expect(complaints).toEqual([]);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-88',
    'finds a task by its whole id on both, and says when nothing matches',
    inBrowser(async () => {
      for (const surface of ['operator', 'reviewer']) {
        const { page, complaints } = await openPage(browser, `${product.url}/${surface}`);
        await page.getByRole('button', { name: /^Go to/u }).click();
        await field(page).fill('no such thing as this');
        await page.getByText('Nothing matches.').waitFor();
        await field(page).fill(task.taskId);
        await option(page, /./u).first().waitFor();
        await page.keyboard.press('Enter');
        const named = surface === 'operator' ? ['thread', 'first-talk'] : ['task', task.taskId];
        await until(() => Promise.resolve(param(page, named[0]!) === named[1]));
        expect(complaints).toEqual([]);
        await page.context().close();
      }
    }),
    STORY_MS,
  );

  verifies(
    'WEB-88',
    'gives the focus back where it was, and lets arrows choose',
    inBrowser(async () => {
      const { page } = await openPage(browser, `${product.url}/reviewer`);
      const search = page.getByRole('searchbox', { name: 'Search tasks' });
      await search.focus();
      await openPalette(page);
      await option(page, /./u).nth(2).waitFor();
      await page.keyboard.press('ArrowDown');
      expect(await option(page, /./u).nth(1).getAttribute('aria-selected')).toBe('true');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      expect(await option(page, /./u).last().getAttribute('aria-selected')).toBe('true');
      await page.keyboard.press('Escape');
      await field(page).waitFor({ state: 'detached' });
      expect(await search.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-89',
    'acts as the keys do, and offers no act that they would not do',
    inBrowser(async () => {
      const { page, complaints } = await openPage(browser, `${product.url}/reviewer?task=${task.taskId}`);
      await page
        .getByRole('button', { name: /approve/iu })
        .first()
        .waitFor();
      await openPalette(page, 'approve');
      await option(page, /^Approve/u).waitFor();
      await field(page).fill('undo');
      await until(async () => (await option(page, /^Undo/u).count()) === 0);
      await field(page).fill('claim');
      await page.keyboard.press('Enter');
      await page
        .getByText(/^Yours for/u)
        .first()
        .waitFor();
      await openPalette(page, 'reject');
      await option(page, /^Reject/u).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: /why/iu }).fill('Not this one.');
      await page.keyboard.press('Control+Enter');
      const state = async () =>
        (await product.json<TaskView>(`/v1/approvals/${task.taskId}`, { token: await product.token(MO) }))
          .state;
      await until(async () => !['open', 'claimed', 'pending'].includes(await state()));
      await openPalette(page, 'approve');
      await page.getByText('Nothing matches.').or(option(page, /./u)).first().waitFor();
      expect(await option(page, /^Approve/u).count()).toBe(0);
      expect(complaints).toEqual([]);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-27',
    'can be used by everyone, light and dark, wide and at 360 px',
    inBrowser(async () => {
      for (const viewport of [undefined, NARROW]) {
        const { page } = await openPage(browser, `${product.url}/operator`, viewport);
        await page.getByRole('button', { name: /^Go to/u }).waitFor();
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await openPalette(page, 'talk');
          await option(page, /talk/u).first().waitFor();
          expect(await findingsOn(page)).toEqual([]);
          await page.keyboard.press('Escape');
          await field(page).waitFor({ state: 'detached' });
        }
        await page.context().close();
      }
    }),
    STORY_MS,
  );
});
