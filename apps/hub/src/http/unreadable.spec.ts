import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { verifies } from '../../../../test/spec/verifies.js';
import { answerUnreadable } from './unreadable.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Sends bytes as they are, and hears all that comes until the end. */
const serving = async (listener: RequestListener) => {
  const options = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 };
  const server = createServer(options, listener);
  answerUnreadable(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return (...pieces: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      let heard = '';
      socket.on('data', (bytes) => (heard += String(bytes)));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(heard));
      for (const piece of pieces) socket.write(piece);
    });
};

const refusalIn = (heard: string): unknown => {
  const [head = '', body = ''] = heard.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/u);
  expect(head).toMatch(/^Connection: close$/mu);
  return (JSON.parse(body) as { error: unknown }).error;
};

const NOT_HTTP = [
  'HELLO\r\n\r\n',
  'FROB / HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost x\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
];

describe('what is not a request', () => {
  for (const bytes of NOT_HTTP)
    verifies('HUB-59', `is refused as everything is: ${bytes.slice(0, 40).trim()}`, async () => {
      const ask = await serving(() => undefined);
      expect(refusalIn(await ask(bytes))).toEqual({
        code: 'INVALID_INPUT',
        message: expect.any(String) as unknown,
        next: 'fix',
        details: { pointer: '' },
      });
    });

  verifies('HUB-59', 'what is not complete in time gets HTTP’s own word for it', async () => {
    const ask = await serving(() => undefined);
    expect(await ask('GET / HTTP/1.1\r\nHost: x\r\n')).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/u);
  });

  verifies('HUB-59', 'does not speak into the answer to an earlier request', async () => {
    const ask = await serving((_request, response) => void response.write('first'));
    const heard = await ask('GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'HELLO\r\n\r\n');
    expect(heard).not.toContain('400');
  });

  verifies('HUB-59', 'a host that is missing or an odd expectation is for the doors to judge', async () => {
    const ask = await serving((_request, response) => void response.writeHead(204).end());
    for (const line of ['X: y', 'Host: x\r\nExpect: cake'])
      expect(await ask(`GET / HTTP/1.1\r\n${line}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 204/u);
  });
});
