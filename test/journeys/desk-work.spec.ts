/** Proves the work at the desk in a browser: keys, edits that meet, answers that come too late. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JAN } from '@triptych/testkit';
import type { Page } from 'playwright-core';
import { verifies } from '../spec/verifies.js';
import { findingsOn, scrollsSideways } from './axe.js';
import { inBrowser, onPages, STORY_MS } from './browser-stage.js';
import { deskStage, press, rows, RUTH } from './desk-stage.js';
import { NARROW, WIDE } from './pages.js';

const folder = mkdtempSync(join(tmpdir(), 'triptych-desk-'));
/** As it is, but that two must agree to an account: so an edit does not end it. */
const policyFile = (): string => {
  const path = join(folder, 'policy.yaml');
  const text = readFileSync('config/policy.yaml', 'utf8');
  writeFileSync(
    path,
    text.replace('      groups: [advisors]\n', '      groups: [advisors]\n      quorum: 2\n'),
  );
  return path;
};

const stage = onPages(async () => ({ POLICY_FILE: policyFile() }));
const { askForAccount, askForRefund, decide, taskOf } = deskStage(stage);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const edit = async (page: Page, amount: number): Promise<void> => {
  await page.getByRole('button', { name: /^edit/iu }).click();
  await page.getByLabel(/first payment/iu).fill(String(amount));
  await page.keyboard.press('Tab');
};

/** A supervisor takes it over and edits it: the first of two approvals. */
const editElsewhere = async (thread: string, change: object): Promise<void> => {
  const { taskId, rev, proposal } = await taskOf(thread);
  const token = await stage.product.token(RUTH);
  const headers = { 'if-match': `"${rev}"` };
  const body = { reason: 'She is at lunch.' };
  await stage.product.json(`/v1/approvals/${taskId}/takeover`, { token, headers, body });
  await decide(thread, { editedArgs: { ...(proposal.args as object), ...change } });
};

describe('the work at the desk', () => {
  verifies(
    'WEB-65',
    'lists its keys, lets letters be switched off for good, and picks a range',
    inBrowser(async () => {
      for (const nth of [1, 2, 3]) await askForRefund(`keys-${nth}`);
      const { page, complaints } = await stage.open('/reviewer');
      await rows(page).nth(2).waitFor();
      await press(page, '?');
      await page.getByText('next, previous task').waitFor();
      expect(await findingsOn(page)).toEqual([]);
      await page.getByRole('checkbox').uncheck();
      await press(page, 'Escape', 'j');
      expect(await page.locator('#tasks .task.sel').count()).toBe(0);
      await page.reload();
      await rows(page).nth(2).waitFor();
      await press(page, 'j');
      expect(await page.locator('#tasks .task.sel').count()).toBe(0);
      await page.getByRole('button', { name: 'Keys', exact: true }).click();
      await page.getByRole('checkbox').check();
      await press(page, 'Escape', 'j', 'x', 'j', 'j', 'Shift+X');
      await page.getByText('3 selected').waitFor();
      expect(complaints).toEqual([]);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-66',
    'sets two edits that met beside each other, and sends what its author says stays',
    inBrowser(async () => {
      await askForAccount('met', 2);
      const { page, complaints } = await stage.open('/reviewer?agent=onboarding');
      await rows(page).first().click();
      await edit(page, 1_750_000);
      await editElsewhere('met', { amount: 1_900_000, mandate: 'growth' });
      await page.getByText('Ruth edited this while you did.').waitFor();
      await page.getByText('both changed it').waitFor();
      expect(await page.getByRole('row', { name: /First payment/u }).textContent()).toContain('€1,900,000');
      expect(await findingsOn(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize(NARROW);
      expect([await findingsOn(page), await scrollsSideways(page)]).toEqual([[], false]);
      await page.setViewportSize(WIDE);
      const send = page.getByRole('button', { name: /^send for approval/iu });
      expect(await send.getAttribute('aria-disabled')).toBe('true');
      await page.getByRole('button', { name: 'Keep my changes' }).click();
      await send.click();
      await page.getByText('Edited by Tove').waitFor();
      expect((await taskOf('met')).edit).toMatchObject({
        by: 'tove',
        args: { amount: 1_750_000, mandate: 'growth' },
      });
      expect(complaints).toEqual([]);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-67',
    'tells who answered when it was over, with the votes and in the history',
    inBrowser(async () => {
      await askForRefund('late');
      const { taskId, proposalHash } = await taskOf('late');
      await decide('late');
      const jan = await stage.product.token({ ...JAN, groups: ['refunds'] });
      const body = { verb: 'reject', proposalHash, reason: 'Too much.' };
      const headers = { 'if-match': '"1"' };
      const late = await stage.product.fetch(`/v1/approvals/${taskId}/decide`, { body, token: jan, headers });
      expect(late.status).toBe(409);
      const { page, complaints } = await stage.open(`/reviewer?queue=decided&task=${taskId}`);
      await page.getByText('Jan Peeters rejected too late').waitFor();
      await page.getByText('too late, not counted').waitFor();
      expect([await findingsOn(page), complaints]).toEqual([[], []]);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-68',
    'shows a hidden value to whoever says why, and the history says so',
    inBrowser(async () => {
      await askForAccount('hidden', 3);
      const { taskId } = await taskOf('hidden');
      const { page, complaints } = await stage.open(`/reviewer?task=${taskId}`);
      await page.getByRole('button', { name: 'Reveal, with a reason' }).click();
      const why = page.getByRole('textbox', { name: 'Why do you need to see it?' });
      await why.press('Escape');
      await page.getByRole('button', { name: 'Reveal, with a reason' }).click();
      expect([await findingsOn(page), complaints]).toEqual([[], []]);
      await why.fill('The tax office asks.');
      await page.keyboard.press('Enter');
      await page.getByText('You looked at a hidden value: “The tax office asks.”').waitFor();
      expect(await page.getByRole('row', { name: /Tax number/u }).textContent()).not.toContain('Hidden');
      expect(complaints).toEqual([]);
      await page.context().close();
    }),
    STORY_MS,
  );
});
