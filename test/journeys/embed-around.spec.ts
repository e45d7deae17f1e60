/** The page around an embedded chat: what of it reaches the chat, and that nothing of the chat reaches it. */
import { until } from '@triptych/testkit';
import type { Page } from 'playwright-core';
import { findingsOn } from './axe.js';
import { verifies } from '../spec/verifies.js';
import { close, EmbedStage, inBrowser, say, STORY_MS, waiting, WISH, writeIn } from './embed-stage.js';
import { pageWith } from './host-site.js';
import type { Opened } from './pages.js';

let stage: EmbedStage;

beforeAll(async () => {
  const opened = await EmbedStage.open();
  if (opened) stage = opened;
}, STORY_MS);
afterAll(() => stage?.stop(), STORY_MS);

const HOSTILE = `
  * { all: unset; color: red; letter-spacing: 9px; text-transform: uppercase; text-align: right; }
  button, textarea, h2, p, div { display: none !important; }
  :root { --accent: red; --surface: red; --text: red; }`;

/** How the chat looks from within. */
const INSIDE = `(chat) => {
  const said = ['display', 'color', 'backgroundColor', 'fontSize', 'letterSpacing', 'textTransform', 'textAlign'];
  const styles = ['.composer .btn', 'textarea', '.cu-title h2', '.fine'].map((name) => {
    const style = getComputedStyle(chat.shadowRoot.querySelector(name));
    return said.map((key) => name + ' ' + key + ' ' + style[key]);
  });
  return { styles, height: chat.getBoundingClientRect().height };
}`;

/** How the page looks beside it; sizes are the page's own doing. */
const AROUND = `(() => {
  const all = ['html', 'body', 'button', 'p', 'h1'].map((name) => {
    const style = getComputedStyle(document.querySelector(name));
    const sized = /size|height|width|origin|inset|perspective/u;
    return [...style].filter((key) => !sized.test(key)).map((key) => key + ':' + style.getPropertyValue(key));
  });
  const sheets = document.styleSheets.length + document.adoptedStyleSheets.length;
  return { all, sheets, title: document.title, active: document.activeElement.tagName, asked: location.search };
})()`;

interface Theme {
  readonly text: string;
}
const THEME = `(chat) => {
  const style = (name) => getComputedStyle(chat.shadowRoot.querySelector(name));
  return {
    accent: style('.btn.primary').backgroundColor,
    canvas: style('.cu-rail').backgroundColor,
    font: style('textarea').fontFamily,
    height: chat.getBoundingClientRect().height,
    text: style('textarea').color,
  };
}`;

const OVERFLOWS = `(chat) =>
  [...chat.shadowRoot.querySelectorAll('.surface, .cu, .cu-main, .cu-scroll')].some(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)`;

/** The head of what waits is within the part of the talk that is seen. */
const IN_SIGHT = `(chat) => {
  const [head, seen] = ['.hold h2', '.cu-scroll'].map((name) => chat.shadowRoot.querySelector(name).getBoundingClientRect());
  return head.top >= seen.top && head.bottom <= seen.bottom;
}`;

const askChat = <T>(page: Page, question: string): Promise<T> =>
  page.evaluate<T>(`(${question})(document.getElementById('chat'))`);

const WIDTHS = [320, 480, 760, 1_024, 1_180, 1_440];
/** From here on there is room for the list of conversations. */
const RAIL_FROM = 760;

const LIGHT_ON_DARK = 'rgb(240, 237, 231)';

