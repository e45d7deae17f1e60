/** An agent over real sockets: what it sends arrives as sent, and whatever it does wrong has a name. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { RunAgentInput } from '@triptych/protocol';
import { verifies } from '../../../../test/spec/verifies.js';
import type { AgentItem, AgentOpened } from '../core/agent-answer.js';
import type { AgentTimeouts, HttpAgentSpec } from '../core/agent-spec.js';
import { openRun } from './http-agent.js';

type Answer = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

const MIB = 1024 * 1024;
const INPUT: RunAgentInput = { threadId: 't', runId: 'r', messages: [], tools: [], context: [] };
/** Long enough never to decide a test that is not about time. */
const PATIENT: AgentTimeouts = { connectMs: 60_000, firstEventMs: 60_000, idleMs: 60_000, totalMs: 60_000 };

const closers: (() => unknown)[] = [];

afterEach(() => {
  for (const close of closers.splice(0).toReversed()) close();
});

const serve = async (answer: Answer): Promise<{ url: string; server: Server }> => {
  const server = createServer((request, response) => void answer(response, request));
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
};

const specOf = (url: string, timeouts: Partial<AgentTimeouts> = {}, headers = {}): HttpAgentSpec => ({
  id: 'a',
  name: 'a',
  connect: { type: 'http', url, headers },
  timeouts: { ...PATIENT, ...timeouts },
  resume: { idempotent: false, dialect: 'standard' },
  onNoSubscribers: 'continue',
  accept: { forwardedProps: [], tools: [] },
  roles: ['customer'],
});

const open = (spec: HttpAgentSpec, giveUp = new AbortController()): Promise<AgentOpened> => {
  closers.push(() => giveUp.abort());
  return openRun(spec, INPUT, { signal: giveUp.signal, limits: { maxEventBytes: 7 * MIB } });
};

const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });

/** Short: the text of an event, or the code of a cut. */
const word = (item: AgentItem): string => (item.kind === 'event' ? item.text : item.code);

const wordsOf = async (opened: AgentOpened): Promise<string[]> => {
  if (!opened.ok) throw new Error(`not opened: ${opened.detail}`);
  const words: string[] = [];
  for await (const item of opened.events) words.push(word(item));
  return words;
};

const wordsFrom = async (answer: Answer, timeouts: Partial<AgentTimeouts> = {}): Promise<string[]> =>
  wordsOf(await open(specOf((await serve(answer)).url, timeouts)));

/** Writes each piece in a packet of its own. */
const pieces = async (response: ServerResponse, parts: readonly (string | Uint8Array)[]): Promise<void> => {
  stream(response);
  for (const part of parts) await new Promise((sent) => response.write(part, sent));
};

