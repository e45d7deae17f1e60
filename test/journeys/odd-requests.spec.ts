/** Proves that requests which cannot be are answered with their code, and where they are wrong. */
import { connect } from 'node:net';
import { AMELIA, MO, Product, TOVE } from '@triptych/testkit';
import { verifies } from '../spec/verifies.js';
import { product } from './the-product.js';

const runBody = (threadId: string) => ({
  threadId,
  runId: `${threadId}-r`,
  messages: [{ id: `${threadId}-m`, role: 'user', content: 'hello' }],
  tools: [],
  context: [],
});

interface Answer {
  readonly status: number;
  readonly code?: string;
}

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  const body = text.startsWith('{') ? (JSON.parse(text) as { error?: { code: string } }) : {};
  return { status: response.status, ...(body.error ? { code: body.error.code } : {}) };
};

describe('requests that cannot be', () => {
  verifies('HUB-13', 'nor a request that names two hosts, or one of its own', async () => {
    const asked = (...lines: string[]): Promise<string> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(product.url);
        const socket = connect(Number(port), hostname, () =>
          socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`),
        );
        let text = '';
        socket.on('data', (bytes) => (text += String(bytes)));
        socket.on('close', () => resolve(text.split(' ', 2)[1] ?? ''));
        socket.on('error', reject);
      });
    const upgrade = [
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZQ==',
    ];
    const live = 'GET /health/live HTTP/1.1';
    expect(await asked(live, 'Host: localhost')).toBe('200');
    expect(await asked(live, 'Host: localhost', 'Host: evil.example')).toBe('400');
    expect(await asked(live, 'Host: localhost', 'host: localhost')).toBe('400');
    expect(await asked('GET http://evil.example/health/live HTTP/1.1', 'Host: localhost')).toBe('403');
    expect(await asked(live)).toBe('400');
    const two = ['GET /ws/customer HTTP/1.1', 'Host: localhost', 'Host: evil.example', ...upgrade];
    expect(await asked(...two)).toBe('400');
    const own = ['GET http://evil.example/ws/customer HTTP/1.1', 'Host: localhost', ...upgrade];
    expect(['403', '404']).toContain(await asked(...own));
  });

  verifies('HUB-59', 'nor what is no request at all; honest ones go on', async () => {
    const bodyOf = (bytes: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(product.url);
        const socket = connect(Number(port), hostname, () => socket.write(bytes));
        let text = '';
        socket.on('data', (chunk) => (text += String(chunk)));
        socket.on('close', () => resolve(text.split('\r\n\r\n')[1] ?? ''));
        socket.on('error', reject);
      });
    const odd = ['\u0016\u0003\u0001', 'HELLO', `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}`];
    for (const bytes of odd)
      expect(JSON.parse(await bodyOf(`${bytes}\r\n\r\n`))).toMatchObject({
        error: { code: 'INVALID_INPUT', next: 'fix' },
      });
    expect((await product.fetch('/health/live')).status).toBe(200);
  });

  verifies('HUB-83', 'lets go of a connection that was refused a socket and stays', async () => {
    const { hostname, port } = new URL(product.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('error', () => undefined);
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
    socket.write(`GET /ws/customer HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`);
    // It never says good-bye; what it says goes nowhere in the end.
    const talk = setInterval(() => socket.write('still here'), 100);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(talk);
    expect(text).toMatch(/^HTTP\/1\.1 40\d /u);
  });

  verifies('HUB-10', 'answers queries and headers that cannot be with where they are wrong', async () => {
    const operator = await product.token(MO);
    const reviewer = await product.token(TOVE);
    const token = await product.token(AMELIA);
    await product.fetch('/v1/threads', { token, body: { threadId: 'odd-queries', agentId: 'onboarding' } });
    const pointer = async (path: string, asked: Parameters<Product['fetch']>[1]): Promise<unknown> => {
      const response = await product.fetch(path, asked);
      const { error } = (await response.json()) as {
        error?: { code: string; details?: { pointer: string } };
      };
      return error?.code === 'INVALID_INPUT' ? error.details?.pointer : response.status;
    };
    const thread = '/v1/threads/odd-queries';
    for (const path of [thread, `${thread}/snapshot`, `${thread}/events`]) {
      for (const query of ['surface=zz', 'surface=', 'surface=customer&surface=operator'])
        expect(await pointer(`${path}?${query}`, { token: operator })).toBe('/surface');
      expect(await pointer(`${path}?surface=zz`, { token })).toBe('/surface');
    }
    for (const hold of ['abc', '-1', '601', '1.5', '', '1&hold=2'])
      expect(await pointer(`/v1/agents/onboarding/run?hold=${hold}`, { token, body: runBody('held') })).toBe(
        '/hold',
      );
    expect(await pointer('/v1/threads/held', { token })).toBe(404);
    for (const limit of ['abc', '0', '201', '-1', '5&limit=6'])
      for (const [path, as] of [
        ['/v1/threads', operator],
        ['/v1/threads', token],
        ['/v1/approvals', reviewer],
      ] as const)
        expect(await pointer(`${path}?limit=${limit}`, { token: as })).toBe('/limit');
    for (const after of ['x', '-1', '1.5'])
      expect(await pointer(`${thread}/log?after=${after}`, { token: operator })).toBe('/after');
    for (const cursor of ['zzz', 'W10', '%00', 'a&cursor=b'])
      for (const [path, as] of [
        ['/v1/threads', operator],
        ['/v1/threads', token],
        ['/v1/threads', reviewer],
        ['/v1/approvals', reviewer],
      ] as const)
        expect(await pointer(`${path}?cursor=${cursor}`, { token: as })).toBe('/cursor');
    // What a cursor of the store might look like is none that was given out.
    expect(await pointer('/v1/threads?cursor=MTcwMCB0LTE', { token })).toBe('/cursor');
    for (const rev of ['"1', '1"', '"-1"', '*', 'W/"1"', '"1", "2"', 'abc'])
      expect(
        await pointer('/v1/approvals/a.b.c/claim', {
          token: reviewer,
          body: {},
          headers: { 'if-match': rev },
        }),
      ).toBe('/rev');
  });

  verifies('HUB-10', 'answers what nests too deep before it is read', async () => {
    const token = await product.token(AMELIA);
    const raw = async (body: string): Promise<Answer> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return fetch(`${product.url}/v1/agents/onboarding/run`, { method: 'POST', body, headers }).then(
        answerOf,
      );
    };
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const body = (state: string) => `{${JSON.stringify(runBody('deep')).slice(1, -1)},"state":${state}}`;
    for (const levels of [70, 5_000_000])
      expect(await raw(body(nested(levels)))).toEqual({ status: 400, code: 'INVALID_INPUT' });
    expect(await raw(body(nested(64)))).toEqual({ status: 400, code: 'INVALID_INPUT' });
    expect((await raw(body(nested(63)))).status).toBe(200);
    const screen = await product.screen('customer', AMELIA);
    screen.socket.send(`{"event":"run","id":"deep","data":${nested(100_000)}}`);
    const { id } = await screen.next('refused', ({ code }) => code === 'INVALID_INPUT');
    expect(id).toBe('deep');
    await screen.close();
  });
});
