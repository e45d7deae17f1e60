/** Proves that no page takes what anybody wrote for more than text, wherever it is shown and however it arrives. */
import { AMELIA, Product, TOVE, type Person } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
import type { Browser, Page } from 'playwright-core';
import { verifies } from '../spec/verifies.js';
import { ASKS, COMMENT, FAILS, FOUL, HOSTILE_PLANS, MARKUP, REASON, TITLE } from './hostile-texts.js';
import { chromiumPath, openBrowser } from './pages.js';
import { quickAgent, type QuickAgent } from './quick-agent.js';
import { watchedPage } from './watched-page.js';
import { inputOf, runBody, taskOf } from './wire.js';

const STORY_MS = 180_000;
/** Threads: one with a question to a reviewer, one with one to the customer as well, one that failed, one declined. */
const [REVIEWED, ASKED, FAILED, DECLINED] = [
  'hostile-reviewed',
  'hostile-asked',
  'hostile-failed',
  'hostile-no',
];

let agent: QuickAgent;
let product: Product;
let browser: Browser;
let task: TaskView;

const run = async (threadId: string, words: string): Promise<void> => {
  const token = await product.token(AMELIA);
  await (await product.fetch('/v1/agents/quick/run', { token, body: inputOf(threadId, words) })).text();
};
const act = async (taskId: string, verb: string, body: object, person: Person = TOVE): Promise<void> => {
  const token = await product.token(person);
  const answer = await product.fetch(`/v1/approvals/${encodeURIComponent(taskId)}/${verb}`, { token, body });
  expect(answer.ok ? '' : await answer.text()).toBe('');
};

