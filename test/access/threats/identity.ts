/** Who comes without a token, with another's browser, or with a token that was good. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { SUBPROTOCOL } from '@triptych/protocol';
import { Screen } from '@triptych/testkit';
import { attach } from '../../field/event-source.js';
import { frame } from '../../field/told-agent.js';
import { isLine, Line } from '../ask.js';
import { PEOPLE } from '../people.js';
import { type AccessStage, inputFor } from '../stage.js';
import { traceOf } from '../store-trace.js';
import { TABLE } from '../table/index.js';
import { askDecide, tries } from './doors.js';

const SOCKETS = ['/ws/customer', '/ws/reviewer', '/ws/operator', '/ws/agui?agent=told', '/ws/agent'];

/** A text frame as a client masks it, with a mask that changes nothing. */
const masked = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

/** Asks for a socket and goes on at once as if it had been given: all that comes back. */
const eager = async (url: string, path: string, headers: readonly string[] = []): Promise<string> => {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Sec-WebSocket-Protocol: ${SUBPROTOCOL}`,
    ...headers,
  ];
  const asks = masked('{"event":"subscribe","id":"1","data":{"threadId":"open"}}');
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), asks]));
  let said = '';
  socket.on('data', (bytes) => (said += String(bytes)));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return said;
};

export const identity = (on: () => AccessStage): void => {
  describe('who is not known', () => {
    tries('SE-06: has no socket of any door, be they silent or quick, and hears nothing but so', async () => {
      const stage = on();
      const { url } = stage.product;
      const { thread } = await stage.make('idle');
      const token = stage.tokens.owner ?? '';
      const ticket = await stage.product.json<{ ticket: string }>('/v1/tickets', {
        token,
        body: { surface: 'customer', threadId: thread },
      });
      for (const path of SOCKETS) {
        const mark = path.includes('?') ? '&' : '?';
        const tries = [
          eager(url, path),
          eager(url, `${path}${mark}token=${token}`),
          eager(url, `${path}${mark}access_token=${token}`),
          eager(url, `${path}${mark}ticket=${ticket.ticket}`),
          eager(url, path, [`Cookie: token=${token}; authorization=Bearer ${token}`]),
          eager(url, path, [`Authorization: Basic ${token}`]),
          eager(url, path, [`Authorization: Bearer ${stage.tokens.forged}`]),
          eager(url, path, [`Authorization: Bearer ${stage.tokens.unsigned}`]),
          eager(url, path, [`Authorization: Bearer ${stage.tokens.expired}`]),
        ];
        for (const said of await Promise.all(tries)) {
          expect({ path, said: said.slice(0, 12) }).toEqual({ path, said: 'HTTP/1.1 401' });
          expect(said.split('\r\n\r\n')[1]).toMatch(/^\{"error":\{"code":"UNAUTHENTICATED"[^{}]*\}\}$/u);
        }
      }
    });

    tries('threat 7: decides nothing by cookie, form, link, address or another site’s page', async () => {
      const stage = on();
      const asked = await stage.make('pay');
      const token = stage.tokens.candidate ?? '';
      const path = `/v1/approvals/${asked.task}/decide`;
      const body = { verb: 'approve', rev: asked.rev, proposalHash: asked.hash };
      const said = JSON.stringify(body);
      const bearer = { authorization: `Bearer ${token}` };
      const codes = async (...headers: Record<string, string>[]): Promise<unknown> =>
        Promise.all(
          headers.map(async (each) => (await stage.ask('none', { path, body, headers: each })).code),
        );
      expect(
        await codes(
          { cookie: `token=${token}; authorization=Bearer ${token}` },
          { 'x-authorization': `Bearer ${token}` },
          { ...bearer, origin: 'https://evil.example' },
          { ...bearer, origin: 'null' },
          { ...bearer, 'content-type': 'text/plain' },
          { ...bearer, 'content-type': 'application/x-www-form-urlencoded' },
          { ...bearer, 'content-type': 'multipart/form-data; boundary=x' },
        ),
      ).toEqual([
        ...['UNAUTHENTICATED', 'UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN'],
        ...['UNSUPPORTED_MEDIA_TYPE', 'UNSUPPORTED_MEDIA_TYPE', 'UNSUPPORTED_MEDIA_TYPE'],
      ]);
      for (const query of [`?access_token=${token}`, `?token=${token}`, `?ticket=${token}`]) {
        const inAddress = await stage.ask('none', { path: `${path}${query}`, body });
        expect(inAddress.code).toBe('UNAUTHENTICATED');
      }
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
        const sent = method === 'GET' || method === 'HEAD' ? {} : { body: said };
        const response = await fetch(
          `${stage.product.url}${path}?verb=approve&rev=1&proposalHash=${asked.hash}`,
          {
            method,
            headers: { ...bearer, 'content-type': 'application/json', 'x-http-method-override': 'POST' },
            ...sent,
          },
        );
        expect({ method, status: response.status }).toEqual({ method, status: 404 });
      }
      for (const socket of SOCKETS) {
        const cross = [`Authorization: Bearer ${token}`, 'Origin: https://evil.example'];
        expect(await eager(stage.product.url, socket, cross)).toMatch(/^HTTP\/1\.1 403 /u);
      }
      expect(await stage.task(asked.task)).toMatchObject({ rev: 1, state: 'pending' });
    });

    tries('threat 7: changes nothing by reading, whatever is read', async () => {
      const stage = on();
      const things = { pay: await stage.make('pay'), idle: await stage.make('idle') };
      const before = await traceOf(stage.redis);
      const reads = TABLE.filter(({ http, of }) => http?.door.startsWith('GET') && of in things);
      expect(reads.length).toBeGreaterThan(20);
      for (const { http, of } of reads)
        for (const who of ['operator', 'twin', 'candidate'] as const)
          await stage.ask(who, http!.asked(things[of as keyof typeof things]));
      expect(await traceOf(stage.redis)).toEqual(before);
    });
  });

  describe('who was known', () => {
    const following = async (thread: string, surface: 'reviewer' | 'customer', token: string) => {
      const { url } = on().product;
      const screen = await Screen.open(url, surface, token);
      await screen.subscribe(thread);
      const closed = once(screen.socket, 'close') as Promise<[number]>;
      const authorization = `Bearer ${token}`;
      const stream = await attach(`${url}/v1/threads/${thread}/events?surface=${surface}`, { authorization });
      return { screen, closed, stream };
    };
    /** A run that goes on, and says one word when it is told to. */
    const speaking = async (thread: string, token: string) => {
      const stage = on();
      let speak = (): void => undefined;
      stage.tell(thread, (response, { threadId, runId }) => {
        response.write(frame({ type: 'RUN_STARTED', threadId, runId }));
        speak = () => {
          response.write(frame({ type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }));
          response.write(frame({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'afterwards' }));
          response.write(frame({ type: 'TEXT_MESSAGE_END', messageId: 'm' }));
          response.end(frame({ type: 'RUN_FINISHED', threadId, runId }));
        };
      });
      const body = inputFor(thread, `${thread}-speaks`);
      const run = stage.product
        .fetch('/v1/agents/told/run', { token, body })
        .then(async (response) => response.text());
      return { run, speak: () => speak() };
    };

    tries('SE-08: reads and decides nothing any more when the token is over, on no door', async () => {
      const stage = on();
      const asked = await stage.make('pay');
      const token = await stage.product.token({ ...PEOPLE.candidate, ttlSeconds: 3 });
      const { screen, closed, stream } = await following(asked.thread, 'reviewer', token);
      const forStream = await stage.product.json<{ ticket: string }>('/v1/tickets', {
        token,
        body: { surface: 'reviewer', threadId: asked.thread },
      });
      const forSocket = await stage.product.json<{ ticket: string }>('/v1/tickets', {
        token,
        body: { surface: 'reviewer' },
      });
      await screen.next('auth.expiring');
      expect((await closed)[0]).toBe(4401);
      await stream.over;
      const late = { path: `/v1/approvals/${asked.task}/decide`, token };
      const body = { verb: 'approve', rev: asked.rev, proposalHash: asked.hash };
      expect((await stage.product.fetch(late.path, { token, body })).status).toBe(401);
      const resume = [{ interruptId: asked.interrupt, status: 'resolved', payload: { approved: true } }];
      const answer = { ...inputFor(asked.thread, 'late'), resume };
      expect((await stage.product.fetch('/v1/agents/told/run', { token, body: answer })).status).toBe(401);
      const byTicket = `/v1/threads/${asked.thread}/events?ticket=${forStream.ticket}`;
      expect((await stage.ask('none', { path: byTicket })).code).toBe('UNAUTHENTICATED');
      const again = await Line.open(stage.product.url, `/ws/reviewer?ticket=${forSocket.ticket}`);
      expect(isLine(again) ? 'open' : again.code).toBe('UNAUTHENTICATED');
      expect(await stage.task(asked.task)).toMatchObject({ rev: 1, state: 'pending' });
      expect((await askDecide(stage, 'candidate', asked)).code).toBe('ok');
    });

    for (const [what, close] of [
      ['sub', 4401],
      ['role', 4403],
    ] as const)
      tries(
        `SE-08, threat 16: a ${what} revoked in the middle of a run ends every stream of it`,
        async () => {
          const stage = on();
          const tenant = `revoked-${what}`;
          const admin = await stage.product.token({ ...PEOPLE.admin, tenant });
          const token = await stage.product.token({ ...PEOPLE.owner, tenant });
          const operator = await stage.product.token({ ...PEOPLE.operator, tenant });
          const thread = `cut-${what}`;
          await stage.product.fetch('/v1/threads', { token, body: { threadId: thread, agentId: 'told' } });
          const { screen, closed, stream } = await following(thread, 'customer', token);
          const { run, speak } = await speaking(thread, token);
          await screen.next('agui');
          const body = what === 'sub' ? { sub: PEOPLE.owner.sub } : { role: 'customer' };
          expect((await stage.product.fetch('/v1/revocations', { token: admin, body })).status).toBe(201);
          expect((await closed)[0]).toBe(close);
          await stream.over;
          expect(await run).not.toContain('afterwards');
          speak();
          await stage.ended(operator, thread);
          expect(screen.texts.join()).not.toContain('afterwards');
          expect(JSON.stringify(stream.frames)).not.toContain('afterwards');
          const back = await stage.product.fetch(`/v1/threads/${thread}`, { token });
          expect(back.status).toBe(what === 'sub' ? 401 : 404);
        },
      );
  });
};