describe('the page around', () => {
  verifies(
    'WEB-77',
    'takes nothing from the chat by styles against everything',
    inBrowser(async () => {
      const { site } = stage;
      site.put('/hostile.css', HOSTILE);
      site.put('/hostile', stage.page(stage.chat(), '<link rel="stylesheet" href="/hostile.css">'));
      const [there, here] = [await stage.visit('/hostile'), await stage.visit()];
      const look = async ({ page }: Opened): Promise<unknown> => {
        await page.getByRole('button', { name: 'Send' }).waitFor();
        return askChat<unknown>(page, INSIDE);
      };
      expect(await look(there)).toEqual(await look(here));
      await close(there, here);
    }),
    STORY_MS,
  );

  verifies(
    'WEB-77',
    'is left as it was: no style, class, variable or focus of the chat is in it',
    inBrowser(async () => {
      const { site } = stage;
      const own = '<button>Pay</button><p class="surface btn card">Mine</p>';
      site.put('/plain', pageWith(own));
      site.put('/with', stage.page(own + stage.chat()));
      const [without, withChat] = [await stage.visit('/plain'), await stage.visit('/with')];
      await writeIn(withChat.page).waitFor();
      const look = ({ page }: Opened): Promise<unknown> => page.evaluate<unknown>(AROUND);
      expect(await look(withChat)).toEqual(await look(without));
      await close(without, withChat);
    }),
    STORY_MS,
  );

  verifies(
    'WEB-78',
    'gives it colours, typeface and size by variables',
    inBrowser(async () => {
      const { site } = stage;
      const given = `--triptych-accent: rgb(120, 0, 120); --triptych-canvas: rgb(1, 2, 3); --triptych-font-ui: monospace;`;
      site.put('/themed.css', `triptych-chat { ${given} --triptych-height: 500px; }`);
      site.put('/themed', stage.page(stage.chat(), '<link rel="stylesheet" href="/themed.css">'));
      const bank = await stage.visit('/themed');
      await bank.page.emulateMedia({ reducedMotion: 'reduce' });
      await writeIn(bank.page).fill('something to send');
      expect(await askChat<unknown>(bank.page, THEME)).toMatchObject({
        accent: 'rgb(120, 0, 120)',
        canvas: 'rgb(1, 2, 3)',
        font: 'monospace',
        height: 500,
      });
      await close(bank);
    }),
    STORY_MS,
  );

  verifies(
    'WEB-78',
    'gives it light: its own, or what an attribute says',
    inBrowser(async () => {
      const { site } = stage;
      site.put('/dark.css', 'html { color-scheme: light dark; }');
      site.put('/dark', stage.page(stage.chat(), '<link rel="stylesheet" href="/dark.css">'));
      const [plain, following] = [await stage.visit(), await stage.visit('/dark')];
      const text = async ({ page }: Opened, theme = ''): Promise<string> => {
        await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' });
        await writeIn(page).fill('something to send');
        await page.evaluate(`document.getElementById('chat').theme = '${theme}'`);
        return (await askChat<Theme>(page, THEME)).text;
      };
      expect(await text(plain)).not.toBe(LIGHT_ON_DARK);
      expect(await text(plain, 'dark')).toBe(LIGHT_ON_DARK);
      expect(await text(following)).toBe(LIGHT_ON_DARK);
      expect(await text(following, 'light')).not.toBe(LIGHT_ON_DARK);
      await close(plain, following);
    }),
    STORY_MS,
  );

  verifies(
    'WEB-78',
    'may be of any width: nothing is cut off, and everybody can use it',
    inBrowser(async () => {
      const bank = await stage.visit();
      const { page } = bank;
      await say(page, WISH);
      await waiting(page).waitFor();
      const rail = page.getByRole('navigation', { name: 'Conversations' });
      await page.setViewportSize({ width: 320, height: 800 });
      await page.reload();
      await waiting(page).waitFor();
      await until(() => askChat<boolean>(page, IN_SIGHT));
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const overflows = await askChat<boolean>(page, OVERFLOWS);
        expect({ width, overflows }).toEqual({ width, overflows: false });
        expect(await rail.isVisible()).toBe(width >= RAIL_FROM);
      }
      for (const [width, theme] of [
        [360, 'light'],
        [1_024, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ reducedMotion: 'reduce' });
        await page.evaluate(`document.getElementById('chat').theme = '${theme}'`);
        expect(await findingsOn(page)).toEqual([]);
      }
      await close(bank);
    }),
    STORY_MS,
  );

  verifies(
    'WEB-81',
    'hears none of what is typed in the chat, and its keys do nothing there',
    inBrowser(async () => {
      const { site } = stage;
      site.put(
        '/keys.js',
        `window.heard = []; document.addEventListener('keydown', ({ key }) => window.heard.push(key));`,
      );
      const body = `<input aria-label="Amount">${stage.chat()}`;
      site.put('/keys', stage.page(body, '<script src="/keys.js"></script>'));
      const bank = await stage.visit('/keys');
      const { page } = bank;
      await writeIn(page).pressSequentially('jk?');
      await writeIn(page).press('Escape');
      await writeIn(page).press('Control+b');
      await page.getByLabel('Amount').pressSequentially('5');
      await page.getByLabel('Amount').press('Enter');
      expect(await page.evaluate<string[]>('heard')).toEqual(['Escape', 'Control', 'b', '5', 'Enter']);
      expect(await writeIn(page).inputValue()).toBe('jk?');
      await close(bank);
    }),
    STORY_MS,
  );
});
