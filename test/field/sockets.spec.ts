/** Proves that neither odd frames, nor lines that died without a word, hurt the hub or those beside them. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { HubClient, type SocketConstructor } from '@triptych/client';
import { SUBPROTOCOL, type Model } from '@triptych/protocol';
import { AMELIA, isAlive, MO, Screen, until } from '@triptych/testkit';
import { WebSocket } from 'ws';
import { startTcpProxy, type TcpProxy } from '../redis/tcp-proxy.js';
import { verifies } from '../spec/verifies.js';
import { FieldStage, STAGE_MS } from './stage.js';
import { saidIn, wholeRun } from './words.js';

/** Two heartbeats are 50 s. */
const PATIENT_MS = 240_000;

let stage: FieldStage;
const proxies: TcpProxy[] = [];
beforeAll(async () => {
  stage = await FieldStage.start();
}, STAGE_MS);
afterAll(async () => {
  for (const proxy of proxies) await proxy.stop();
  await stage.stop();
}, STAGE_MS);

const speak = async (thread: string, runId: string, delta: string): Promise<void> => {
  stage.agent.tell(thread, wholeRun(thread, runId, delta));
  await stage.run(thread, runId);
};
const readers = async (thread: string): Promise<number> => {
  const token = await stage.product.token(MO);
  const { items } = await stage.product.json<{ items: unknown[] }>(`/v1/threads/${thread}/subscribers`, {
    token,
  });
  return items.length;
};
const proxied = async (): Promise<{ proxy: TcpProxy; url: string }> => {
  const proxy = await startTcpProxy(stage.product.url);
  proxies.push(proxy);
  return { proxy, url: proxy.url.replace(/^redis/u, 'http') };
};

describe('frames that cannot be', () => {
  const closing = async (text: string | Buffer, binary = false): Promise<[number, Screen]> => {
    const screen = await stage.product.screen('customer', AMELIA);
    const closed = once(screen.socket, 'close');
    screen.socket.send(text, { binary });
    const [code] = (await closed) as [number];
    return [code, screen];
  };

  verifies(
    'FAN-27',
    'WS-01: each is answered, with its id where it has one, and says what to do next',
    async () => {
      const screen = await stage.product.screen('customer', AMELIA);
      const faults: readonly (readonly [string, string])[] = [
        ['{"event":"nope","data":{},"id":"a"}', '/event'],
        ['{"event":"subscribe","id":"b"}', '/data/threadId'],
        ['{"event":"subscribe","id":"c","data":[]}', '/data'],
        ['{"event":7,"id":"d"}', '/event'],
        ['{"i":"1","id":"e"}', '/event'],
        ['{"event":"subscribe","id":"f","data":{"threadId":"x","from":7}}', '/data/from'],
        ['{"event":"__proto__","id":"g"}', '/event'],
        ['{"event":"cancel","id":"i","data":{"threadId":""}}', '/data/threadId'],
        ['{"event":"run","id":"j","data":{}}', '/data/agentId'],
        ['{"event":"auth","id":"k","data":{"token":7}}', '/data/token'],
        ['{"event":"toString","id":"h","data":{"threadId":"x"}}', '/event'],
      ];
      for (const [text, pointer] of faults) {
        screen.socket.send(text);
        const { id } = JSON.parse(text) as { id: string };
        const refused = await screen.next('refused');
        expect([refused.id, refused.data]).toEqual([
          id,
          expect.objectContaining({ code: 'INVALID_INPUT', next: 'fix', details: { pointer } }),
        ]);
      }
      expect(await screen.ask('ping', {})).toEqual({});
      await screen.close();
      for (const text of ['not json', 'null', '[]', '42', '"x"', '']) {
        const [code, closed] = await closing(text);
        expect([text, code]).toEqual([text, 4400]);
        expect(closed.seen('refused')).toHaveLength(1);
        expect(closed.frames.at(-1)).toMatchObject({ event: 'closing', data: { code: 4400, next: 'fix' } });
      }
      const [code, binary] = await closing(Buffer.from('{"event":"ping"}'), true);
      expect([code, binary.frames.at(-1)?.event]).toEqual([4400, 'closing']);
    },
  );

  verifies('FAN-28', 'WS-01: a flood of them is held back, then ends', async () => {
    const screen = await stage.product.screen('customer', AMELIA);
    const closed = once(screen.socket, 'close');
    for (let nth = 0; nth < 1_000; nth += 1) screen.socket.send(`{"event":"nope","id":"${nth}"}`);
    expect((await closed)[0]).toBe(4429);
    const codes = new Set(screen.seen('refused').map(({ data }) => data['code']));
    expect(codes).toEqual(new Set(['INVALID_INPUT', 'RATE_LIMITED']));
  });

  verifies('HUB-10', 'WS-02: whatever one sends, the others go on and the process lives', async () => {
    const thread = 'ws-02';
    const hub = stage.product.pidOf('hub');
    await stage.open(thread);
    const beside = await stage.screen(thread, 'customer');
    const deep = '['.repeat(1024 * 1024 - 1);
    expect((await closing(Buffer.from([0x7b, 0xc3]), false))[0]).toBe(1007);
    expect((await closing(Buffer.from('{"event":"p\xff', 'latin1'), false))[0]).toBe(1007);
    for (const text of [
      '{"i":"1"}',
      deep,
      `{"event":"subscribe","data":${deep}`,
      '{"event":"ping"'.repeat(9),
    ]) {
      const screen = await stage.product.screen('customer', AMELIA);
      screen.socket.send(text);
      const { data } = await screen.next('refused');
      expect(data['code']).toBe('INVALID_INPUT');
      screen.socket.terminate();
    }
    await speak(thread, 'run-1', 'undisturbed');
    await beside.until(thread, (model) => saidIn(model) === 'undisturbed');
    expect([beside.gaps, isAlive(hub), stage.product.pidOf('hub')]).toEqual([[], true, hub]);
    await beside.close();
  });
});

