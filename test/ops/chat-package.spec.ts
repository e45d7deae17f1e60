/** Proves that the chat's package is whole: packed, installed in an empty folder, compiled, bundled, and used in a browser. */
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  close,
  EmbedStage,
  inBrowser,
  say,
  STORY_MS,
  waiting,
  WISH,
  writeIn,
} from '../journeys/embed-stage.js';
import { pageWith } from '../journeys/host-site.js';
import { verifies } from '../spec/verifies.js';
import { Packed, PACKAGE_MS, sizes } from './packed.js';

/** Of script in the first view of a page. */
const BUDGET = 200_000;

let packed: Packed;

beforeAll(() => {
  packed = Packed.install('scripts/build-chat.mjs');
}, PACKAGE_MS);
afterAll(() => packed?.remove());

const bringReact = (): void =>
  packed.bring('react', 'react-dom', 'scheduler', '@types/react', '@types/react-dom');

describe('the chat’s package', () => {
  verifies(
    'WEB-82',
    'holds code, declarations, licences and a word on how to use it, and nothing of this house',
    () => {
      const { files } = packed;
      expect(files).toEqual(
        expect.arrayContaining([
          'LICENSE',
          'README.md',
          'index.js',
          'element/triptych-chat.js',
          'element/THIRD-PARTY.txt',
          'types/element.d.ts',
          'types/triptych-chat.d.ts',
        ]),
      );
      expect(files.filter((path) => /spec|test\/|\.map$/u.test(path))).toEqual([]);
      for (const path of files) {
        const text = packed.read(`@triptych/chat/${path}`);
        expect({
          path,
          ours: text.includes(resolve('.')),
          sources: /from ['"]@triptych\//u.test(text) && !path.endsWith('.md'),
        }).toEqual({
          path,
          ours: false,
          sources: false,
        });
      }
      expect(packed.has('react')).toBe(false);
    },
  );

  verifies(
    'WEB-82',
    'a page pays for the web component no more than for a page of ours',
    () => {
      const element = packed.files
        .filter((path) => /^element\/.*\.js$/u.test(path) && !path.includes('schema-form'))
        .map((path) => packed.read(`@triptych/chat/${path}`))
        .join('');
      expect(gzipSync(element).length).toBeLessThan(BUDGET);
      bringReact();
      const react = `export { createElement } from 'react'; export { createRoot } from 'react-dom/client';`;
      const parts = packed.bundle(`${react} export { TriptychChat } from '@triptych/chat';`);
      const inFirstView = [...parts].filter(([name]) => !name.startsWith('schema-form'));
      const first = inFirstView.map(([, code]) => code).join('');
      const alone = packed.bundled(react);
      expect(gzipSync(first).length).toBeLessThan(BUDGET);
      console.log(
        `web component ${sizes(element)}; with React in a bundle ${sizes(first)}, React alone ${sizes(alone)}`,
      );
    },
    PACKAGE_MS,
  );

  verifies(
    'WEB-82',
    'has declarations that a strict project compiles against, by both ways of finding modules',
    () => {
      bringReact();
      packed.write(
        'use.tsx',
        `import { TriptychChat, type ChatStatus } from '@triptych/chat';
import type { TriptychChatElement } from '@triptych/chat/element';
const seen: ChatStatus[] = [];
export const page = (
  <TriptychChat hub="https://hub" agent="a" threadId={null} theme="dark" getToken={async ({ fresh }) => (fresh ? 't' : undefined)}
    onStatus={(status) => { if (status?.asksYou) seen.push(status); }} />
);
export const take = (chat: TriptychChatElement): string | null => { chat.getToken = async () => 't'; return chat.threadId; };
export const found = document.querySelector('triptych-chat')?.agent;
// @ts-expect-error a chat without a hub
export const none = <TriptychChat />;
`,
      );
      packed.compile('use.tsx');
    },
    PACKAGE_MS,
  );
});

describe('a page made with React', () => {
  let stage: EmbedStage | undefined;
  beforeAll(async () => {
    stage = await EmbedStage.open();
  }, STORY_MS);
  afterAll(() => stage?.stop(), STORY_MS);

  const APP = (hub: string): string => `
    import { createElement, StrictMode, useState } from 'react';
    import { createRoot } from 'react-dom/client';
    import { TriptychChat } from '@triptych/chat';
    const token = async ({ fresh }) => (await (await fetch('/token?sub=amelia&fresh=' + fresh)).json()).token;
    const Page = () => {
      const [shown, show] = useState(true);
      const [standing, stand] = useState('');
      const onStatus = (status) => stand(status ? status.status : '');
      return createElement('div', null,
        createElement('button', { onClick: () => show(!shown) }, 'Advice'),
        createElement('p', { id: 'standing' }, standing),
        shown && createElement(TriptychChat, { id: 'chat', hub: '${hub}', agent: 'onboarding', getToken: (need) => token(need), onStatus }));
    };
    createRoot(document.getElementById('root')).render(createElement(StrictMode, null, createElement(Page)));`;

  verifies(
    'WEB-82',
    'has the chat by installing it: a story, taken away in the middle and shown again',
    inBrowser(async () => {
      if (stage === undefined) return;
      bringReact();
      const { product, site } = stage;
      const scripts = packed.bundle(APP(product.url));
      for (const [name, code] of scripts) site.put(`/assets/${name}`, code);
      const entry = [...scripts.keys()].find((name) => name.startsWith('entry'));
      site.put(
        '/react',
        pageWith('<div id="root"></div>', `<script type="module" src="/assets/${entry}"></script>`),
      );
      const bank = await stage.visit('/react');
      const { page } = bank;
      let open = 0;
      page.on('websocket', (socket) => {
        open += 1;
        socket.on('close', () => (open -= 1));
      });
      await say(page, WISH);
      await page.locator('#standing', { hasText: 'running' }).waitFor();
      await page.getByRole('button', { name: 'Advice' }).click();
      expect(await writeIn(page).count()).toBe(0);
      await page.getByRole('button', { name: 'Advice' }).click();
      await waiting(page).waitFor();
      await page.locator('#standing', { hasText: 'waiting' }).waitFor();
      await stage.approve();
      await page
        .getByText(/An adviser agreed\. Your account .* is open with/u)
        .first()
        .waitFor();
      expect(open).toBe(1);
      expect(bank.complaints).toEqual([]);
      await close(bank);
    }),
    STORY_MS,
  );
});
