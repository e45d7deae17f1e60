import { AMELIA, MO, TOVE, until } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
import type { Locator, Page } from 'playwright-core';
import { verifies } from '../spec/verifies.js';
import { inBrowser, onPages, STORY_MS } from './browser-stage.js';
import { quickAgent, type QuickAgent } from './quick-agent.js';
import { inputOf } from './wire.js';

let agent: QuickAgent;
const stage = onPages(async () => {
  agent = await quickAgent();
  return { AGENTS_FILE: agent.agentsFile, SPEED: '0.2' };
});
afterAll(() => agent?.stop());

const get = async <T>(path: string): Promise<T> =>
  stage.product.json<T>(path, { token: await stage.product.token(MO) });

/** Its agent fails on the first answer and takes the second. */
const stuckBatch = async (threadId: string): Promise<TaskView> => {
  const token = await stage.product.token(AMELIA);
  const body = inputOf(threadId, 'ask, then fail');
  await (await stage.product.fetch('/v1/agents/quick/run', { token, body })).text();
  const reviewer = await stage.product.token(TOVE);
  const path = `/v1/approvals?threadId=${threadId}`;
  const { items } = await stage.product.json<{ items: TaskView[] }>(path, { token: reviewer });
  const { taskId, rev, proposalHash } = items[0]!;
  const decision = { token: reviewer, body: { rev, proposalHash, verb: 'approve' } };
  await (await stage.product.fetch(`/v1/approvals/${taskId}/decide`, decision)).text();
  const stuck = async () => (await get<{ items: unknown[] }>('/v1/batches')).items.length > 0;
  await until(stuck);
  return items[0]!;
};

const actionsOf = async (taskId: string): Promise<readonly string[]> => {
  const { history = [] } = await get<TaskView>(`/v1/approvals/${taskId}`);
  return history.map(({ action }) => action);
};

