/** The chat on another site: whole stories under the strictest policy, who is at the page, and where it goes on. */
import { gzipSync } from 'node:zlib';
import { until } from '@triptych/testkit';
import { verifies } from '../spec/verifies.js';
import {
  close,
  EmbedStage,
  inBrowser,
  placeOf,
  say,
  STORY_MS,
  waiting,
  WISH,
  writeIn,
} from './embed-stage.js';
import type { Opened } from './pages.js';

let stage: EmbedStage;

beforeAll(async () => {
  const opened = await EmbedStage.open();
  if (opened) stage = opened;
}, STORY_MS);
beforeEach(() => stage?.site.asUsual());
afterAll(() => stage?.stop(), STORY_MS);

describe('the chat on another site', () => {
  verifies(
    'WEB-75',
    'lives through a whole story and two reloads, under the strictest policy',
    inBrowser(async () => {
      const bank = await stage.visit();
      const { page } = bank;
      await say(page, WISH);
      await page.getByText(/check who you are/iu).waitFor();
      await page.reload();
      await waiting(page).waitFor();
      await page.reload();
      await waiting(page).waitFor();
      expect(await page.getByText(WISH).first().isVisible()).toBe(true);
      await stage.approve();
      await page
        .getByText(/An adviser agreed\. Your account .* is open with/u)
        .first()
        .waitFor();
      expect(bank.complaints).toEqual([]);
      await close(bank);
    }),
    STORY_MS,
  );

  verifies(
    'WEB-75',
    'shows a question’s form, loaded when it is needed',
    inBrowser(async () => {
      const { site } = stage;
      site.put('/trip', stage.page(stage.chat('id="chat" agent="trip-planner" token-url="/token?sub=ben"')));
      const bank = await stage.visit('/trip');
      await say(bank.page, 'a weekend away');
      await bank.page.getByRole('button', { name: 'Send answers' }).waitFor();
      await bank.page.locator('.ask input, .ask select').first().waitFor({ state: 'attached' });
      expect(bank.complaints).toEqual([]);
      await close(bank);
    }),
    STORY_MS,
  );

  verifies(
    'WEB-84',
    'shows what is written as text, and no markup of it',
    inBrowser(async () => {
      const bank = await stage.visit();
      const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
      await say(bank.page, evil);
      await bank.page.locator('#chat').getByText(evil).first().waitFor();
      expect(await bank.page.locator('#chat img, #chat script').count()).toBe(0);
      expect(await bank.page.title()).toBe('Harbour Bank');
      expect(bank.complaints).toEqual([]);
      await close(bank);
    }),
    STORY_MS,
  );
});

describe('who is at the page', () => {
  const SOURCE = `
    const chat = document.querySelector('triptych-chat');
    chat.getToken = async ({ fresh }) => {
      const answer = await fetch('/token?sub=amelia&fresh=' + fresh);
      return answer.ok ? (await answer.json()).token : undefined;
    };`;
  const openWithSource = async (): Promise<Opened> => {
    stage.site.put('/page.js', SOURCE);
    const chat = stage.chat('id="chat" agent="onboarding"');
    stage.site.put('/own', stage.page(chat, '<script type="module" src="/page.js"></script>'));
    return stage.visit('/own');
  };

  verifies(
    'WEB-76',
    'a token that ends is renewed by the page on the same connection',
    inBrowser(async () => {
      const { site } = stage;
      site.ttlSeconds = 64;
      const before = site.asked.length;
      const opened = await openWithSource();
      await writeIn(opened.page).waitFor();
      const sockets: string[] = [];
      opened.page.on('websocket', (socket) => void sockets.push(socket.url()));
      await until(() => site.asked.slice(before).some(({ fresh }) => fresh));
      await say(opened.page, WISH);
      await opened.page.getByText(/check who you are/iu).waitFor();
      expect(sockets).toEqual([]);
      await close(opened);
    }),
    STORY_MS,
  );

  verifies(
    'WEB-76',
    'two people on one page have conversations and drafts of their own',
    inBrowser(async () => {
      const chats = ['amelia', 'ben'].map((sub) =>
        stage.chat(`id="${sub}" agent="onboarding" token-url="/token?sub=${sub}"`),
      );
      stage.site.put('/both', stage.page(chats.join('')));
      const bank = await stage.visit('/both');
      const [amelia, ben] = [bank.page.locator('#amelia'), bank.page.locator('#ben')];
      await writeIn(ben).fill('what Ben has begun');
      await say(amelia, WISH);
      await waiting(amelia).waitFor();
      expect(await ben.getByText(WISH).count()).toBe(0);
      await bank.page.reload();
      await waiting(amelia).waitFor();
      expect(await writeIn(ben).inputValue()).toBe('what Ben has begun');
      expect(bank.complaints).toEqual([]);
      await close(bank);
    }),
    STORY_MS,
  );

  verifies(
    'WEB-76',
    'another person gets another chat, and nobody is told so',
    inBrowser(async () => {
      stage.site.ttlSeconds = 64;
      const bank = await openWithSource();
      await say(bank.page, 'only for Amelia');
      await bank.page.getByText('only for Amelia').first().waitFor();
      Object.assign(stage.site, { signedIn: 'ben', ttlSeconds: 3_600 });
      await until(async () => (await bank.page.getByText('only for Amelia').count()) === 0);
      await writeIn(bank.page).waitFor();
      expect(await placeOf(bank.page)).toBeNull();
      expect(await bank.page.getByText('There is nothing here').count()).toBe(0);
      stage.site.signedIn = 'nobody';
      await bank.page.reload();
      await bank.page.getByText('You were signed out.').waitFor();
      await close(bank);
    }),
    STORY_MS,
  );
});