describe('bytes that are no frame', () => {
  /** A socket of its own, upgraded by hand: what is written to it no library would write. */
  const upgraded = async (): Promise<Socket> => {
    const token = await stage.product.token(AMELIA);
    const { hostname, port } = new URL(stage.product.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      [
        ...['GET /ws/customer HTTP/1.1', 'Host: localhost', 'Upgrade: websocket', 'Connection: Upgrade'],
        ...['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='],
        `Sec-WebSocket-Protocol: ${SUBPROTOCOL}, bearer.${token}`,
        '\r\n',
      ].join('\r\n'),
    );
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(String(head)).toContain('101 ');
    return socket;
  };
  const masked = (first: number, payload: Buffer, length = 0x80 | payload.length): Buffer =>
    Buffer.concat([Buffer.from([first, length, 0, 0, 0, 0]), payload]);
  const text = (words: string): Buffer => masked(0x81, Buffer.from(words));
  const broken: readonly (readonly [string, readonly Buffer[]])[] = [
    ['a reserved bit', [masked(0xc1, Buffer.from('{}'))]],
    ['an unknown kind', [masked(0x83, Buffer.from('{}'))]],
    ['an unknown control', [masked(0x8b, Buffer.alloc(0))]],
    ['no mask', [Buffer.from([0x81, 0x02, 0x7b, 0x7d])]],
    ['a ping in pieces', [masked(0x09, Buffer.from('x'))]],
    ['a ping that is too long', [masked(0x89, Buffer.alloc(126), 0xfe), Buffer.alloc(200)]],
    ['a piece of nothing', [masked(0x80, Buffer.from('x'))]],
    ['a beginning inside another', [masked(0x01, Buffer.from('{')), text('{}')]],
    ['a close of one byte', [masked(0x88, Buffer.from([3]))]],
    ['a close with a code that is none', [masked(0x88, Buffer.from([3, 237]))]],
    [
      'a length beyond everything',
      [Buffer.from([0x81, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0])],
    ],
    ['a hundred megabytes announced', [Buffer.from([0x81, 0xff, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0])]],
    [
      'bad characters over two pieces',
      [masked(0x01, Buffer.from([0xf0, 0x9f])), masked(0x80, Buffer.from([0x22]))],
    ],
    ['noise', [Buffer.from('\u0000\u0001GET / HTTP/1.1\r\n\r\n')]],
  ];

  verifies('HUB-10', 'WS-02: end their own line, and nothing else', async () => {
    const hub = stage.product.pidOf('hub');
    const beside = await stage.product.screen('customer', AMELIA);
    for (const [what, pieces] of broken) {
      const socket = await upgraded();
      socket.on('error', () => undefined);
      socket.resume();
      const over = once(socket, 'close');
      for (const piece of pieces) socket.write(piece);
      expect([what, await over]).toEqual([what, [expect.any(Boolean)]]);
      expect(await beside.ask('ping', {})).toEqual({});
    }
    // Ten thousand pieces of one frame are a frame, or an end; never a stop.
    const slow = await upgraded();
    slow.on('error', () => undefined);
    slow.resume();
    slow.write(masked(0x01, Buffer.from(' ')));
    for (let nth = 0; nth < 10_000; nth += 1) slow.write(masked(0x00, Buffer.from(' ')));
    slow.write(masked(0x80, Buffer.from('{}')));
    expect(await beside.ask('ping', {})).toEqual({});
    slow.destroy();
    expect([stage.product.pidOf('hub'), isAlive(hub)]).toEqual([hub, true]);
    await beside.close();
  });
});

