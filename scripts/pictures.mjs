/** Takes the pictures of README.md from the running product: one thread, waiting for a person, on three surfaces. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { freePort } from './ports.mjs';
import { root } from './processes.mjs';
import { onPath } from './redis-server.mjs';

const WIDE = { width: 1_440, height: 900 };
const NARROW = { width: 360, height: 740 };
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];
const REQUEST = 'I would like to open an account with 2 million';
const OUT = join(root, 'docs/images');

const startProduct = async (env) => {
  const launcher = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const text of launcher.stdout) if (String(text).includes('Stop with Ctrl-C')) break;
  if (launcher.exitCode !== null) throw new Error('The product did not start.');
  launcher.stdout.resume();
  return launcher;
};

const opener = (browser, url) => async (surface) => {
  const context = await browser.newContext({ viewport: WIDE, locale: 'en-GB', colorScheme: 'light' });
  const page = await context.newPage();
  await page.goto(`${url}/${surface}`);
  return page;
};

/** A virtual log draws what is in sight only after it was laid out anew. */
const drawn = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

const keep = async (page, name) => {
  for (const { viewport, suffix } of [
    { viewport: NARROW, suffix: '-360' },
    { viewport: WIDE, suffix: '' },
  ]) {
    await page.setViewportSize(viewport);
    await drawn(page);
    await page.screenshot({ path: join(OUT, `${name}${suffix}.png`) });
  }
};

const customerWaits = async (page) => {
  await page.getByRole('textbox').fill(REQUEST);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'An adviser is reviewing this' }).waitFor();
};

const reviewerReads = async (page) => {
  await page
    .getByText(/^Open account/)
    .first()
    .click();
  await page.getByText('Conversation around it').waitFor();
  await page.keyboard.press('g');
  await page.getByText(/^Yours for/).waitFor();
};

/** The customer saw this event redacted, the reviewer as it was sent: what the marks are for. */
const operatorInspects = async (page) => {
  await page.getByText('RUN_FINISHED').first().waitFor();
  await page.getByText('TOOL_CALL_START').last().click();
  await page.getByText('Who would see it now').waitFor();
  await page.mouse.move(0, 0);
};

const takePictures = async (browser, url) => {
  const open = opener(browser, url);
  const customer = await open('customer');
  await customerWaits(customer);
  const reviewer = await open('reviewer');
  await reviewerReads(reviewer);
  const operator = await open('operator');
  await operatorInspects(operator);
  await keep(customer, 'customer');
  await keep(reviewer, 'reviewer');
  await keep(operator, 'operator');
};

mkdirSync(OUT, { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'triptych-pictures-'));
const port = String(await freePort());
const launcher = await startProduct({ DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'error' });
const executablePath = process.env.CHROMIUM_PATH || onPath('chromium', 'chromium-browser', 'google-chrome');
const browser = await chromium.launch({ executablePath, args: FLAGS });
try {
  await takePictures(browser, `http://127.0.0.1:${port}`);
} finally {
  await browser.close();
  launcher.kill('SIGTERM');
  await once(launcher, 'exit');
  rmSync(dataDir, { recursive: true, force: true });
}
