/** Serves this folder on 127.0.0.1:8080 (or PORT), for trying it out. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

const TYPES = { 'index.html': 'text/html', 'minimal-client.js': 'text/javascript' };
const port = Number(process.env.PORT ?? 8080);

const server = createServer(async (request, response) => {
  const name = new URL(request.url ?? '/', 'http://here').pathname.slice(1) || 'index.html';
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  if (type === undefined) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' });
  response.end(await readFile(join(import.meta.dirname, name)));
});
server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
