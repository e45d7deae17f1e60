/** Takes the pictures of every screen from the running product: light, dark and narrow, into docs/images. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { asking, customerScenes, customerWaits, TALL } from './customer-scenes.mjs';
import { takeStrip } from './picture-strip.mjs';
import { freePort } from './ports.mjs';
import { root } from './processes.mjs';
import { onPath } from './redis-server.mjs';

const WIDE = { width: 1_440, height: 900 };
const NARROW = { width: 360, height: 740 };
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];
const OUT = join(root, 'docs/images');

/** Starts a program of ours; gives it once it has said the words that it is up. */
const start = async (script, up, env) => {
  const launcher = spawn(process.execPath, [script], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const text of launcher.stdout) if (String(text).includes(up)) break;
  if (launcher.exitCode !== null) throw new Error(`${script} did not start.`);
  launcher.stdout.resume();
  return launcher;
};

const opener = (browser, url) => async (surface, more) => {
  const context = await browser.newContext({
    viewport: WIDE,
    locale: 'en-GB',
    colorScheme: 'light',
    // Else a button that has just come on is taken half faded.
    reducedMotion: 'reduce',
    ...more,
  });
  const page = await context.newPage();
  await page.goto(`${url}/${surface}`);
  return page;
};

/** A virtual log draws what is in sight only after it was laid out anew. */
const drawn = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** The one without a suffix is last: the next scene begins in it. */
const LOOKS = [
  { suffix: '-360', narrow: true, colorScheme: 'light' },
  { suffix: '-dark', narrow: false, colorScheme: 'dark' },
  { suffix: '', narrow: false, colorScheme: 'light' },
];

const keep = async (page, name, wide = WIDE) => {
  for (const { suffix, narrow, colorScheme } of LOOKS) {
    await page.setViewportSize(narrow ? NARROW : wide);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await drawn(page);
    await page.screenshot({ path: join(OUT, `${name}${suffix}.png`) });
  }
};

