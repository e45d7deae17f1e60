import type { Page } from 'playwright-core';
import { verifies } from '../spec/verifies.js';
import { findingsOn, scrollsSideways } from './axe.js';
import { inBrowser, onPages, STORY_MS } from './browser-stage.js';
import { chromiumPath, NARROW, WIDE } from './pages.js';

const stage = onPages();

const apply = async (page: Page): Promise<void> => {
  await page.getByRole('textbox').fill('open an account with 2 million');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'An adviser is reviewing this' }).waitFor();
};

const readTask = async (page: Page): Promise<void> => {
  await page
    .getByText(/^Open account A-/u)
    .first()
    .click();
  await page
    .getByRole('button', { name: /approve/iu })
    .first()
    .waitFor();
};

const readLog = async (page: Page): Promise<void> => {
  const log = page.getByText('RUN_FINISHED').first();
  const thread = page.getByText('Amelia Hartmann').first();
  await log.or(thread).first().waitFor();
  if (!(await log.isVisible())) await thread.click();
  await log.waitFor();
};

/** On a narrow page the thread is picked first. */
const pickThread = async (page: Page): Promise<void> => {
  const tab = page.getByRole('link', { name: 'What they saw' });
  const thread = page.getByText('Amelia Hartmann').first();
  await tab.or(thread).first().waitFor();
  if (!(await tab.isVisible())) await thread.click();
  await tab.waitFor();
};

const readShown = async (page: Page): Promise<void> => {
  await pickThread(page);
  await page.getByText('One placeholder.').first().waitFor();
};

const readPast = async (page: Page): Promise<void> => {
  await pickThread(page);
  // Only a log that is there can be gone back in.
  await page.getByText('"application"').first().waitFor();
  await page.getByRole('slider').press('ArrowLeft');
  await page.getByText('You are looking at the past.').waitFor();
  await page.getByText('"application"').first().waitFor();
};

const readBatches = (page: Page): Promise<void> => page.getByText('No batch needs you.').waitFor();

const readRuns = async (page: Page): Promise<void> => {
  await pickThread(page);
  await page.getByText('waiting for people').first().waitFor();
  await page.getByRole('button', { name: 'openAccount' }).click();
  await page.getByText('With people', { exact: true }).waitFor();
};

const readReaders = async (page: Page): Promise<void> => {
  await pickThread(page);
  await page.getByText('keeps up').first().waitFor();
};

const readHealth = (page: Page): Promise<void> => page.getByText('Answers to agents').waitFor();

/** All three follow the customer's conversation; on a narrow page one after the other. */
const readAll = async (page: Page): Promise<void> => {
  await page.getByRole('textbox').first().fill('open an account with 2 million');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'An adviser is reviewing this' }).waitFor();
  const tab = page.getByRole('button', { name: 'Operator', exact: true });
  if (await tab.isVisible()) await tab.click();
  await page.getByText('RUN_FINISHED').last().waitFor();
};

const editTask = async (page: Page): Promise<void> => {
  await readTask(page);
  await page.getByRole('button', { name: /^edit/iu }).first().click();
  await page.getByLabel(/first payment/iu).fill('1750000');
  await page.keyboard.press('Tab');
};

const readKeys = async (page: Page): Promise<void> => {
  await readTask(page);
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
};

const inspect = async (page: Page): Promise<void> => {
  await readLog(page);
  await page.getByText('RUN_FINISHED').first().click();
  await page.getByText('Who would see it now').waitFor();
};

const readDenied = (page: Page): Promise<void> => page.getByText('The trail is for auditors.').waitFor();

const LOOKS: readonly [string, (page: Page) => Promise<void>][] = [
  ['customer', apply],
  ['reviewer', readTask],
  ['reviewer#edit', editTask],
  ['reviewer#keys', readKeys],
  ['operator', readLog],
  ['operator#event', inspect],
  ['operator?look=saw', readShown],
  ['operator?look=state', readPast],
  ['operator?look=runs', readRuns],
  ['operator?look=readers', readReaders],
  ['operator?view=batches', readBatches],
  ['operator?view=health', readHealth],
  ['operator?view=trail', readDenied],
  ['demo', readAll],
];

/** What every look looks at. */
beforeAll(async () => {
  if (!chromiumPath) return;
  const { page } = await stage.open('/customer');
  await apply(page);
  await page.context().close();
}, STORY_MS);

describe('the pages, with something on them', () => {
  for (const viewport of [WIDE, NARROW])
    for (const [surface, look] of LOOKS)
      verifies(
        'WEB-27',
        `/${surface} can be used by everyone at ${viewport.width} px, light and dark`,
        inBrowser(async () => {
          const { page } = await stage.open(`/${surface}`, viewport);
          await look(page);
          for (const colorScheme of ['light', 'dark'] as const) {
            // A colour on its way to another is none of the theme's.
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
            expect({ [colorScheme]: await findingsOn(page) }).toEqual({ [colorScheme]: [] });
          }
          expect(await scrollsSideways(page)).toBe(false);
          await page.context().close();
        }),
        STORY_MS,
      );
});
