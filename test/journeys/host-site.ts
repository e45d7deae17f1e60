/** Somebody else's site: pages of another origin under the strictest content policy, and its own sign-in. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { AMELIA, BEN, TOVE, type Person, type Product } from '@triptych/testkit';

const PEOPLE: Readonly<Record<string, Person>> = { amelia: AMELIA, ben: BEN, tove: TOVE };
const TYPES = { css: 'text/css', js: 'text/javascript' };
/** Where the built chat is, for a site that serves it itself. */
const BUILT = 'dist/web/embed';

const LONG_S = 3_600;

export interface TokenAsk {
  readonly sub: string;
  readonly fresh: boolean;
}

export interface HostSite {
  readonly url: string;
  /** What the site's own sign-in was asked for. */
  readonly asked: readonly TokenAsk[];
  /** How long its tokens are good. */
  ttlSeconds: number;
  /** Who is signed in, whoever the page asks for; nobody: 401. */
  signedIn: string | undefined;
  /** Long tokens, for whomever a page asks. */
  asUsual(): void;
  /** Gives the site a file: `/`, `/look.css`, `/page.js`. */
  put(path: string, text: string): void;
  stop(): Promise<void>;
}

const policyFor = (hub: string): string =>
  [
    `default-src 'none'`,
    `script-src 'self' ${hub}`,
    `style-src 'self'`,
    `connect-src 'self' ${hub} ${hub.replace('http', 'ws')}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');

export const pageWith = (body: string, head = ''): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Harbour Bank</title>
    <link rel="stylesheet" href="/look.css">
    ${head}
  </head>
  <body>
    <main>
      <h1>Harbour Bank</h1>
      ${body}
    </main>
  </body>
</html>`;

/** `product`: where its tokens come from. */
export const openHostSite = async (port: number, product: Product): Promise<HostSite> => {
  const files = new Map<string, string>();
  const asked: TokenAsk[] = [];
  const token = async (address: URL, response: ServerResponse): Promise<void> => {
    const sub = site.signedIn ?? address.searchParams.get('sub') ?? '';
    asked.push({ sub, fresh: address.searchParams.get('fresh') === 'true' });
    const person = PEOPLE[sub];
    if (person === undefined) return void response.writeHead(401).end();
    const issued = await product.token({ ...person, ttlSeconds: site.ttlSeconds });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ token: issued }));
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = new URL(request.url ?? '/', site.url);
    const { pathname } = address;
    if (pathname === '/token') return token(address, response);
    const text = pathname.startsWith('/embed/')
      ? await readFile(join(BUILT, pathname.slice('/embed/'.length)), 'utf8')
      : files.get(pathname);
    if (text === undefined) return void response.writeHead(404).end();
    const type = TYPES[pathname.split('.').at(-1) as keyof typeof TYPES] ?? 'text/html';
    response.writeHead(200, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policyFor(product.url),
      'cache-control': 'no-store',
    });
    response.end(text);
  };
  const server: Server = createServer((request, response) => void serve(request, response));
  const site: HostSite = {
    url: `http://127.0.0.1:${port}`,
    asked,
    ttlSeconds: LONG_S,
    signedIn: undefined,
    asUsual: () => void Object.assign(site, { ttlSeconds: LONG_S, signedIn: undefined }),
    put: (path, words) => void files.set(path, words),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((up) => void server.listen(port, '127.0.0.1', up));
  return site;
};
