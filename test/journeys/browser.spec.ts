import { MO } from '@triptych/testkit';
import type { Page } from 'playwright-core';
import { verifies } from '../spec/verifies.js';
import { inBrowser, onPages, STORY_MS } from './browser-stage.js';

/** Human pace would take a minute; at this one a run still takes seconds, so that kills hit it in the middle. */
const PACE = { SPEED: '0.2' };
const stage = onPages(async () => PACE);

const say = async (page: Page, words: string): Promise<void> => {
  await page.getByRole('textbox').fill(words);
  await page.keyboard.press('Enter');
};

interface Logged {
  readonly seq: number;
  readonly event: { readonly type: string; readonly toolCallId?: string };
}

/** The customer's page knows its thread by its address. */
const logOf = async (customer: Page): Promise<readonly Logged[]> => {
  const thread = new URL(customer.url()).searchParams.get('thread') ?? '';
  const token = await stage.product.token(MO);
  return (await stage.product.json<{ items: Logged[] }>(`/v1/threads/${thread}/log?limit=1000`, { token }))
    .items;
};

const expectOneStory = (log: readonly Logged[]): void => {
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  const asked = log.filter(({ event }) => event.type === 'TOOL_CALL_START').at(-1)?.event.toolCallId;
  const results = log.filter(({ event }) => event.type === 'TOOL_CALL_RESULT' && event.toolCallId === asked);
  expect(results).toHaveLength(1);
};

const three = async () => {
  const [customer, reviewer, operator] = await Promise.all([
    stage.open('/customer'),
    stage.open('/reviewer'),
    stage.open('/operator'),
  ]);
  return { customer, reviewer, operator };
};

const close = async (...pages: readonly { page: Page }[]): Promise<void> => {
  for (const { page } of pages) await page.context().close();
};

const openTask = async (reviewer: Page): Promise<void> => {
  await reviewer
    .getByText(/^Open account A-/u)
    .first()
    .click();
  await reviewer
    .getByRole('button', { name: /approve/iu })
    .first()
    .waitFor();
};

/** Sums of this size are asked about once more. */
const approve = async (reviewer: Page): Promise<void> => {
  await reviewer
    .getByRole('button', { name: /^approve/iu })
    .first()
    .click();
  await reviewer.getByRole('button', { name: /^approve €/iu }).click();
};

const waiting = (customer: Page) => customer.getByRole('heading', { name: 'An adviser is reviewing this' });
const opened = (customer: Page) =>
  customer.getByText(/An adviser agreed\. Your account .* is open with/u).first();

describe('three people at three screens', () => {
  verifies(
    'HUB-3',
    'the customer applies, the reviewer edits and approves, the operator reads both runs',
    inBrowser(async () => {
      const { customer, reviewer, operator } = await three();
      await say(customer.page, 'I would like to open an account with 2 million');
      await waiting(customer.page).waitFor();
      await reviewer.page
        .getByText(/^Open account A-/u)
        .first()
        .waitFor({ timeout: 1_000 });
      await openTask(reviewer.page);
      await reviewer.page.getByRole('button', { name: /^edit/iu }).click();
      await reviewer.page.getByText(/^Yours for/u).waitFor();
      await reviewer.page.getByText('Hidden by policy, kept as it is').waitFor();
      const amount = reviewer.page.getByLabel(/first payment/iu);
      await amount.fill('1750000');
      await reviewer.page.keyboard.press('Tab');
      expect(await amount.inputValue()).toBe('1,750,000');
      await reviewer.page
        .getByRole('button', { name: /send for approval|approve/iu })
        .last()
        .click();
      await reviewer.page.getByRole('button', { name: /^approve €/iu }).click();
      await opened(customer.page).waitFor();
      expect(await customer.page.content()).toContain('1,750,000');
      expectOneStory(await logOf(customer.page));
      await operator.page.getByText('Amelia Hartmann').first().click();
      await operator.page.getByText('RUN_FINISHED').last().waitFor();
      for (const { complaints } of [customer, reviewer, operator]) expect(complaints).toEqual([]);
      await close(customer, reviewer, operator);
    }),
    STORY_MS,
  );

  verifies(
    'HUB-4',
    'the worker is killed right after the decision',
    inBrowser(async () => {
      const { customer, reviewer, operator } = await three();
      await say(customer.page, 'open an account with 3 million');
      await waiting(customer.page).waitFor();
      await openTask(reviewer.page);
      await approve(reviewer.page);
      await stage.product.kill('worker');
      await opened(customer.page).waitFor();
      expectOneStory(await logOf(customer.page));
      await close(customer, reviewer, operator);
    }),
    STORY_MS,
  );

  verifies(
    'HUB-5',
    'the hub is killed while it streams: the page recovers by itself',
    inBrowser(async () => {
      const { customer, reviewer, operator } = await three();
      await say(customer.page, 'open an account with 4 million');
      await customer.page.getByText(/check who you are/iu).waitFor();
      await stage.product.kill('hub');
      await customer.page.getByText(/stopped before it was finished/iu).waitFor();
      await say(customer.page, 'please go on, with 4 million');
      await waiting(customer.page).waitFor();
      await openTask(reviewer.page);
      await approve(reviewer.page);
      await opened(customer.page).waitFor();
      expectOneStory(await logOf(customer.page));
      await close(customer, reviewer, operator);
    }),
    STORY_MS,
  );

  verifies(
    'HUB-6',
    'Redis is killed while a run streams: the pages go on by themselves',
    inBrowser(async () => {
      const { customer, reviewer, operator } = await three();
      await say(customer.page, 'open an account with 5 million');
      await customer.page.getByText(/check who you are/iu).waitFor();
      await stage.product.kill('redis');
      await waiting(customer.page).waitFor();
      await openTask(reviewer.page);
      await approve(reviewer.page);
      await opened(customer.page).waitFor();
      expectOneStory(await logOf(customer.page));
      await close(customer, reviewer, operator);
    }),
    STORY_MS,
  );
});