describe('openRun', () => {
  verifies(
    'AGT-6',
    'POSTs the input as JSON with our protocol version and the headers of the file',
    async () => {
      let asked: { method?: string | undefined; headers: object; body: string } | undefined;
      const { url } = await serve(async (response, request) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        asked = { method: request.method, headers: request.headers, body: Buffer.concat(chunks).toString() };
        stream(response).end();
      });
      const text = { id: 'm', role: 'user' as const, content: 'half a pair: \ud83d' };
      const opened = await openRun(
        specOf(url, {}, { Authorization: 'Bearer x' }),
        { ...INPUT, messages: [text] },
        { signal: new AbortController().signal, limits: { maxEventBytes: MIB } },
      );
      await wordsOf(opened);
      expect(asked?.method).toBe('POST');
      expect(asked?.headers).toMatchObject({
        authorization: 'Bearer x',
        accept: 'text/event-stream',
        'content-type': 'application/json',
      });
      expect(asked?.body).toContain('\\ud83d');
      expect(JSON.parse(asked?.body ?? '')).toEqual({ ...INPUT, messages: [text], protocolVersion: '1.0' });
    },
  );

  describe('reads the whole SSE grammar', () => {
    const cases: readonly [string, readonly (string | Uint8Array)[], readonly string[]][] = [
      ['LF frames', ['data: {"n":1}\n\ndata: {"n":2}\n\n'], ['{"n":1}', '{"n":2}']],
      [
        'CRLF frames, cut between CR and LF',
        ['data: {"n":1}\r\n\r', '\ndata: {"n":2}\r\n\r\n'],
        ['{"n":1}', '{"n":2}'],
      ],
      ['CR frames', ['data: {"n":1}\r\rdata: {"n":2}\r\r'], ['{"n":1}', '{"n":2}']],
      ['a byte order mark', [Uint8Array.of(0xef, 0xbb), Uint8Array.of(0xbf), 'data: 1\n\n'], ['1']],
      ['no space after the colon', ['data:{"n":1}\n\n'], ['{"n":1}']],
      ['comments, ids, names and retry', [': hb\n\nid: 7\nevent: x\nretry: 5\ndata: 1\n\n: hb\n'], ['1']],
      ['data over several lines', ['data: {\ndata: "n":1}\n\n'], ['{\n"n":1}']],
      ['frames cut anywhere', ['da', 'ta: {"n"', ':1}\n', '\nda', 'ta: 2\n\n'], ['{"n":1}', '2']],
      [
        'a character cut between packets',
        ['data: "', Uint8Array.of(0xf0, 0x9f), Uint8Array.of(0x91, 0x8d), '"\n\n'],
        ['"👍"'],
      ],
      ['line separators of Unicode inside text', ['data: "a\u2028b\u0085c"\n\n'], ['"a\u2028b\u0085c"']],
      ['a last frame without its blank line', ['data: 1\n\ndata: 2'], ['1', '2']],
      [
        'arrays, end marks and empty data, for the judge to refuse',
        ['data: []\n\ndata: [DONE]\n\ndata:\n\n'],
        ['[]', '[DONE]', ''],
      ],
      ['an empty body', [], []],
    ];
    for (const [what, parts, words] of cases)
      verifies('AGT-8', what, async () => {
        const heard = await wordsFrom(async (response) => {
          await pieces(response, parts);
          response.end();
        });
        expect(heard).toEqual(words);
      });
  });

  describe('says how a stream broke', () => {
    verifies('AGT-9', 'cut inside a frame: what was whole, then truncated', async () => {
      const heard = await wordsFrom(async (response) => {
        await pieces(response, ['data: 1\n\n', 'data: 2\n\ndata: {"n":']);
        response.socket?.destroy();
      });
      expect(heard).toEqual(['1', '2', 'hub/upstream-truncated']);
    });

    verifies('AGT-9', 'cut after whole frames that nobody had asked for yet', async () => {
      const { url } = await serve(async (response) => {
        await pieces(response, ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']);
        response.socket?.destroy();
      });
      const opened = await open(specOf(url));
      await new Promise(setImmediate);
      expect(await wordsOf(opened)).toEqual(['1', '2', '3', 'hub/upstream-truncated']);
    });

    verifies('AGT-9', 'a body that ends inside an event or a character', async () => {
      const ends = ['data: {"type":', Uint8Array.of(...Buffer.from('data: "'), 0xf0, 0x9f)];
      for (const last of ends) {
        const heard = await wordsFrom(async (response) => {
          await pieces(response, ['data: 1\n\n', last]);
          response.end();
        });
        expect(heard).toEqual(['1', 'hub/upstream-truncated']);
      }
    });

    verifies('AGT-8', 'bytes that are not UTF-8', async () => {
      const heard = await wordsFrom(async (response) => {
        await pieces(response, ['data: 1\n\n', Uint8Array.of(0x64, 0xff, 0xfe)]);
        response.end();
      });
      expect(heard).toEqual(['1', 'hub/protocol-violation']);
    });

    verifies('AGT-11', 'a frame of 10 MB, in one line or in many', async () => {
      const filler = 'x'.repeat(10 * MIB);
      for (const body of [`data: "${filler}"\n\n`, `data: ${filler.slice(0, 4 * MIB)}\n`.repeat(3)]) {
        const heard = await wordsFrom(
          (response) => void stream(response).end(`data: 1\n\n${body}data: 2\n\n`),
        );
        expect(heard).toEqual(['1', 'hub/too-large']);
      }
    });

    verifies('AGT-11', 'counts bytes, not characters', async () => {
      const { url } = await serve((response) => void stream(response).end(`data: ${'é'.repeat(6)}\n\n`));
      const limited = async (maxEventBytes: number): Promise<string[]> =>
        wordsOf(
          await openRun(specOf(url), INPUT, {
            signal: new AbortController().signal,
            limits: { maxEventBytes },
          }),
        );
      expect(await limited(12)).toEqual(['éééééé']);
      expect(await limited(11)).toEqual(['hub/too-large']);
    });
  });

  describe('keeps time', () => {
    verifies('AGT-10', 'silence before the headers', async () => {
      expect(await wordsFrom(() => undefined, { firstEventMs: 50 })).toEqual(['hub/timeout-first-event']);
    });

    verifies('AGT-10', 'comments are no first event', async () => {
      const heard = await wordsFrom(
        (response) => {
          stream(response);
          const beats = setInterval(() => response.write(': hb\n\n'), 10);
          response.on('close', () => clearInterval(beats));
        },
        { firstEventMs: 80 },
      );
      expect(heard).toEqual(['hub/timeout-first-event']);
    });

    verifies('AGT-10', 'silence after an event', async () => {
      const heard = await wordsFrom((response) => void stream(response).write('data: 1\n\n'), { idleMs: 50 });
      expect(heard).toEqual(['1', 'hub/timeout-idle']);
    });

    verifies('AGT-10', 'comments are life once it has begun, until the whole takes too long', async () => {
      const heard = await wordsFrom(
        (response) => {
          stream(response).write('data: 1\n\n');
          const beats = setInterval(() => response.write(': hb\n\n'), 5);
          response.on('close', () => clearInterval(beats));
        },
        { idleMs: 1_000, totalMs: 1_300 },
      );
      expect(heard).toEqual(['1', 'hub/timeout-total']);
    });

    verifies('RUN-62', 'the whole may take longer where it was given more', async () => {
      const responses: ServerResponse[] = [];
      const { url } = await serve((response) => {
        responses.push(response);
        stream(response).write('data: 1\n\n');
      });
      const spec = specOf(url, { totalMs: 2_000 });
      const patient = await open(spec);
      if (patient.ok) patient.prolong(60_000);
      expect(await wordsOf(await open(spec))).toEqual(['1', 'hub/timeout-total']);
      responses[0]?.end('data: 2\n\n');
      expect(await wordsOf(patient)).toEqual(['1', '2']);
      if (patient.ok) patient.prolong(60_000);
    });

    verifies('RUN-65', 'the whole that took too long is told as it was after it was given more', async () => {
      const { url } = await serve((response) => void stream(response).write('data: 1\n\n'));
      const opened = await open(specOf(url, { totalMs: 300 }));
      if (!opened.ok) throw new Error('not opened');
      opened.prolong?.(200);
      const items: unknown[] = [];
      for await (const item of opened.events) items.push(item);
      expect(items.at(-1)).toMatchObject({
        code: 'hub/timeout-total',
        detail: expect.stringContaining('500 ms'),
      });
    });

    verifies('AGT-10', 'does not count the time the reader takes', async () => {
      const { url } = await serve(async (response) => {
        await pieces(response, ['data: 1\n\n', 'data: 2\n\n']);
        response.end();
      });
      const opened = await open(specOf(url, { firstEventMs: 300, idleMs: 300 }));
      const words: string[] = [];
      if (opened.ok)
        for await (const item of opened.events) {
          words.push(word(item));
          await new Promise((rested) => setTimeout(rested, 400));
        }
      expect(words).toEqual(['1', '2']);
    });
  });

  describe('knows what never began', () => {
    verifies('AGT-6', 'a refused connection', async () => {
      const { url, server } = await serve(() => undefined);
      await new Promise((closed) => server.close(closed));
      expect(await open(specOf(url))).toEqual({
        ok: false,
        failure: 'unavailable',
        detail: `no connection to ${new URL(url).origin}: ECONNREFUSED`,
      });
    });

    verifies('AGT-6', 'a connection that is never made', async () => {
      // TLS towards a server that never greets: the connection is not there until the handshake is over.
      const mute = createTcpServer((socket: Socket) => closers.push(() => socket.destroy()));
      closers.push(() => mute.close());
      await once(mute.listen(0, '127.0.0.1'), 'listening');
      const { port } = mute.address() as AddressInfo;
      const opened = await open(specOf(`https://127.0.0.1:${port}/`, { connectMs: 50 }));
      expect(opened).toMatchObject({ ok: false, failure: 'timeout-connect' });
    });

    verifies('AGT-6', 'closing without an answer may have begun, so it opens and is cut', async () => {
      expect(await wordsFrom((response) => void response.socket?.destroy())).toEqual([
        'hub/upstream-truncated',
      ]);
    });

    const refusals: readonly [string, number, Record<string, string>, string][] = [
      ['a failure', 500, { 'content-type': 'application/json' }, 'the agent answered 500: {"why":"tired"}'],
      ['not found', 404, {}, 'the agent answered 404: {"why":"tired"}'],
      [
        'another content type',
        200,
        { 'content-type': 'text/html' },
        'the agent answered with text/html, not text/event-stream: {"why":"tired"}',
      ],
      [
        'a compressed stream',
        200,
        { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' },
        'the agent compressed its answer with gzip, which was not asked for: {"why":"tired"}',
      ],
    ];
    for (const [what, status, headers, detail] of refusals)
      verifies('AGT-7', `${what} is a rejection`, async () => {
        const { url } = await serve(
          (response) => void response.writeHead(status, headers).end('{"why":\n"tired"}'),
        );
        expect(await open(specOf(url))).toEqual({
          ok: false,
          failure: 'rejected',
          status,
          detail: detail.replace('{"why":"', '{"why": "'),
        });
      });

    verifies('AGT-7', 'a redirect on the same origin is followed, to another never', async () => {
      const { url } = await serve((response, request) => {
        if (request.url === '/') return void response.writeHead(307, { location: '/agent/' }).end();
        if (request.url === '/loop') return void response.writeHead(308, { location: '/loop' }).end();
        if (request.url === '/away')
          return void response.writeHead(307, { location: 'http://a.example/' }).end();
        if (request.url === '/get') return void response.writeHead(302, { location: '/agent/' }).end();
        stream(response).end('data: 1\n\n');
      });
      expect(await wordsOf(await open(specOf(url)))).toEqual(['1']);
      for (const path of ['loop', 'away', 'get'])
        expect(await open(specOf(url + path))).toMatchObject({ ok: false, failure: 'rejected' });
    });
  });

  describe('lets go', () => {
    verifies('AGT-12', 'an abort closes the connection and ends the events without a cut', async () => {
      const giveUp = new AbortController();
      let gone: Promise<unknown> = Promise.resolve();
      const { url } = await serve((response) => {
        gone = once(response, 'close');
        stream(response).write('data: 1\n\n');
      });
      const opened = await open(specOf(url), giveUp);
      const words: string[] = [];
      if (opened.ok)
        for await (const item of opened.events) {
          words.push(word(item));
          setImmediate(() => giveUp.abort());
        }
      expect(words).toEqual(['1']);
      await gone;
    });

    verifies('AGT-12', 'an abort before the connection means that nothing was sent', async () => {
      const { url } = await serve(() => undefined);
      const giveUp = new AbortController();
      giveUp.abort();
      expect(await open(specOf(url), giveUp)).toMatchObject({ ok: false, failure: 'unavailable' });
    });

    verifies('AGT-12', 'a reader that stops reading closes the connection', async () => {
      let gone: Promise<unknown> = Promise.resolve();
      const { url } = await serve((response) => {
        gone = once(response, 'close');
        stream(response).write('data: 1\n\n');
      });
      const opened = await open(specOf(url));
      if (opened.ok) for await (const _item of opened.events) break;
      await gone;
    });
  });
});
