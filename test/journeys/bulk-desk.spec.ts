import { verifies } from '../spec/verifies.js';
import { findingsOn, scrollsSideways } from './axe.js';
import { inBrowser, onPages, STORY_MS } from './browser-stage.js';
import { deskStage, press, rows } from './desk-stage.js';
import { NARROW } from './pages.js';

const stage = onPages();

const { askForRefund, decide, taskOf } = deskStage(stage);

describe('several tasks at once', () => {
  verifies(
    'WEB-60',
    'keys alone pick three refunds, and one act approves those nobody else decided meanwhile',
    inBrowser(async () => {
      for (const nth of [1, 2, 3]) await askForRefund(`refund-${nth}`);
      const { page, complaints } = await stage.open('/reviewer');
      await rows(page).nth(2).waitFor();
      await press(page, 'j', 'x', 'j', 'x', 'j', 'x');
      await page.getByText('3 selected').waitFor();
      await page.getByRole('heading', { name: '3 requests' }).waitFor();
      expect(await findingsOn(page)).toEqual([]);
      await page.setViewportSize(NARROW);
      await page.getByRole('button', { name: 'Decide' }).click();
      await page.getByRole('heading', { name: '3 requests' }).waitFor();
      expect([await findingsOn(page), await scrollsSideways(page)]).toEqual([[], false]);
      await decide('refund-2');
      await page.getByRole('button', { name: 'Approve 2 of 3' }).waitFor();
      await press(page, 'a');
      await page.getByText('2 approved.', { exact: true }).first().waitFor();
      await page.locator('.bulk-table').getByText('Approved and carried out').nth(2).waitFor();
      const decided = await Promise.all([1, 2, 3].map((nth) => taskOf(`refund-${nth}`)));
      expect(decided.map(({ decision }) => decision?.by)).toEqual([['tove'], ['ruth'], ['tove']]);
      expect(complaints).toEqual([]);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-40',
    'what is picked stays in list and pane when somebody else decides it, until the picking ends',
    inBrowser(async () => {
      for (const nth of ['one', 'two']) await askForRefund(`picked-${nth}`);
      const { page } = await stage.open('/reviewer');
      await rows(page).nth(1).waitFor();
      await press(page, 'j', 'x', 'j', 'x');
      await page.getByRole('heading', { name: '2 requests' }).waitFor();
      await decide('picked-one');
      await page.locator('.bulk-table').getByText('Approved and carried out').waitFor();
      await page.getByText('2 selected').waitFor();
      expect(await rows(page).count()).toBe(2);
      await press(page, 'Escape');
      await page.getByText('2 selected').waitFor({ state: 'detached' });
      await decide('picked-two');
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-41',
    'Escape in the search leaves the search, and the note being written stays open',
    inBrowser(async () => {
      await askForRefund('written');
      const { page } = await stage.open('/reviewer');
      await rows(page).first().click();
      await page.getByRole('button', { name: /^reject/iu }).press('r');
      const note = page.getByRole('textbox', { name: 'Say why. The customer reads this.' });
      await note.fill('The parcel was found.');
      await page.getByRole('searchbox').press('Escape');
      expect(await page.evaluate('document.activeElement?.id')).toBe('tasks');
      expect(await note.inputValue()).toBe('The parcel was found.');
      await note.press('Control+Enter');
      await note.waitFor({ state: 'detached' });
      expect((await taskOf('written')).decision).toMatchObject({ kind: 'rejected', by: ['tove'] });
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-61',
    'a supervisor gives a task to a colleague, who sees whose it is, and moves when it is due',
    inBrowser(async () => {
      await askForRefund('given');
      const before = await taskOf('given');
      const { page, complaints } = await stage.open('/reviewer');
      await page.getByRole('combobox', { name: 'You are' }).selectOption('ruth');
      await rows(page).first().click();
      await page.getByRole('button', { name: 'Give it to someone' }).click();
      await page.getByRole('textbox', { name: 'User id of a colleague' }).fill('tove');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Take it back' }).waitFor();
      expect((await taskOf('given')).assignee).toBe('tove');
      await page.getByRole('button', { name: '+1 h' }).click();
      await page.getByText('moved when it is due').waitFor();
      expect((await taskOf('given')).dueAt).toBeGreaterThanOrEqual((before.dueAt ?? 0) + 3_600_000);
      expect([await findingsOn(page), complaints]).toEqual([[], []]);
      await page.getByRole('combobox', { name: 'You are' }).selectOption('tove');
      await rows(page).first().click();
      await page.getByRole('heading', { name: 'Given to' }).waitFor();
      expect(await page.getByRole('button', { name: 'Give it to someone' }).count()).toBe(0);
      await page.context().close();
    }),
    STORY_MS,
  );
});