beforeAll(async () => {
  if (!chromiumPath) return;
  agent = await quickAgent(HOSTILE_PLANS);
  product = await Product.start({ AGENTS_FILE: agent.agentsFile, SPEED: '0.2' });
  browser = await openBrowser();
  await run(REVIEWED, TITLE);
  await run(ASKED, ASKS);
  await run(FAILED, FAILS);
  await run(DECLINED, TITLE);
  task = await taskOf(product, REVIEWED);
  await act(task.taskId, 'comment', { text: COMMENT });
  const declined = await taskOf(product, DECLINED);
  const { rev, proposalHash } = declined;
  await act(declined.taskId, 'decide', { rev, proposalHash, verb: 'reject', reason: REASON });
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

/** As the text it is. */
const shows = (page: Page, words: string): Promise<void> =>
  page.getByText(words).filter({ visible: true }).first().waitFor();
const MARK = 'onerror="window.__xss=1"';

const openForm = async (page: Page): Promise<void> => {
  await shows(page, MARK);
  await page.getByRole('button', { name: /^edit/iu }).first().click();
  await page.getByRole('textbox').first().waitFor();
};

const pickAll = async (page: Page): Promise<void> => {
  await page.locator('#tasks .task').first().waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('2 selected').waitFor();
};

/** Each of the first rows, taken apart. */
const inspectEach = async (page: Page): Promise<void> => {
  await page.getByRole('grid').press('Home');
  await page.waitForURL((url) => url.searchParams.get('seq') === '1');
  for (let nth = 1; nth <= 20; nth += 1) {
    await page.getByRole('complementary', { name: 'Event', exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
  }
};

const lookAtRuns = async (page: Page): Promise<void> => {
  await page.getByText('waiting for people').first().waitFor();
  await page.getByRole('button', { name: 'openAccount' }).click();
  await page.getByText('With people', { exact: true }).waitFor();
};

const searchEverything = async (page: Page): Promise<void> => {
  await page.getByRole('grid').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to or do something' }).fill('attack');
  await page.getByRole('dialog').getByRole('option').first().waitFor();
  await shows(page, 'onerror');
};

const readTrail = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Newer record' }).waitFor();
  await shows(page, 'What changed');
  await shows(page, MARK);
};

const AUDITOR = "sessionStorage.setItem('triptych.persona.operator', 'ada');";

const LOOKS: readonly (readonly [string, () => string, (page: Page) => Promise<void>, string?])[] = [
  ['the customer, waiting', () => `customer?thread=${REVIEWED}`, (page) => shows(page, MARK)],
  ['the customer, asked', () => `customer?thread=${ASKED}`, (page) => shows(page, MARK)],
  ['the customer, failed', () => `customer?thread=${FAILED}`, (page) => shows(page, MARK)],
  ['the customer, declined', () => `customer?thread=${DECLINED}`, (page) => shows(page, MARK)],
  ['the task', () => `reviewer?task=${task.taskId}`, (page) => shows(page, 'Comment <img')],
  ['the form of the task', () => `reviewer?task=${task.taskId}`, openForm],
  ['several tasks', () => 'reviewer', pickAll],
  ['the log', () => `operator?thread=${REVIEWED}`, inspectEach],
  ['the failed log', () => `operator?thread=${FAILED}`, (page) => shows(page, 'RUN_ERROR')],
  ['the runs', () => `operator?thread=${REVIEWED}&look=runs`, lookAtRuns],
  ['what they saw', () => `operator?thread=${REVIEWED}&look=saw`, (page) => shows(page, 'onerror')],
  ['the state', () => `operator?thread=${REVIEWED}&look=state`, (page) => shows(page, 'onerror')],
  ['the findings', () => `operator?thread=${REVIEWED}&look=findings`, (page) => shows(page, 'Attack')],
  ['the readers', () => `operator?thread=${REVIEWED}&look=readers`, (page) => shows(page, 'keeps up')],
  ['the palette', () => `operator?thread=${REVIEWED}`, searchEverything],
  ['the trail', () => `operator?view=trail&onTask=${task.taskId}&did=task.open&record=2`, readTrail, AUDITOR],
  ['the demo', () => `demo?thread=${REVIEWED}`, (page) => shows(page, MARK)],
];

describe('what was written to do harm', () => {
  for (const [what, path, look, before] of LOOKS)
    verifies(
      'WEB-91',
      `is text in ${what}`,
      inBrowser(async () => {
        const { page, deeds } = await watchedPage(browser, `${product.url}/${path()}`, before);
        await look(page);
        expect(await deeds()).toEqual([]);
        await page.context().close();
      }),
      STORY_MS,
    );

  verifies(
    'WEB-91',
    'is text while it arrives, letter by letter and cut at every place',
    inBrowser(async () => {
      const live = 'hostile-live';
      await run(live, 'hello');
      const pages = await Promise.all(
        [`customer?thread=${live}`, `operator?thread=${live}`, `demo?thread=${live}`].map((path) =>
          watchedPage(browser, `${product.url}/${path}`),
        ),
      );
      for (const { page } of pages) await page.getByText('hello').first().waitFor({ state: 'attached' });
      const token = await product.token(AMELIA);
      const body = { ...runBody(live, TITLE, 'live-2'), protocolVersion: '1.0' };
      await (await product.fetch('/v1/agents/quick/run', { token, body })).text();
      await shows(pages[0]!.page, MARK);
      await pages[0]!.page.getByRole('link', { name: 'web', exact: true }).first().waitFor();
      for (const { page, deeds } of pages) {
        expect(await deeds()).toEqual([]);
        await page.context().close();
      }
    }),
    STORY_MS,
  );

  verifies(
    'WEB-91',
    'is shown whole, and only links to web and mail are links',
    inBrowser(async () => {
      const { page } = await watchedPage(browser, `${product.url}/customer?thread=${REVIEWED}`);
      await page.getByRole('link', { name: 'web', exact: true }).waitFor();
      const links = page.getByRole('log').or(page.getByRole('main')).locator('a[href][rel]');
      const found = await links.evaluateAll((all) =>
        all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]),
      );
      const rel = 'noopener noreferrer nofollow';
      expect(found).toEqual([
        ['https://example.test/web', rel],
        ['mailto:help@example.test', rel],
      ]);
      const text = await page.locator('body').innerText();
      for (const markup of MARKUP.slice(0, 6)) expect(text).toContain(markup);
      expect(FOUL).toContain(MARK);
      await page.context().close();
    }),
    STORY_MS,
  );
});

const CODE = /unsafe-inline|unsafe-eval|unsafe-hashes|https?:|\*/u;

verifies(
  'WEB-92',
  'every page and every file of it comes with a policy that allows no code but our files',
  async () => {
    if (!chromiumPath) return console.log('skipped: no chromium on this machine');
    const pages = ['', 'customer', 'reviewer', 'operator', 'demo'];
    const texts = await Promise.all(pages.map(async (page) => (await product.fetch(`/${page}`)).text()));
    const assets = new Set(
      texts.flatMap((html) => [...html.matchAll(/(?:src|href)="(\/[^"]+)"/gu)].map(([, path]) => path!)),
    );
    expect(assets.size).toBeGreaterThan(10);
    for (const path of [...pages.map((page) => `/${page}`), ...assets, '/v1/config', '/no-such-page']) {
      const { headers } = await product.fetch(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect([path, policy.includes("default-src 'none'"), policy.includes("script-src 'self'")]).toEqual([
        path,
        true,
        true,
      ]);
      expect([path, policy.includes("require-trusted-types-for 'script'")]).toEqual([path, true]);
      expect([path, CODE.test(policy)]).toEqual([path, false]);
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
    }
    for (const html of texts) expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|<style/iu);
  },
);
