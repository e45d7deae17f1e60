/** Proves the plain AG-UI socket: one input in, one event a frame out, and the same run as by HTTP. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { AbstractAgent, HttpAgent, type BaseEvent } from '@ag-ui/client';
import { MO, Product, TOVE, until, type Person } from '@triptych/testkit';
import type { AguiEvent, RunAgentInput } from '@triptych/protocol';
import { Observable } from 'rxjs';
import { WebSocket } from 'ws';
import { verifies } from '../spec/verifies.js';
import { quickAgent, type QuickAgent } from './quick-agent.js';
import { approve, eventsIn, inputOf, taskOf, upgradeAnswer } from './wire.js';

const JOURNEY_MS = 120_000;

let agent: QuickAgent;
let product: Product;
beforeAll(async () => {
  agent = await quickAgent({
    stopped: ({ threadId, runId }) => [
      { type: 'RUN_STARTED', threadId, runId },
      { type: 'FUTURE_THING' },
      { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'cancelled' } },
    ],
  });
  product = await Product.start({
    RATE_RUNS: '1000',
    AGENTS_FILE: agent.agentsFile,
    MAX_SOCKETS_PER_SUBJECT: '3',
  });
}, JOURNEY_MS);
afterAll(async () => {
  await product.stop();
  await agent.stop();
}, JOURNEY_MS);

/** One socket, and what came over it. */
class Plain {
  readonly frames: string[] = [];
  readonly closed: Promise<number>;

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data, isBinary) => this.frames.push(isBinary ? 'binary' : String(data)));
    this.closed = once(socket, 'close').then(([code]) => code as number);
  }

  get events(): AguiEvent[] {
    return this.frames.map((frame) => JSON.parse(frame) as AguiEvent);
  }
}

interface Opened {
  readonly person?: Person;
  readonly agent?: string;
  readonly protocols?: readonly string[];
  readonly query?: string;
}

const open = async (opened: Opened = {}) => {
  const { person = MO, agent: of = 'quick', protocols = ['ag-ui.v1+json'], query = '' } = opened;
  const headers = { authorization: `Bearer ${await product.token(person)}` };
  const url = `${product.url.replace('http', 'ws')}/ws/agui?agent=${of}${query}`;
  const plain = new Plain(new WebSocket(url, [...protocols], { headers }));
  await once(plain.socket, 'open');
  return plain;
};

const said = async (first: unknown, opened: Opened = {}): Promise<{ code: number; events: AguiEvent[] }> => {
  const plain = await open(opened);
  plain.socket.send(typeof first === 'string' || Buffer.isBuffer(first) ? first : JSON.stringify(first));
  return { code: await plain.closed, events: plain.events };
};

/** As the operator, whose events are never merged: both doors must say the very same. */
const toldByHttp = async (path: string, body: unknown): Promise<AguiEvent[]> => {
  const response = await product.fetch(path, { token: await product.token(MO), body });
  return eventsIn(await response.text());
};

const refusedUpgrade = (path: string, headers: Record<string, string>) =>
  upgradeAnswer(`${product.url}${path}`, headers);

/** The published client with a socket for its line. */
class SocketAgent extends AbstractAgent {
  constructor(
    private readonly of: string,
    threadId: string,
  ) {
    super({ threadId });
  }
  override run(input: RunAgentInput): Observable<BaseEvent> {
    return new Observable((reader) => {
      void open({ agent: this.of }).then(({ socket }) => {
        socket.on('message', (data) => reader.next(JSON.parse(String(data)) as BaseEvent));
        socket.on('close', () => reader.complete());
        socket.send(JSON.stringify(input));
      });
    });
  }
}

