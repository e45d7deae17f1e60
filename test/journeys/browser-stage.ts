/** The product with a browser before it, for journeys on its pages. */
import { Product } from '@triptych/testkit';
import type { Browser } from 'playwright-core';
import { chromiumPath, openBrowser, openPage, type Opened, type WIDE } from './pages.js';

export const STORY_MS = 120_000;

/** What a journey does in a browser; where there is none it says so and does nothing. */
export const inBrowser = (story: () => Promise<void>) => async (): Promise<void> => {
  if (!chromiumPath) return console.log('skipped: no chromium on this machine');
  await story();
};

export interface BrowserStage {
  readonly product: Product;
  readonly open: (path: string, viewport?: typeof WIDE) => Promise<Opened>;
}

/** One product and one browser for all journeys of a file. `settings`: asked for when the stage is set. */
export const onPages = (
  settings: () => Promise<Readonly<Record<string, string>>> = async () => ({}),
): BrowserStage => {
  let product: Product | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (!chromiumPath) return;
    product = await Product.start(await settings());
    browser = await openBrowser();
  }, STORY_MS);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  }, STORY_MS);
  return {
    get product() {
      return product as Product;
    },
    open: (path, viewport) => openPage(browser as Browser, `${product?.url}${path}`, viewport),
  };
};
