/** A bank of another origin with the chat on its page, and its own sign-in, for trying it out. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

const HUB = process.env.HUB ?? 'http://127.0.0.1:4000';
const FILES = { '/': 'index.html', '/look.css': 'look.css' };
const TYPES = { html: 'text/html', css: 'text/css' };

/** The strictest a page can have: no inline script or style, nothing from elsewhere but the hub. */
const POLICY = [
  `default-src 'none'`,
  `script-src ${HUB}`,
  `style-src 'self'`,
  `connect-src 'self' ${HUB} ${HUB.replace(/^http/, 'ws')}`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `require-trusted-types-for 'script'`,
  `trusted-types 'none'`,
].join('; ');

/** Where a bank would look at its cookie and have its identity provider write the token. */
const tokenOfTheSignedIn = async () => {
  const amelia = { sub: 'amelia', name: 'Amelia Hartmann', roles: ['customer'] };
  const answer = await fetch(`${HUB}/v1/dev/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(amelia),
  });
  return answer.text();
};

const bodyFor = async (file) => {
  const text = await readFile(join(import.meta.dirname, file), 'utf8');
  return text.replaceAll('{{hub}}', HUB);
};

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://here');
  if (pathname === '/token') {
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    return response.end(await tokenOfTheSignedIn());
  }
  const file = Object.hasOwn(FILES, pathname) ? FILES[pathname] : undefined;
  if (file === undefined) return response.writeHead(404).end();
  const type = TYPES[file.split('.').at(-1)];
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': POLICY });
  response.end(await bodyFor(file));
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}`),
);
