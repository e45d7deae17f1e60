/** Opens the product's pages in a real Chromium, as three people at three screens. */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

const CHROMIUM_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Undefined: there is no Chromium on this machine. */
export const chromiumPath = process.env.CHROMIUM_PATH || CHROMIUM_PLACES.find((path) => existsSync(path));

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(chromiumPath ? { executablePath: chromiumPath } : {}), args: FLAGS });

export interface Opened {
  readonly page: Page;
  /** What the page complained of. */
  readonly complaints: string[];
}

export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 360, height: 740 };

/** Each page in a browser context of its own: three people do not share a session. */
export const openPage = async (browser: Browser, url: string, viewport = WIDE): Promise<Opened> => {
  const context = await browser.newContext({ viewport, locale: 'en-GB' });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, complaints };
};
