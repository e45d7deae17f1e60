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

const VIEWPORT = { width: 1_280, height: 800 };
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

const takePictures = async (browser, url) => {
  const open = async (surface) => {
    const page = await browser.newPage({ viewport: VIEWPORT });
    await page.goto(`${url}/${surface}`);
    return page;
  };
  const keep = (page, name) => page.screenshot({ path: join(OUT, `${name}.png`) });
  const customer = await open('customer');
  await customer.getByRole('textbox').fill(REQUEST);
  await customer.keyboard.press('Enter');
  await customer.getByText('With an adviser').first().waitFor();
  const reviewer = await open('reviewer');
  await reviewer
    .getByText(/^Open account/)
    .first()
    .click();
  await reviewer
    .getByRole('button', { name: /approve/i })
    .first()
    .waitFor();
  const operator = await open('operator');
  await operator.getByText('Amelia Hartmann').first().click();
  await operator.getByText('RUN_FINISHED').first().waitFor();
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
