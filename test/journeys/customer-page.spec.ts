/** What a customer sees before they write, while an adviser reads, and of the answer. */
import type { TaskView } from '@triptych/protocol';
import { AMELIA, JAN } from '@triptych/testkit';
import type { Page } from 'playwright-core';
import { verifies } from '../spec/verifies.js';
import { findingsOn } from './axe.js';
import { inBrowser, onPages, STORY_MS } from './browser-stage.js';

const stage = onPages(async () => ({ SPEED: '0.1' }));

const REASON = 'Please tell us first where the money comes from.';

const threadOf = (page: Page): string => new URL(page.url()).searchParams.get('thread') ?? '';

const decide = async (thread: string, verb: 'approve' | 'reject'): Promise<void> => {
  const token = await stage.product.token(JAN);
  const { items } = await stage.product.json<{ items: readonly TaskView[] }>(
    `/v1/approvals?threadId=${thread}`,
    { token },
  );
  const { taskId, rev, proposalHash } = items[0]!;
  const body = { verb, proposalHash, ...(verb === 'reject' ? { reason: REASON } : {}) };
  const headers = { 'if-match': `"${rev}"` };
  const answer = await stage.product.fetch(`/v1/approvals/${taskId}/decide`, { body, token, headers });
  expect(answer.status).toBe(200);
};

const panel = (page: Page, name: string) => page.getByRole('region', { name });

/** An application that waits: what was asked for stands beside the wait. */
const waiting = async (): Promise<Page> => {
  const { page } = await stage.open('/customer');
  await page.getByRole('textbox').fill('open an account with 2 million');
  await page.keyboard.press('Enter');
  const hold = panel(page, 'An adviser is reviewing this');
  await hold.waitFor();
  expect(await hold.innerText()).toMatch(/Amount\s+€2,000,000\s+Mandate\s+balanced\s+Reference/iu);
  return page;
};

const expectEnd = async (page: Page, name: string, words: string): Promise<void> => {
  await panel(page, name).getByText(words).waitFor();
  expect(await panel(page, 'An adviser is reviewing this').count()).toBe(0);
  expect(await findingsOn(page)).toEqual([]);
};

describe('the customer’s page', () => {
  verifies(
    'WEB-100',
    'tells in place why an adviser said no, also after a reload',
    inBrowser(async () => {
      const page = await waiting();
      await decide(threadOf(page), 'reject');
      await expectEnd(page, 'An adviser said no to this', REASON);
      await page.reload();
      await expectEnd(page, 'An adviser said no to this', REASON);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-100',
    'calls it approved once it is done',
    inBrowser(async () => {
      const page = await waiting();
      await decide(threadOf(page), 'approve');
      await expectEnd(page, 'Approved and done', 'An adviser agreed, and it was carried out.');
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-102',
    'has beginnings of the agent that is picked; one fills the composer and sends nothing',
    inBrowser(async () => {
      const { page } = await stage.open('/customer');
      await page.getByText('Get money back for an order').click();
      await page.getByRole('button', { name: 'My flight N-20413 was cancelled, 96.40' }).click();
      const field = page.getByRole('textbox');
      expect(await field.inputValue()).toBe('My flight N-20413 was cancelled, 96.40');
      expect(await page.locator('textarea:focus').count()).toBe(1);
      expect(threadOf(page)).toBe('');
      const token = await stage.product.token(AMELIA);
      const { items } = await stage.product.json<{ items: readonly { agentId: string }[] }>(
        '/v1/threads?limit=100',
        { token },
      );
      expect(items.map(({ agentId }) => agentId)).not.toContain('refund');
      await page.context().close();
    }),
    STORY_MS,
  );
});