describe('the plain socket', () => {
  verifies(
    'HUB-43',
    'tells the run that HTTP tells, one event a frame, and closes with 1000',
    async () => {
      for (const scenario of ['onboarding', 'cards', 'fails', 'cut-off']) {
        const input = inputOf(`plain-${scenario}`, 'an account with 2 million');
        const { code, events } = await said(input, { agent: scenario });
        expect(code).toBe(1000);
        expect(['RUN_FINISHED', 'RUN_ERROR']).toContain(events.at(-1)?.type);
        expect(events).toEqual(await toldByHttp(`/v1/agents/${scenario}/run`, input));
      }
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-43',
    'a repeat shows the run as it was stored, and another run is refused its id',
    async () => {
      const input = inputOf(`twice-${randomUUID()}`, 'stopped');
      const first = await said(input);
      expect(await said(input)).toEqual(first);
      const other = { ...input, messages: [{ id: 'other', role: 'user', content: 'stopped' }] };
      expect(await said(other)).toEqual({
        code: 1000,
        events: [{ type: 'RUN_ERROR', message: expect.any(String) as unknown, code: 'hub/run-id-conflict' }],
      });
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-39',
    'speaks 0.0.59 with whom names no version',
    async () => {
      const { events } = await said(inputOf(`old-${randomUUID()}`, 'stopped', {}));
      expect(events.map(({ type, code }) => code ?? type)).toEqual(['RUN_STARTED', 'hub/cancelled']);
      const anew = await said(inputOf(`new-${randomUUID()}`, 'stopped'));
      expect(anew.events.map(({ type }) => type)).toEqual(['RUN_STARTED', 'FUTURE_THING', 'RUN_FINISHED']);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-43',
    'the published client, given this socket for its line, ends as by HTTP',
    async () => {
      const threadId = `stock-${randomUUID()}`;
      const headers = { authorization: `Bearer ${await product.token(MO)}` };
      const bySocket = new SocketAgent('cards', threadId);
      const byHttp = new HttpAgent({ url: `${product.url}/v1/agents/cards/run`, headers, threadId });
      for (const client of [bySocket, byHttp]) {
        client.addMessage({ id: 'u', role: 'user', content: 'show me' });
        await client.runAgent({ runId: 'r-1' });
      }
      expect(bySocket.messages.length).toBeGreaterThan(1);
      expect([bySocket.messages, bySocket.state]).toEqual([byHttp.messages, byHttp.state]);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-43',
    'the subprotocol may be left out, and is the only one selected',
    async () => {
      const token = await product.token(MO);
      const cases = [
        { protocols: [], selected: '' },
        { protocols: ['ag-ui.v1+json'], selected: 'ag-ui.v1+json' },
        { protocols: [`bearer.${token}`, 'ag-ui.v1+json'], selected: 'ag-ui.v1+json' },
      ];
      for (const { protocols, selected } of cases) {
        const plain = await open({ protocols });
        expect(plain.socket.protocol).toBe(selected);
        plain.socket.close();
        await plain.closed;
      }
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-57',
    'stays open over a question for as long as was asked, and tells the run that brings the answer',
    async () => {
      const asking = inputOf(`held-${randomUUID()}`, 'ask');
      const plain = await open({ query: '&hold=60' });
      plain.socket.send(JSON.stringify(asking));
      await approve(product, await taskOf(product, asking.threadId));
      expect(await plain.closed).toBe(1000);
      expect(
        plain.events.filter(({ type }) => type === 'RUN_FINISHED').map(({ outcome }) => outcome),
      ).toEqual([expect.objectContaining({ type: 'interrupt' }), undefined]);
      expect((await said(inputOf(`short-${randomUUID()}`, 'ask'), { query: '&hold=1' })).code).toBe(1000);
      const authorization = `Bearer ${await product.token(MO)}`;
      for (const hold of ['601', 'x', ''])
        expect(await refusedUpgrade(`/ws/agui?agent=quick&hold=${hold}`, { authorization })).toEqual({
          status: 400,
          code: 'INVALID_INPUT',
        });
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-44',
    'a refusal is one event that nobody stores, then 1000',
    async () => {
      const refused = async (input: object, opened: Opened = {}) => {
        const { code, events } = await said(input, opened);
        expect([code, events.length, events[0]?.type]).toEqual([1000, 1, 'RUN_ERROR']);
        return events[0]?.code;
      };
      const threadId = `refused-${randomUUID()}`;
      expect(await refused(inputOf(threadId, 'x'), { agent: 'nobody' })).toBe('hub/not-found');
      expect(await refused(inputOf(threadId, 'x'), { person: TOVE })).toBe('hub/forbidden');
      const asking = inputOf(`asking-${randomUUID()}`, 'ask');
      await said(asking);
      expect(await refused({ ...asking, runId: 'next' })).toBe('hub/resume-required');
      const none = await product.fetch(`/v1/threads/${threadId}`, { token: await product.token(MO) });
      expect(none.status).toBe(404);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-44',
    '4400 for a first frame that is no input, and for nothing else',
    async () => {
      const valid = inputOf('t', 'x');
      const odd = [
        '',
        'hello',
        '[]',
        '{}',
        '{"threadId":"t"}',
        { ...valid, threadId: 7 },
        '['.repeat(100_000),
      ];
      for (const first of odd) expect(await said(first)).toEqual({ code: 4400, events: [] });
      expect(await said(Buffer.from(JSON.stringify(valid)))).toEqual({ code: 4400, events: [] });
      expect(await said('x'.repeat(13 * 1024 * 1024))).toEqual({ code: 1009, events: [] });
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-44',
    'who may not come in is told so before the upgrade',
    async () => {
      const authorization = `Bearer ${await product.token(MO)}`;
      const path = '/ws/agui?agent=quick';
      expect(await refusedUpgrade(path, {})).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
      expect(await refusedUpgrade('/ws/agui', { authorization })).toEqual({
        status: 400,
        code: 'INVALID_INPUT',
      });
      const foreign = { authorization, origin: 'https://evil.example' };
      expect(await refusedUpgrade(path, foreign)).toEqual({ status: 403, code: 'FORBIDDEN' });
      const body = { surface: 'operator' };
      const token = await product.token(MO);
      const { ticket } = await product.json<{ ticket: string }>('/v1/tickets', { token, body });
      expect(await refusedUpgrade(`${path}&ticket=${ticket}`, {})).toEqual({ status: 101 });
      expect(await refusedUpgrade(`${path}&ticket=${ticket}`, {})).toEqual({
        status: 401,
        code: 'UNAUTHENTICATED',
      });
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-45',
    'counts among the sockets of its subject',
    async () => {
      const person = { sub: 'many', roles: ['customer'] };
      const held = [await open({ person }), await open({ person })];
      const screen = await product.screen('customer', person);
      const authorization = `Bearer ${await product.token(person)}`;
      const fourth = await refusedUpgrade('/ws/agui?agent=quick', { authorization });
      expect(fourth).toEqual({ status: 429, code: 'RATE_LIMITED' });
      await screen.close();
      for (const { socket, closed } of held) {
        socket.close();
        await closed;
      }
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-45',
    'a socket that closes cancels nothing, and one that floods is closed',
    async () => {
      const input = inputOf(`endless-${randomUUID()}`, 'go on');
      const leaving = await open();
      leaving.socket.send(JSON.stringify(input));
      await until(() => leaving.frames.length > 1);
      leaving.socket.close();
      await leaving.closed;
      const path = `/v1/threads/${input.threadId}/runs/${input.runId}`;
      const token = await product.token(MO);
      expect(await product.json(path, { token })).toMatchObject({ status: 'running' });
      const back = await open();
      back.socket.send(JSON.stringify(input));
      for (let nth = 0; nth < 300; nth += 1) back.socket.send('more');
      expect(await back.closed).toBe(4429);
      expect(await product.json(path, { token })).toMatchObject({ status: 'running' });
      await product.fetch(`${path}/cancel`, { token, body: {} });
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-45',
    'ends with its token',
    async () => {
      const person = { ...MO, sub: 'brief', ttlSeconds: 2 };
      const plain = await open({ person });
      plain.socket.send(JSON.stringify(inputOf(`brief-${randomUUID()}`, 'go on')));
      expect(await plain.closed).toBe(4401);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-45',
    'is sent elsewhere when its hub leaves',
    async () => {
      const hub = await product.anotherHub();
      const headers = { authorization: `Bearer ${await product.token(MO)}` };
      const url = `${hub.url.replace('http', 'ws')}/ws/agui?agent=quick`;
      const plain = new Plain(new WebSocket(url, { headers }));
      await once(plain.socket, 'open');
      const left = plain.closed;
      await hub.stop();
      expect(await left).toBe(1012);
    },
    JOURNEY_MS,
  );
});
