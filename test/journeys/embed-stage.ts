/** The product, a site it lets in, a site it does not know, and a browser to visit them with. */
import { freePort, MO, Product } from '@triptych/testkit';
import type { Browser, Locator, Page } from 'playwright-core';
import { openHostSite, pageWith, type HostSite } from './host-site.js';
import { chromiumPath, openBrowser, openPage, type Opened } from './pages.js';

export const STORY_MS = 180_000;
export const WISH = 'I would like to open an account with 2 million';

/** A proof that needs a browser. */
export const inBrowser = (body: () => Promise<void>) => async (): Promise<void> => {
  if (!chromiumPath) return console.log('skipped: no chromium on this machine');
  await body();
};

export class EmbedStage {
  private constructor(
    readonly product: Product,
    readonly browser: Browser,
    readonly site: HostSite,
    readonly stranger: HostSite,
  ) {}

  /** Nothing where there is no browser. */
  static async open(): Promise<EmbedStage | undefined> {
    if (!chromiumPath) return undefined;
    const port = await freePort();
    const product = await Product.start({ SPEED: '0.2', ALLOWED_ORIGINS: `http://127.0.0.1:${port}` });
    const site = await openHostSite(port, product);
    const stranger = await openHostSite(await freePort(), product);
    for (const each of [site, stranger])
      each.put('/look.css', 'body { margin: 0; font-family: sans-serif; }');
    const stage = new EmbedStage(product, await openBrowser(), site, stranger);
    site.put('/', stage.page(stage.chat()));
    return stage;
  }

  chat(attributes = 'id="chat" agent="onboarding" token-url="/token?sub=amelia"'): string {
    return `<triptych-chat hub="${this.product.url}" ${attributes}></triptych-chat>`;
  }

  /** A page that loads the chat from the hub, as most do. */
  page(body: string, head = '', from = this.product.url): string {
    return pageWith(body, `${head}<script type="module" src="${from}/embed/triptych-chat.js"></script>`);
  }

  visit(path = '/', of: HostSite = this.site): Promise<Opened> {
    return openPage(this.browser, `${of.url}${path}`);
  }

  /** On the reviewer's own page, as a person does it. */
  async approve(): Promise<void> {
    const desk = await openPage(this.browser, `${this.product.url}/reviewer`);
    await desk.page
      .getByText(/^Open account A-/u)
      .first()
      .click();
    const approving = (name: RegExp): Locator => desk.page.getByRole('button', { name }).first();
    await approving(/^approve/iu).click();
    await approving(/^approve €/iu).click();
    await desk.page.getByText('Approved').first().waitFor();
    await close(desk);
  }

  /** The customers who read a thread now, as the operator is told. */
  async readersOf(threadId: string): Promise<number> {
    const token = await this.product.token(MO);
    const path = `/v1/threads/${threadId}/subscribers`;
    const { items } = await this.product.json<{ items: { surface: string }[] }>(path, { token });
    return items.filter(({ surface }) => surface === 'customer').length;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await Promise.all([this.site.stop(), this.stranger.stop(), this.product.stop()]);
  }
}

export const close = (...opened: readonly Opened[]): Promise<unknown> =>
  Promise.all(opened.map(({ page }) => page.context().close()));

export const writeIn = (within: Page | Locator): Locator =>
  within.getByRole('textbox', { name: 'Write a message' });

export const say = async (within: Page | Locator, words: string): Promise<void> => {
  await writeIn(within).fill(words);
  await writeIn(within).press('Enter');
};

export const waiting = (within: Page | Locator): Locator =>
  within.getByRole('heading', { name: 'An adviser is reviewing this' });

export const placeOf = (page: Page): Promise<string | null> =>
  page.locator('#chat').getAttribute('thread-id');