const reviewerReads = async (page) => {
  await page
    .getByText(/^Open account A-/)
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

/** Refunds that wait, so that there is something to pick several of. */
const askForRefunds = async (url, count) => {
  const ask = asking(url);
  const { token } = await (await ask('/v1/dev/token', { body: { sub: 'ben', roles: ['customer'] } })).json();
  for (let nth = 1; nth <= count; nth += 1) {
    const messages = [{ id: `ask-${nth}`, role: 'user', content: 'My parcel never came' }];
    const rest = { tools: [], context: [], state: {}, forwardedProps: {} };
    const run = { threadId: `refund-${nth}`, runId: `run-${nth}`, messages, ...rest };
    await (await ask('/v1/agents/refund/run', { body: run, token })).text();
  }
};

const reviewerEdits = async (page) => {
  await page.keyboard.press('e');
  await page.getByText('What changes').waitFor();
  const amount = page.getByLabel('First payment');
  await amount.fill('1750000');
  await page.getByText('1 change', { exact: true }).first().waitFor();
};

const reviewerPicks = async (page) => {
  await page.keyboard.press('Escape');
  const fresh = page.locator('button.fresh');
  if (await fresh.isVisible()) await fresh.click();
  for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('3 selected').waitFor();
};

/** The console's other looks at the same thread, by what the address says. */
const LOOKS_OF_A_THREAD = ['saw', 'runs', 'state'];
const PLACES = ['batches', 'health'];

/** As somebody who may read it. */
const trailPicture = async (page, base) => {
  await page.evaluate(() => sessionStorage.setItem('triptych.persona.operator', 'ada'));
  await page.goto(`${base.origin}/operator?view=trail&record=1`);
  await page.getByText('The seal holds.').waitFor();
  await keep(page, 'operator-trail');
};

const consolePictures = async (page) => {
  const base = new URL(page.url());
  for (const [name, values] of Object.entries({ look: LOOKS_OF_A_THREAD, view: PLACES })) {
    for (const value of values) {
      const address = new URL(base);
      address.searchParams.delete('seq');
      address.searchParams.set(name, value);
      await page.goto(address.href);
      await page.waitForLoadState('networkidle');
      await keep(page, `operator-${value}`);
    }
  }
  await trailPicture(page, base);
};

const customerPictures = async (open) => {
  const customer = await open('customer');
  await customer.getByRole('textbox').waitFor();
  await keep(customer, 'customer-new');
  await customerWaits(customer);
  await keep(customer, 'customer', TALL);
  return customer;
};

const otherPictures = async (open, url) => {
  await keep(await open(''), 'start');
  const reviewer = await open('reviewer');
  await reviewer.locator('#tasks .task').first().waitFor();
  await keep(reviewer, 'reviewer-inbox');
  await reviewerReads(reviewer);
  await keep(reviewer, 'reviewer');
  await reviewerEdits(reviewer);
  await keep(reviewer, 'reviewer-edit');
  await reviewer.keyboard.press('Escape');
  await askForRefunds(url, 3);
  await reviewerPicks(reviewer);
  await keep(reviewer, 'reviewer-several');
  const operator = await open('operator');
  await operatorInspects(operator);
  await keep(operator, 'operator');
  await consolePictures(operator);
};

/** All three at one question: the reviewer's panel opens by itself what the customer waits for. */
const takeDemo = async (browser, url) => {
  const demo = await opener(browser, url)('demo');
  await demo.getByRole('textbox').first().fill('I would like to open an account with 2 million');
  await demo.keyboard.press('Enter');
  await demo.getByText('An adviser is reviewing this').first().waitFor();
  await demo.getByText('Conversation around it').waitFor();
  await demo.getByText('RUN_FINISHED').last().waitFor();
  await keep(demo, 'demo');
};

/** Waiting comes first, so that the desk and the console have something to show; the rest would crowd them. */
const takeSurfaces = async (browser, url) => {
  const open = opener(browser, url);
  const home = await customerPictures(open);
  await otherPictures(open, url);
  await customerScenes({ open, home, keep, ask: asking(url) });
};

const takeCustomer = async (browser, url) => {
  const open = opener(browser, url);
  const home = await customerPictures(open);
  await customerScenes({ open, home, keep, ask: asking(url) });
};

/** Somebody else's page with the chat in it. */
const takeEmbedded = async (browser, hub, own) => {
  const env = { HUB: hub, PORT: new URL(own).port };
  const bank = await start('examples/embedded/serve.mjs', 'http://', env);
  try {
    const page = await opener(browser, own)('');
    await customerWaits(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await keep(page, 'embedded');
  } finally {
    bank.kill('SIGTERM');
    await once(bank, 'exit');
  }
};

const SCENES = {
  surfaces: takeSurfaces,
  customer: takeCustomer,
  demo: takeDemo,
  embedded: takeEmbedded,
  story: (browser) => takeStrip(browser, OUT),
};
/** What is in no other. */
const ALL = ['surfaces', 'demo', 'embedded', 'story'];

mkdirSync(OUT, { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'triptych-pictures-'));
const port = String(await freePort());
const own = `http://127.0.0.1:${await freePort()}`;
const env = { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'error', ALLOWED_ORIGINS: own };
const launcher = await start('scripts/start.mjs', 'Stop with Ctrl-C', env);
const executablePath = process.env.CHROMIUM_PATH || onPath('chromium', 'chromium-browser', 'google-chrome');
const browser = await chromium.launch({ executablePath, args: FLAGS });
const scenes = process.argv.length > 2 ? process.argv.slice(2) : ALL;
try {
  for (const scene of scenes) await SCENES[scene](browser, `http://127.0.0.1:${port}`, own);
} finally {
  await browser.close();
  launcher.kill('SIGTERM');
  await once(launcher, 'exit');
  rmSync(dataDir, { recursive: true, force: true });
}
