/** Proves that what is too large to keep is refused by every door that takes a run, and starts nothing. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { AMELIA, BEN, MO, Product, until } from '@triptych/testkit';
import { WebSocket } from 'ws';
import { verifies } from '../spec/verifies.js';
import { openStream } from './open-lines.js';
import { inputOf } from './wire.js';

const JOURNEY_MS = 120_000;
const MIB = 1024 * 1024;

let product: Product;
beforeAll(async () => {
  product = await Product.start({
    MAX_IMAGE: '1',
    MAX_MODEL: '2',
    RATE_RUNS: '1000',
    MAX_STREAMS_PER_SUBJECT: '2',
  });
}, JOURNEY_MS);
afterAll(async () => {
  await product.stop();
}, JOURNEY_MS);

const imageOf = (bytes: number) => ({
  type: 'image',
  source: { type: 'data', value: Buffer.alloc(bytes).toString('base64'), mimeType: 'image/png' },
});

const showing = (threadId: string, content: unknown) => ({
  ...inputOf(threadId, 'x'),
  messages: [{ id: `${threadId}-m`, role: 'user', content }],
});

const byHttp = async (input: object): Promise<unknown> => {
  const response = await product.fetch('/v1/agents/cards/run', {
    token: await product.token(MO),
    body: input,
  });
  if (response.ok) return response.text();
  const { error } = (await response.json()) as { error: object };
  return { status: response.status, ...error };
};

const byFrame = async (input: object): Promise<unknown> => {
  const screen = await product.screen('operator', MO);
  const refused = screen.ask('run', { agentId: 'cards', ...input }).catch((error: unknown) => error);
  const answer = await refused;
  await screen.close();
  return answer;
};

const byPlainSocket = async (input: object): Promise<unknown> => {
  const headers = { authorization: `Bearer ${await product.token(MO)}` };
  const url = `${product.url.replace('http', 'ws')}/ws/agui?agent=cards`;
  const socket = new WebSocket(url, ['ag-ui.v1+json'], { headers });
  await once(socket, 'open');
  socket.send(JSON.stringify(input));
  const [first] = (await once(socket, 'message')) as [Buffer];
  return JSON.parse(first.toString()) as unknown;
};

const statusOf = async (threadId: string): Promise<number> =>
  (await product.fetch(`/v1/threads/${threadId}`, { token: await product.token(MO) })).status;

describe('streams of one subject', () => {
  verifies(
    'HUB-84',
    'beyond the bound none is begun by any door, until one ends',
    async () => {
      const token = await product.token(BEN);
      await product.fetch('/v1/threads', { token, body: { threadId: 'mine', agentId: 'cards' } });
      const events = `${product.url}/v1/threads/mine/events`;
      const gone = new AbortController();
      const headers = { authorization: `Bearer ${token}` };
      for (const line of [
        await openStream(events, { headers, signal: gone.signal }),
        await openStream(events, { headers, signal: gone.signal }),
      ])
        line.end.catch(() => undefined);
      const no = { error: { code: 'RATE_LIMITED', details: { limit: 'MAX_STREAMS_PER_SUBJECT' } } };
      const third = await product.fetch('/v1/threads/mine/events', { token });
      expect([third.status, await third.json()]).toMatchObject([429, no]);
      for (const door of ['run', 'connect']) {
        const asked = await product.fetch(`/v1/agents/cards/${door}`, { token, body: inputOf('new', 'x') });
        expect([asked.status, await asked.json()]).toMatchObject([429, no]);
      }
      expect(await statusOf('new')).toBe(404);
      gone.abort();
      await until(async () => {
        const again = new AbortController();
        const { status } = await fetch(events, { headers, signal: again.signal });
        again.abort();
        return status === 200;
      });
    },
    JOURNEY_MS,
  );
});

describe('clients that leave before they are answered', () => {
  verifies(
    'HUB-84',
    'are not counted: after fifty of them the next is served',
    async () => {
      const token = await product.token(AMELIA);
      await product.fetch('/v1/threads', { token, body: { threadId: 'left', agentId: 'cards' } });
      const { hostname, port } = new URL(product.url);
      const ask = `GET /v1/threads/left/events HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
      for (let nth = 0; nth < 50; nth += 1) {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        await new Promise<void>((sent) => socket.write(ask, () => sent()));
        socket.destroy();
      }
      await until(async () => {
        const left = new AbortController();
        const headers = { authorization: `Bearer ${token}` };
        const { status } = await fetch(`${product.url}/v1/threads/left/events`, {
          headers,
          signal: left.signal,
        });
        left.abort();
        return status === 200;
      });
    },
    JOURNEY_MS,
  );
});

describe('what is too large', () => {
  verifies(
    'HUB-55',
    'an image is refused by every door, and the thread is not begun',
    async () => {
      const no = { code: 'PAYLOAD_TOO_LARGE', details: { limit: 'MAX_IMAGE' } };
      const input = showing('pictures', [{ type: 'text', text: 'look' }, imageOf(MIB + 3)]);
      expect(await byHttp(input)).toMatchObject({ status: 413, ...no });
      expect(await byFrame(input)).toMatchObject({ code: no.code });
      expect(await byPlainSocket(input)).toMatchObject({ type: 'RUN_ERROR', code: 'hub/payload-too-large' });
      expect(await statusOf('pictures')).toBe(404);
      expect(await byHttp(showing('pictures', [imageOf(MIB - 3)]))).toContain('RUN_FINISHED');
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-56',
    'an input that its thread cannot hold is refused, and its end is no run that failed',
    async () => {
      const no = { code: 'PAYLOAD_TOO_LARGE', details: { limit: 'MAX_MODEL' } };
      const input = showing('talk', 'x'.repeat(2 * MIB));
      expect(await byHttp(input)).toMatchObject({ status: 413, ...no });
      expect(await byPlainSocket(input)).toMatchObject({ code: 'hub/payload-too-large' });
      expect(await byHttp({ ...inputOf('talk', 'x'), state: { all: 'x'.repeat(2 * MIB) } })).toMatchObject(
        no,
      );
      expect(await statusOf('talk')).toBe(404);
      expect(await byHttp(inputOf('talk', 'x'))).toContain('RUN_FINISHED');
    },
    JOURNEY_MS,
  );
});
