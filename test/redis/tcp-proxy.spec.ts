/** The fault proxy does to a connection what it says, and undoes it. */
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { verifies } from '../spec/verifies.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

/** Long enough for a loopback byte to have come if it was to come, ms. */
const QUIET_MS = 150;

let server: net.Server;
let accepted: Socket[];
let arrived: Buffer[];
let proxy: TcpProxy;
let client: Socket;
let heard: string;
let ended: string[];

beforeEach(async () => {
  [accepted, arrived] = [[], []];
  server = net.createServer((socket) => {
    accepted.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      arrived.push(bytes);
      socket.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await startTcpProxy(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
  [heard, ended] = ['', []];
  client = net.connect(Number(new URL(proxy.url).port), '127.0.0.1');
  client.on('data', (bytes) => (heard += String(bytes)));
  client.on('error', (error: NodeJS.ErrnoException) => ended.push(error.code ?? ''));
  client.on('end', () => ended.push('end'));
  await once(client, 'connect');
  await says('hello');
});
afterEach(async () => {
  client.destroy();
  await proxy.stop();
  for (const socket of accepted) socket.destroy();
  server.close();
});

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await pause(5);
};
const says = async (text: string): Promise<void> => {
  client.write(text);
  await until(() => heard.endsWith(text));
};

describe('the fault proxy', () => {
  verifies(
    'OPS-24',
    'half-open: nothing passes, nobody is told, and what waited comes once it is healed',
    async () => {
      proxy.hang();
      client.write('lost?');
      await pause(QUIET_MS);
      expect({ heard, ended }).toEqual({ heard: 'hello', ended: [] });
      proxy.heal();
      await until(() => heard === 'hellolost?');
    },
  );

  verifies('OPS-24', 'lost replies: the request arrives, its answer never does', async () => {
    let asked = '';
    proxy.onRequest((bytes) => (asked += bytes));
    proxy.freeze();
    client.write('?');
    await until(() => asked === '?');
    await pause(QUIET_MS);
    expect({ heard, ended }).toEqual({ heard: 'hello', ended: [] });
  });

  verifies('OPS-24', 'a reset ends the connection as an error, not as an end', async () => {
    proxy.cut();
    await until(() => ended.length > 0);
    expect(ended).toEqual(['ECONNRESET']);
    await until(() => proxy.connections === 0);
  });

  verifies('OPS-24', 'a cut in mid-frame gives the first half of it, and a reset', async () => {
    proxy.tear();
    client.write('12345678');
    await until(() => ended.length > 0);
    expect({ heard, ended }).toEqual({ heard: 'hello1234', ended: ['ECONNRESET'] });
  });

  for (const passes of [true, false])
    verifies(
      'OPS-24',
      `a line that stops at a piece: ${passes ? 'it is the last that arrives' : 'it does not arrive'}, and nothing comes back`,
      async () => {
        const stopped = proxy.stopAt((bytes) => bytes.includes('now'), passes);
        await says('before');
        client.write('now');
        await stopped;
        client.write('after');
        await pause(QUIET_MS);
        expect({ heard, ended }).toEqual({ heard: 'hellobefore', ended: [] });
        expect(Buffer.concat(arrived).toString()).toBe(`hellobefore${passes ? 'now' : ''}`);
        proxy.heal();
        await says('healed');
      },
    );

  verifies('OPS-24', 'a slow line passes so many bytes a second, in order and whole', async () => {
    proxy.crawl(1_000);
    const began = Date.now();
    await says('x'.repeat(299) + '!');
    expect(Date.now() - began).toBeGreaterThanOrEqual(190);
    expect(heard).toBe(`hello${'x'.repeat(299)}!`);
  });

  verifies('OPS-24', 'a lagging line is late, and as it was once it is healed', async () => {
    proxy.lag(100);
    const began = Date.now();
    await says('late');
    expect(Date.now() - began).toBeGreaterThanOrEqual(95);
    proxy.heal();
    await says('again');
  });
});