describe('who cannot be let in', () => {
  const knock = (offered: readonly string[]): Promise<number | string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${stage.product.url.replace('http', 'ws')}/ws/customer`, [...offered]);
      socket.on('unexpected-response', (_, response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      });
      socket.on('open', () => resolve('open'));
      socket.on('error', (error) => resolve(error.message));
    });

  verifies('HUB-7', 'WS-05: a token that is none is refused, and hurts nobody', async () => {
    const beside = await stage.product.screen('customer', AMELIA);
    const token = await stage.product.token(AMELIA);
    const [head = '', body = ''] = token.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const bad of [
      'x',
      'a.b.c',
      '...',
      `${head}.${body}.`,
      `${none}.${body}.`,
      `${head}.bnVsbA.x`,
      'x'.repeat(2_000),
    ])
      expect([bad, await knock([SUBPROTOCOL, `bearer.${bad}`])]).toEqual([bad, 401]);
    expect(await knock([`bearer.${token}`])).toBe(400);
    expect(await beside.ask('ping', {})).toEqual({});
    await beside.close();
  });

  verifies(
    'HUB-18',
    'WS-05: nor does one who comes while the store is away',
    async () => {
      const hub = stage.product.pidOf('hub');
      const token = await stage.product.token(AMELIA);
      const beside = await stage.product.screen('customer', AMELIA);
      const redis = stage.product.pidOf('redis');
      process.kill(redis, 'SIGSTOP');
      try {
        for (const offered of [
          [SUBPROTOCOL, `bearer.${token}`],
          [SUBPROTOCOL, 'bearer.a.b.c'],
          [SUBPROTOCOL],
        ])
          expect([400, 401, 503, 'open']).toContain(await knock(offered));
        expect(await knock([SUBPROTOCOL, 'bearer.a.b.c'])).toBe(401);
        expect(await beside.ask('ping', {})).toEqual({});
      } finally {
        process.kill(redis, 'SIGCONT');
      }
      await until(async () => (await knock([SUBPROTOCOL, `bearer.${token}`])) === 'open');
      expect(stage.product.pidOf('hub')).toBe(hub);
      await beside.close();
    },
    PATIENT_MS,
  );
});

describe('lines that died without a word', () => {
  verifies(
    'FAN-32',
    'WS-07: a half-open peer is dropped within two heartbeats, whatever is sent to it meanwhile',
    async () => {
      const thread = 'ws-07';
      const hub = stage.product.pidOf('hub');
      await stage.open(thread);
      const { proxy, url } = await proxied();
      const lost = await stage.screen(thread, 'customer', { url });
      const beside = await stage.screen(thread, 'operator');
      expect(await readers(thread)).toBe(2);
      proxy.freeze();
      let spoken = 0;
      while ((await readers(thread)) > 1) {
        spoken += 1;
        await speak(thread, `run-${spoken}`, 'x'.repeat(1_000));
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
      await beside.until(thread, (model) => saidIn(model).length === spoken * 1_000);
      expect([beside.gaps, stage.product.pidOf('hub')]).toEqual([[], hub]);
      await beside.close();
      lost.socket.terminate();
    },
    PATIENT_MS,
  );

  verifies(
    'CLI-8',
    'WS-08: a client whose proxy drops everything notices, comes back and misses nothing',
    async () => {
      const thread = 'ws-08';
      await stage.open(thread);
      const { proxy, url } = await proxied();
      const client = new HubClient({
        url,
        surface: 'customer',
        getToken: () => stage.product.token(AMELIA),
        WebSocketImpl: WebSocket as unknown as SocketConstructor,
      });
      const shown: Model[] = [];
      client.start();
      client.subscribe(thread, ({ model }) => void shown.push(model));
      await speak(thread, 'run-1', 'one ');
      await until(() => shown.some((model) => saidIn(model) === 'one '));
      proxy.freeze();
      await speak(thread, 'run-2', 'two ');
      await until(() => saidIn(shown.at(-1) ?? { messages: [] }) === 'one two ');
      client.stop();
    },
    PATIENT_MS,
  );

  verifies(
    'FAN-33',
    'WS-08: a line that a proxy keeps answering for its dead client ends with the token, whatever it answers',
    async () => {
      const thread = 'ws-08-held';
      await stage.open(thread);
      const token = await stage.product.token({ ...AMELIA, ttlSeconds: 5 });
      const held = await Screen.open(stage.product.url, 'customer', token);
      await held.subscribe(thread);
      // It answers pings by itself, and says nothing of its own.
      const [code] = (await once(held.socket, 'close')) as [number];
      expect(code).toBe(4401);
      await until(async () => (await readers(thread)) === 0);
    },
    PATIENT_MS,
  );
});
