/** The proxy of deploy/nginx.conf, really running before two small servers. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket, WebSocketServer } from 'ws';
import { verifies } from '../spec/verifies.js';
import { anyFreePort, until } from './house.js';

const hasNginx = spawnSync('nginx', ['-v']).status === 0;
if (!hasNginx) console.log('no nginx on PATH: the proxy suite skips');

interface Hub {
  readonly server: Server;
  stop(): void;
}

/** Answers requests with its name, streams at /stream without ending, echoes on sockets. */
const startHub = async (name: string, port: number): Promise<Hub> => {
  const server = createServer((request, answer) => {
    if (request.url === '/stream') return answer.write('data: first\n\n');
    return answer.end(name);
  });
  const sockets = new WebSocketServer({ server, handleProtocols: () => 'triptych.v1+json' });
  sockets.on('connection', (socket) =>
    socket.on('message', (bytes: Buffer) => socket.send(`${name}: ${bytes.toString()}`)),
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = (): void => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
  };
  return { server, stop };
};

const listens = (port: number): Promise<boolean> =>
  new Promise((said) => {
    const socket = createConnection(port, '127.0.0.1', () => said(true));
    socket.on('error', () => said(false));
    socket.on('connect', () => socket.destroy());
  });

(hasNginx ? describe : describe.skip)('deploy/nginx.conf', () => {
  let dir: string;
  let proxy: ChildProcess;
  let port: number;
  let hubs: Hub[];

  beforeAll(async () => {
    const [front, one, two] = [await anyFreePort(), await anyFreePort(), await anyFreePort()];
    port = front;
    hubs = [await startHub('hub-1', one), await startHub('hub-2', two)];
    dir = mkdtempSync(join(tmpdir(), 'triptych-nginx-'));
    const conf = readFileSync(join(process.cwd(), 'deploy/nginx.conf'), 'utf8')
      .replace('hub-1:4000', `127.0.0.1:${one}`)
      .replace('hub-2:4000', `127.0.0.1:${two}`)
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace('/dev/stdout', join(dir, 'access.log'))
      .replace('/dev/stderr', join(dir, 'error.log'));
    writeFileSync(join(dir, 'nginx.conf'), `daemon off;\npid ${dir}/nginx.pid;\n${conf}`);
    proxy = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: 'ignore' });
    await until(() => listens(port));
  });
  afterAll(async () => {
    proxy.kill('SIGTERM');
    await once(proxy, 'exit');
    for (const hub of hubs) hub.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  verifies('OPS-19', 'carries an upgrade with its subprotocol, and frames both ways', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/customer`, ['triptych.v1+json', 'bearer.x']);
    await once(socket, 'open');
    expect(socket.protocol).toBe('triptych.v1+json');
    socket.send('hello');
    const [bytes] = await once(socket, 'message');
    expect(String(bytes)).toMatch(/^hub-\d: hello$/);
    socket.close();
  });

  verifies('OPS-19', 'lets the first event of an endless stream through at once', async () => {
    const [answer] = (await once(get(`http://127.0.0.1:${port}/stream`), 'response')) as [IncomingMessage];
    const [bytes] = await once(answer, 'data');
    expect(String(bytes)).toBe('data: first\n\n');
    answer.destroy();
  });

  verifies('OPS-19', 'keeps metrics inside and queries out of its log', async () => {
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);
    await (await fetch(`http://127.0.0.1:${port}/v1/agents?ticket=very-secret`)).text();
    const log = (): string => readFileSync(join(dir, 'access.log'), 'utf8');
    await until(() => log().includes('/v1/agents'));
    expect(log()).not.toContain('very-secret');
  });

  verifies('OPS-19', 'goes to the hub that is left when one is gone', async () => {
    hubs[0]!.stop();
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => (await fetch(`http://127.0.0.1:${port}/health/live`)).text()),
    );
    expect(new Set(answers)).toEqual(new Set(['hub-2']));
  });
});
