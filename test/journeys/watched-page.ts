/** Watches what a page does with what it was told: scripts that ran, requests that left, links that lead astray. */
import type { Browser, Page } from 'playwright-core';
import { WIDE } from './pages.js';

/** Told before any script of the page runs. */
const TRAP = `
  window.__broken = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    window.__broken.push([violatedDirective, blockedURI, sample].join(' ')));
`;

/** What must not be found below the page's root, and links that lead anywhere but to the web, mail or this page. */
const ASTRAY = `(() => {
  const root = document.querySelector('#root');
  const foreign = [...root.querySelectorAll('script, iframe, object, embed, base, style, img, link, form[action]')];
  const astray = [...root.querySelectorAll('a[href]')].filter(({ protocol, origin, rel }) =>
    origin === location.origin ? false
      : !['http:', 'https:', 'mailto:'].includes(protocol) || !rel.split(' ').includes('noopener'));
  const acting = [...root.querySelectorAll('*')].filter((element) =>
    element.getAttributeNames().some((name) => name.startsWith('on')));
  return [...foreign, ...astray, ...acting].map((element) => element.outerHTML.slice(0, 200));
})()`;

export interface WatchedPage {
  readonly page: Page;
  /** Empty where all was taken for text. */
  readonly deeds: () => Promise<readonly string[]>;
}

export const watchedPage = async (browser: Browser, url: string, before = ''): Promise<WatchedPage> => {
  const context = await browser.newContext({ viewport: WIDE, locale: 'en-GB' });
  const page = await context.newPage();
  const seen: string[] = [];
  const { origin } = new URL(url);
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const to = new URL(request.url());
    if (to.origin !== origin && !['data:', 'blob:'].includes(to.protocol)) seen.push(`request ${to.href}`);
  });
  page.on('pageerror', (error) => seen.push(`error ${error.message}`));
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) seen.push(`frame ${frame.url()}`);
  });
  await page.addInitScript(TRAP + before);
  await page.goto(url);
  return {
    page,
    deeds: async () => {
      const ran = await page.evaluate<string | null>(`'__xss' in window ? 'ran ' + window.__xss : null`);
      const broken = await page.evaluate<string[]>('window.__broken');
      return [...seen, ...(ran === null ? [] : [ran]), ...broken, ...(await page.evaluate<string[]>(ASTRAY))];
    },
  };
};