const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('the console', () => {
  verifies(
    'WEB-30',
    'sends a batch again at the second press, once, and tells what became of it',
    inBrowser(async () => {
      const { taskId } = await stuckBatch('stuck');
      const { page, complaints } = await stage.open('/operator?view=batches');
      await page.getByText('“Down.”').or(page.getByText('Down.')).first().waitFor();
      await act(page, 'Send again…').press('Enter');
      await page.getByText('If it did act on them before, it acts twice.').waitFor();
      await page.keyboard.press('Escape');
      await act(page, 'Send again…').click();
      expect(await actionsOf(taskId)).not.toContain('retry');
      await page.getByRole('textbox').fill('The ledger shows nothing.');
      await act(page, 'Send again').dblclick();
      await page.getByText('Sent again. It is done only when its run says so.').first().waitFor();
      await page.getByText('Needs nobody').waitFor();
      expect((await actionsOf(taskId)).filter((action) => action === 'retry')).toHaveLength(1);
      const { history = [] } = await get<TaskView>(`/v1/approvals/${taskId}`);
      expect(history).toContainEqual(
        expect.objectContaining({ action: 'retry', by: MO.sub, text: 'The ledger shows nothing.' }),
      );
      expect(complaints).toEqual([]);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-33',
    'goes back in a thread by keys, keeps the place over a reload, and returns',
    inBrowser(async () => {
      const { page } = await stage.open('/operator?thread=stuck&look=state');
      const strip = page.getByRole('slider');
      const called = page.getByText('calls openAccount');
      const at = () => new URL(page.url()).searchParams.get('at');
      // Only a log that is there can be gone back in.
      await called.waitFor();
      await strip.press('Home');
      await page.getByText('You are looking at the past.').waitFor();
      expect(at()).toBe('1');
      await called.waitFor({ state: 'detached' });
      await strip.press(']');
      const place = Number(at());
      expect(place).toBeGreaterThan(1);
      await called.waitFor();
      await page.reload();
      await called.waitFor();
      expect(Number(at())).toBe(place);
      await page.getByRole('button', { name: 'Back to live' }).click();
      await page.getByText('You are looking at the past.').waitFor({ state: 'detached' });
      expect(at()).toBe(null);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-35',
    'tells who reads a thread, and how many sockets, threads and errands there are',
    inBrowser(async () => {
      const { page } = await stage.open('/operator?thread=stuck&look=readers');
      const reader = page.getByRole('row', { name: /Mo Adeyemi/u });
      await reader.getByText('keeps up').first().waitFor();
      await page.getByRole('link', { name: 'Findings' }).click();
      await page.getByText('Warning', { exact: true }).first().waitFor();
      await page.getByRole('link', { name: 'Health' }).click();
      const cells = (name: string) =>
        page.getByRole('row', { name, exact: false }).first().getByRole('cell').allTextContents();
      await page.getByText('Answers to agents').waitFor();
      expect(await cells('Operator')).toEqual(['Operator', '1']);
      // Its task still runs out one day: a timer waits for that.
      const [name, now, later] = await cells('Timers');
      expect([name, now]).toEqual(['Timers', '0']);
      expect(Number(later)).toBeGreaterThan(0);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-36',
    'shows three surfaces of one conversation, each with keys of its own',
    inBrowser(async () => {
      const { page, complaints } = await stage.open('/demo');
      const [customer, reviewer, operator] = ['Customer', 'Reviewer', 'Operator'].map((name) =>
        page.getByRole('region', { name, exact: true }),
      ) as [Locator, Locator, Locator];
      await customer.getByRole('textbox').fill('open an account with 2 million');
      await page.keyboard.press('Enter');
      await customer.getByRole('heading', { name: 'An adviser is reviewing this' }).waitFor();
      await operator.getByText('RUN_FINISHED').last().waitFor();
      await reviewer.getByRole('heading', { name: /^Open account A-/u }).waitFor();
      await reviewer
        .getByRole('button', { name: /reject/iu })
        .first()
        .waitFor();
      await operator.getByRole('grid').press('r');
      expect(await reviewer.getByRole('textbox').count()).toBe(0);
      await reviewer
        .getByRole('button', { name: /reject/iu })
        .first()
        .press('r');
      await reviewer.getByRole('textbox').waitFor();
      expect(complaints).toEqual([]);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-116',
    'opens what the conversation waits for by itself, and not again once it was left',
    inBrowser(async () => {
      const { page } = await stage.open('/demo');
      const reviewer = page.getByRole('region', { name: 'Reviewer', exact: true });
      await page.getByRole('textbox').first().fill('open an account with 3 million');
      await page.keyboard.press('Enter');
      const asked = reviewer.getByRole('heading', { name: /^Open account A-.*3,000,000/u });
      await asked.waitFor();
      await reviewer.getByRole('button', { name: 'Back to the list' }).click();
      await reviewer
        .getByRole('option', { name: /^Open account A-/u })
        .first()
        .waitFor();
      expect(await asked.count()).toBe(0);
      expect(new URL(page.url()).searchParams.get('task')).toBe(null);
      await page.context().close();
    }),
    STORY_MS,
  );

  verifies(
    'WEB-117',
    'folds the pieces of a call, opens them by keys and by going to one, and shows every event when asked to',
    inBrowser(async () => {
      const { page, complaints } = await stage.open('/operator');
      const folds = page.locator('.lr.fold');
      const fold = folds.last();
      await fold.waitFor();
      await fold.click();
      expect(await fold.getByRole('gridcell').first().getAttribute('aria-expanded')).toBe('true');
      const first = Number(new URL(page.url()).searchParams.get('seq'));
      const piece = page.locator(`#row-e${first + 1}`);
      await piece.waitFor();
      await page.getByRole('grid').press('ArrowLeft');
      await piece.waitFor({ state: 'detached' });
      await page.getByRole('grid').press('ArrowRight');
      await piece.click();
      await page.reload();
      await piece.waitFor();
      expect(await piece.getAttribute('aria-selected')).toBe('true');
      await page.getByRole('grid').press('ArrowLeft');
      await page.getByRole('grid').press('ArrowLeft');
      await piece.waitFor({ state: 'detached' });
      await act(page, 'All events').click();
      await piece.waitFor();
      expect(await folds.count()).toBe(0);
      expect(complaints).toEqual([]);
      await page.context().close();
    }),
    STORY_MS,
  );
});