describe('taken out and put back', () => {
  verifies(
    'WEB-79',
    'it leaves its thread, and comes back to its place and draft',
    inBrowser(async () => {
      stage.site.put('/nothing', stage.page(''));
      const bank = await stage.visit('/nothing');
      const { page } = bank;
      const sockets = { open: 0, made: 0 };
      page.on('websocket', (socket) => {
        sockets.open += 1;
        sockets.made += 1;
        socket.on('close', () => (sockets.open -= 1));
      });
      await page.goto(stage.site.url);
      await say(page, WISH);
      await page.getByText(/check who you are/iu).waitFor();
      const threadId = (await placeOf(page)) ?? '';
      await until(async () => (await stage.readersOf(threadId)) === 1);
      await page.evaluate(`document.body.prepend(document.getElementById('chat'))`);
      await page.evaluate(`(globalThis.kept = document.getElementById('chat')).remove()`);
      await until(async () => (await stage.readersOf(threadId)) === 0);
      expect(sockets).toEqual({ open: 0, made: 1 });
      await page.evaluate(`document.body.append(globalThis.kept)`);
      await page.getByText(WISH).first().waitFor();
      expect(await placeOf(page)).toBe(threadId);
      await waiting(page).waitFor();
      await page.getByRole('button', { name: 'New conversation' }).first().click();
      await writeIn(page).fill('for later');
      await page.evaluate(`globalThis.kept.remove()`);
      await until(() => sockets.open === 0);
      await page.evaluate(`document.body.append(globalThis.kept)`);
      expect(await writeIn(page).inputValue()).toBe('for later');
      expect(await placeOf(page)).toBeNull();
      await page.evaluate(`globalThis.kept.threadId = '${threadId}'`);
      await waiting(page).waitFor();
      expect(sockets).toEqual({ open: 1, made: 3 });
      expect(bank.complaints).toEqual([]);
      await close(bank);
    }),
    STORY_MS,
  );
});

describe('what stands in the way', () => {
  verifies(
    'WEB-80',
    'a site the hub does not let in is told so on its page, with what would help',
    inBrowser(async () => {
      const { stranger } = stage;
      stranger.put('/', stage.page(stage.chat(), '', ''));
      const visit = await stage.visit('/', stranger);
      const words = `does not answer this page. Whoever runs it has to allow ${stranger.url}`;
      await visit.page.getByText(words).waitFor();
      await close(visit);
    }),
    STORY_MS,
  );

  verifies(
    'CLI-41',
    'a person without the role, and a token that is none, are not tried for ever',
    inBrowser(async () => {
      const { site } = stage;
      site.put('/tove', stage.page(stage.chat('id="chat" token-url="/token?sub=tove"')));
      const reviewer = await stage.visit('/tove');
      await reviewer.page.getByText('You no longer have access to this.').first().waitFor();
      site.put('/none.js', `document.querySelector('triptych-chat').getToken = async () => 'none';`);
      site.put(
        '/none',
        stage.page(stage.chat('id="chat"'), '<script type="module" src="/none.js"></script>'),
      );
      const nobody = await stage.visit('/none');
      await nobody.page.getByText('You were signed out.').first().waitFor();
      await close(reviewer, nobody);
    }),
    STORY_MS,
  );

  verifies(
    'WEB-80',
    'a chat that was told too little says what is missing',
    inBrowser(async () => {
      const bare = '<triptych-chat></triptych-chat>';
      stage.site.put('/empty', stage.page(bare + stage.chat('id="chat"')));
      const bank = await stage.visit('/empty');
      await bank.page.getByText('This chat does not know its hub.').waitFor();
      await bank.page.getByText('No sign-in is set up for this chat.').waitFor();
      expect(bank.complaints).toEqual([]);
      await close(bank);
    }),
    STORY_MS,
  );
});

describe('the hub’s own copy', () => {
  verifies(
    'WEB-83',
    'is one line away for the sites it lets in, fresh when it changed, and cut to the budget',
    inBrowser(async () => {
      const { product, site, stranger } = stage;
      const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
        fetch(`${product.url}/embed/${path}`, { headers });
      const script = await get('triptych-chat.js', { origin: site.url });
      const code = await script.text();
      expect(script.status).toBe(200);
      expect(script.headers.get('content-type')).toContain('text/javascript');
      expect(script.headers.get('access-control-allow-origin')).toBe(site.url);
      expect(script.headers.get('cache-control')).toBe('no-cache');
      const known = { 'if-none-match': script.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
      const again = await get('triptych-chat.js', known);
      expect([again.status, again.headers.get('vary')]).toEqual([304, 'Origin']);
      const [, form] = /assets\/(schema-form-[\w-]+\.js)/u.exec(code) ?? [];
      const part = await get(`assets/${form}`, { origin: site.url });
      expect([part.status, part.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
      expect((await get('triptych-chat.js', { origin: stranger.url })).status).toBe(403);
      expect(gzipSync(code).length).toBeLessThan(200_000);
    }),
    STORY_MS,
  );
});
