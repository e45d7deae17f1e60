/** Proves the example in a real browser: a conversation that outlives reloads, cuts and a hub that dies in the middle. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { freePort, Product, TOVE } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
import type { Browser, Page } from 'playwright-core';
import { verifies } from '../spec/verifies.js';
import { chromiumPath, openBrowser, openPage } from './pages.js';

const STORY_MS = 120_000;
const MAX_LINES = 200;

let product: Product;
let browser: Browser;
let server: ChildProcess;
let page: string;

beforeAll(async () => {
  if (!chromiumPath) return;
  const port = await freePort();
  const own = `http://127.0.0.1:${port}`;
  product = await Product.start({ SPEED: '0.2', ALLOWED_ORIGINS: own });
  server = spawn(process.execPath, ['examples/minimal-client/serve.mjs'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (server.stdout) await once(server.stdout, 'data');
  page = `${own}/?hub=${product.url}`;
  browser = await openBrowser();
}, STORY_MS);
afterAll(async () => {
  server?.kill();
  await browser?.close();
  await product?.stop();
}, STORY_MS);

const inBrowser = (name: string, body: () => Promise<void>): void =>
  verifies(
    'CLI-35',
    name,
    async () => {
      if (!chromiumPath) return console.log('skipped: no chromium on this machine');
      await body();
    },
    STORY_MS,
  );

const say = async (on: Page, words: string): Promise<void> => {
  await on.getByRole('textbox').fill(words);
  await on.keyboard.press('Enter');
};

const standing = (on: Page, run: string): Promise<unknown> =>
  on.locator(`#standing[data-run='${run}']`).waitFor({ state: 'attached', timeout: STORY_MS });

const shown = async (on: Page) => ({
  messages: await on.locator('#messages li').allTextContents(),
  steps: await on.locator('#steps li').allTextContents(),
});

const approve = async (threadId: string): Promise<void> => {
  const reviewer = await product.screen('reviewer', TOVE);
  const { items } = await reviewer.ask<{ items: TaskView[] }>('inbox.subscribe', {});
  const here = items.find((task) => task.threadId === threadId);
  const { taskId, rev, proposalHash } =
    here ?? ((await reviewer.next('task', (data) => data.threadId === threadId)).data as unknown as TaskView);
  await reviewer.ask('task.decide', { taskId, rev, proposalHash, verb: 'approve' });
  await reviewer.close();
};

describe('the minimal client', () => {
  verifies('CLI-35', 'is one file without a library', () => {
    const code = readFileSync('examples/minimal-client/minimal-client.js', 'utf8');
    expect(code.trimEnd().split('\n').length).toBeLessThan(MAX_LINES);
    expect(code).not.toMatch(/\bimport\b/u);
  });

  inBrowser('shows a run, the waiting and the end, over a reload in the middle', async () => {
    const { page: customer, complaints } = await openPage(browser, page);
    await say(customer, 'I would like to open an account with 2 million');
    await customer.locator('#messages .assistant').first().waitFor();
    await customer.reload();
    await standing(customer, 'waiting');
    expect(await customer.locator('#standing').textContent()).toContain('checked by a person');
    const threadId = new URL(customer.url()).hash.slice(1);
    const there = await openPage(browser, `${page}#${threadId}`);
    await standing(there.page, 'waiting');
    expect(await shown(there.page)).toEqual(await shown(customer));
    if (process.env.PICTURES)
      await customer.screenshot({ path: `${process.env.PICTURES}/minimal-client.png` });
    await approve(threadId);
    await standing(customer, 'idle');
    await standing(there.page, 'idle');
    expect(await shown(there.page)).toEqual(await shown(customer));
    expect((await shown(customer)).messages[0]).toBe('I would like to open an account with 2 million');
    expect(complaints).toEqual([]);
    await customer.context().close();
    await there.page.context().close();
  });

  inBrowser('goes on from its position when the hub dies in the middle, and starts anew', async () => {
    const { page: customer } = await openPage(browser, page);
    const frames: string[] = [];
    customer.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => frames.push(String(payload))),
    );
    await customer.reload();
    await say(customer, 'I would like to open an account with 2 million');
    await customer.locator('#messages .assistant').first().waitFor();
    const dead = await product.kill('hub');
    await customer.getByText('Connecting again').waitFor();
    await product.returned('hub', dead);
    await standing(customer, 'failed');
    const subscribed = frames.filter((frame) => frame.includes('"subscribe"')).at(-1) ?? '';
    expect(subscribed).toContain('"from"');
    const before = await shown(customer);
    await customer.reload();
    await standing(customer, 'failed');
    expect(await shown(customer)).toEqual(before);
    await say(customer, 'an account with 900000, please');
    await standing(customer, 'idle');
    expect((await shown(customer)).messages.length).toBeGreaterThan(before.messages.length);
    await customer.context().close();
  });
});
