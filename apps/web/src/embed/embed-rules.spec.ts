/** Proves the pure parts of the embedded chat: what it reads of tokens, connections and looks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '../../../../test/spec/verifies.js';
import { connectionOf } from './connection-words.js';
import { openToHost } from './open-to-host.js';
import { embedEn, embedZh } from './texts.js';
import { claimsOf } from './token-claims.js';

const SOURCES = join(process.cwd(), 'apps/web/src');
const sheetsIn = (path: string): readonly string[] =>
  [...readFileSync(join(SOURCES, path), 'utf8').matchAll(/([\w-]+)\.css/gu)].map(([, name = '']) => name);

describe('an embedded chat', () => {
  verifies('WEB-76', 'reads whose a token is and when it ends, and of one it cannot read nothing', () => {
    const written = (claims: unknown) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
    expect(claimsOf(written({ sub: '李雷?>', exp: 12 }))).toEqual({ subject: '李雷?>', expiresAt: 12_000 });
    expect(claimsOf(written({ sub: 7, exp: 'soon' }))).toEqual({ subject: '', expiresAt: 0 });
    for (const none of ['', 'opaque', 'a.%.c', written(null)])
      expect(claimsOf(none)).toEqual({ subject: '', expiresAt: 0 });
  });

  verifies('WEB-78', 'every role takes the page’s variable, and the accent’s shades follow an accent', () => {
    const opened = openToHost(':root{--canvas:light-dark(#fff,#000);--focus: red;\n--font-ui:\n  a, b;}');
    expect(opened).toContain('.chat{--canvas:var(--triptych-canvas,light-dark(#fff,#000));');
    expect(opened).toContain('--focus:var(--triptych-focus,var(--of-focus,red));');
    expect(opened).toContain('--font-ui:var(--triptych-font-ui,a, b);');
  });

  verifies(
    'WEB-77',
    'wears all the sheets of the customer’s page, in its order, but fonts and the page itself',
    () => {
      const pages = [...sheetsIn('shared/styles.ts'), ...sheetsIn('customer/styles.ts')];
      const worn = sheetsIn('embed/styles.ts').filter((name) => name !== 'embed');
      expect(worn.toSorted()).toEqual(pages.filter((name) => name !== 'fonts' && name !== 'page').toSorted());
      const order = /PARTS = \[([^\]]+)\]/u.exec(readFileSync(join(SOURCES, 'embed/styles.ts'), 'utf8'))?.[1];
      const named = [...(order ?? '').matchAll(/\b[a-z]+\b(?!\()/gu)].map(([name]) => name);
      expect(named).toEqual(pages.filter((name) => name !== 'fonts' && name !== 'page'));
    },
  );

  verifies('WEB-80', 'tells the page in one word what it may act on', () => {
    const waiting = { state: 'waiting', retryAt: 0, attempt: 1 } as const;
    expect(connectionOf({ ...waiting, cause: 'origin' })).toBe('not-allowed');
    expect(connectionOf({ ...waiting, cause: 'network' })).toBe('away');
    expect(connectionOf({ state: 'closed', reason: 'signed-out' })).toBe('signed-out');
    expect(connectionOf({ state: 'closed', reason: 'misuse' })).toBe('closed');
    expect(connectionOf({ state: 'connecting', attempt: 0 })).toBe('connecting');
  });

  verifies('WEB-20', 'says the same things in both languages', () => {
    expect(Object.keys(embedZh)).toEqual(Object.keys(embedEn));
  });
});
