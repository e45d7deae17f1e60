import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { verifies } from '../../../../test/spec/verifies.js';
import { limitServer, SERVER_TIMES, type ServerTimes } from './server-limits.js';
import { answerUnreadable } from './unreadable.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const NOT_FOR_LONG: ServerTimes = {
  headersTimeout: 300,
  requestTimeout: 600,
  connectionsCheckingInterval: 20,
  keepAliveTimeout: 300,
};

/** A connection, all it heard, and its end. */
class Line {
  heard = '';
  readonly over: Promise<string>;

  constructor(readonly socket: Socket) {
    socket.on('data', (bytes) => (this.heard += String(bytes)));
    // Who is dropped may be so with words still on their way.
    socket.on('error', () => undefined);
    this.over = new Promise((resolve) => socket.on('close', () => resolve(this.heard)));
  }

  async answered(times = 1): Promise<void> {
    while (this.heard.split('HTTP/1.1 ').length <= times) await once(this.socket, 'data');
  }
}

const serving = async (listener: RequestListener, most: number, times = SERVER_TIMES) => {
  const server = createServer(listener);
  answerUnreadable(server);
  limitServer(server, most, times);
  server.on('upgrade', (_request, socket) => {
    closers.push(async () => void socket.destroy());
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const lines: Line[] = [];
  closers.push(async () => {
    for (const { socket } of lines) socket.destroy();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return async (bytes = ''): Promise<Line> => {
    const opened = once(server, 'connection');
    const line = new Line(connect((server.address() as AddressInfo).port, '127.0.0.1'));
    lines.push(line);
    await opened;
    if (bytes !== '') line.socket.write(bytes);
    return line;
  };
};

const HEAD = 'Host: x\r\n';
const GET = `GET / HTTP/1.1\r\n${HEAD}\r\n`;
const POST = `POST / HTTP/1.1\r\n${HEAD}Content-Length: 4\r\n\r\n`;
const UPGRADE = `GET / HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

const echo: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end('all'));
};

const drip = (line: Line, piece: string): void => {
  const timer = setInterval(() => line.socket.write(piece), 20);
  line.socket.on('close', () => clearInterval(timer));
};

describe('what is not asked in time', () => {
  verifies(
    'HUB-81',
    'ends: silence, dripped headers, a dripped body, a connection that is kept',
    async () => {
      const open = await serving(echo, 100, NOT_FOR_LONG);
      const silent = await open();
      const headers = await open('GET / HTTP/1.1\r\n');
      drip(headers, 'X: y\r\n');
      const body = await open(`POST / HTTP/1.1\r\n${HEAD}Content-Length: 10000\r\n\r\n`);
      drip(body, 'x');
      for (const line of [silent, headers, body]) expect(await line.over).toMatch(/^HTTP\/1\.1 408 /u);
      const kept = await open(GET);
      expect(await kept.over).toMatch(/^HTTP\/1\.1 200 /u);
    },
  );

  verifies('HUB-81', 'an answer and a socket may take as long as they like', async () => {
    const open = await serving((_request, response) => void response.write('begun'), 100, NOT_FOR_LONG);
    const stream = await open(GET);
    const socket = await open(UPGRADE);
    await Promise.all([stream.answered(), socket.answered()]);
    const slow = await open('GET / HTTP/1.1\r\n');
    // Looked at twice as late as the two, and over: their time was over too, if they had one.
    await slow.over;
    const slower = await open(`POST / HTTP/1.1\r\n${HEAD}Content-Length: 9\r\n\r\n`);
    await slower.over;
    expect([stream.socket.destroyed, socket.socket.destroyed]).toEqual([false, false]);
  });
});

describe('connections of an address that owe a request', () => {
  verifies(
    'HUB-82',
    'beyond the bound the one that owes it longest is dropped, never the newcomer',
    async () => {
      const open = await serving(echo, 3);
      const lines = [await open(), await open('GET / HT'), await open(POST)];
      for (const nth of [0, 1, 2]) {
        const newcomer = await open();
        expect(await lines[nth]!.over).toBe('');
        lines.push(newcomer);
      }
      lines.at(-1)!.socket.write(GET);
      await lines.at(-1)!.answered();
      expect(lines.filter(({ socket }) => !socket.destroyed)).toHaveLength(3);
    },
  );

  verifies('HUB-82', 'sockets, answers and requests that came whole do not count', async () => {
    let asked = 0;
    const hold: RequestListener = (request, response) => {
      request.resume().on('end', () => (asked += 1));
      response.write('begun');
    };
    const open = await serving(hold, 1);
    const busy: Line[] = [];
    for (const bytes of [GET, UPGRADE, `${POST}body`, `${GET}${GET}`]) {
      busy.push(await open(bytes));
      await busy.at(-1)!.answered();
    }
    while (asked < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    const [oldest, newcomer] = [await open(), await open()];
    await oldest.over;
    expect([...busy, newcomer].map(({ socket }) => socket.destroyed)).toEqual(Array(5).fill(false));
  });

  verifies('HUB-82', 'one that was answered and is kept owes the next request', async () => {
    const open = await serving(echo, 2);
    const kept = await open(GET);
    await kept.answered();
    const young = await open();
    kept.socket.write(`${POST}body`);
    await kept.answered(2);
    await open();
    expect(await young.over).toBe('');
    expect(kept.socket.destroyed).toBe(false);
  });

  verifies('HUB-82', 'a body that was refused before it came still counts', async () => {
    const open = await serving((_request, response) => void response.writeHead(413).end(), 1);
    const refused = await open(POST);
    await refused.answered();
    await open();
    expect(await refused.over).toMatch(/^HTTP\/1\.1 413 /u);
  });
});
