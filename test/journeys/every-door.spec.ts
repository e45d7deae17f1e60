/** Proves that every door tells one run the same: in today's words, in those of 0.0.59, in protobuf, on a socket. */
import { randomUUID } from 'node:crypto';
import { HttpAgent, runHttpRequest, transformHttpEventStream } from '@ag-ui/client';
import { AMELIA, BEN, MO, Product, type Person } from '@triptych/testkit';
import type { AguiEvent, RunAgentInput } from '@triptych/protocol';
import * as agui59 from 'agui59';
import { lastValueFrom, toArray } from 'rxjs';
import { verifies } from '../spec/verifies.js';
import { everything, ids } from './everything.js';
import { quickAgent, type Plans, type QuickAgent } from './quick-agent.js';
import { approve, eventsIn, inputOf, taskOf } from './wire.js';

const JOURNEY_MS = 120_000;
// The client tells on the console what it leaves out; here that is meant.
process.env.SUPPRESS_TRANSFORMATION_WARNINGS = 'true';
const SCENARIOS = ['onboarding', 'refund', 'trip-planner', 'cards', 'slow-typist', 'fails', 'cut-off'];
const PROTO = 'application/vnd.ag-ui.event+proto';

const PLANS: Plans = {
  everything,
  'everything, crlf': everything,
  stopped: (input) => [
    { type: 'RUN_STARTED', ...ids(input) },
    { type: 'RUN_FINISHED', ...ids(input), outcome: { type: 'cancelled' } },
  ],
};

let agent: QuickAgent;
let product: Product;
beforeAll(async () => {
  agent = await quickAgent(PLANS);
  product = await Product.start({ RATE_RUNS: '1000', AGENTS_FILE: agent.agentsFile });
}, JOURNEY_MS);
afterAll(async () => {
  await product.stop();
  await agent.stop();
}, JOURNEY_MS);

interface Asked {
  readonly person?: Person;
  readonly accept?: string;
  readonly body?: unknown;
}

const ask = async (path: string, { person = MO, accept, body }: Asked = {}): Promise<Response> =>
  product.fetch(path, {
    token: await product.token(person),
    ...(body === undefined ? {} : { body }),
    ...(accept === undefined ? {} : { headers: { accept } }),
  });

const told = async (response: Promise<Response>): Promise<AguiEvent[]> =>
  eventsIn(await (await response).text());

/** As the published client reads a response, whatever its encoding. */
const readByClient = async (asked: () => Promise<Response>): Promise<AguiEvent[]> =>
  (await lastValueFrom(
    transformHttpEventStream(runHttpRequest(asked)).pipe(toArray()),
  )) as unknown as AguiEvent[];

const typesOf = (events: readonly AguiEvent[]) => events.map(({ type }) => type);

/** Three lines that make a client of it which can come back. */
class Returning59 extends agui59.HttpAgent {
  method = 'POST';
  protected override connect(input: agui59.RunAgentInput) {
    const { body, ...init } = { ...this.requestInit(input), method: this.method };
    const sent = this.method === 'POST' ? { ...init, body } : init;
    return agui59.transformHttpEventStream(agui59.runHttpRequest(() => fetch(this.url, sent)));
  }
}
class Returning extends HttpAgent {
  protected override connect(input: RunAgentInput) {
    return transformHttpEventStream(runHttpRequest(() => fetch(this.url, this.requestInit(input))));
  }
}

/** Protobuf cannot tell an absent list of an input from an empty one. */
const asDecoded = (event: AguiEvent): AguiEvent =>
  event.type === 'RUN_STARTED' ? { ...event, input: { resume: [], ...(event.input as object) } } : event;

describe('a client of 0.0.59', () => {
  it.each(SCENARIOS)(
    'HUB-39 takes the stream of %s',
    async (scenario) => {
      const headers = { authorization: `Bearer ${await product.token(AMELIA)}` };
      const threadId = `old-${scenario}`;
      const client = new agui59.HttpAgent({
        url: `${product.url}/v1/agents/${scenario}/run`,
        headers,
        threadId,
      });
      client.addMessage({ id: `${threadId}-m`, role: 'user', content: 'an account with 2 million, please' });
      const seen: string[] = [];
      await client.runAgent(
        { runId: `${threadId}-r` },
        { onEvent: ({ event }) => void seen.push(event.type) },
      );
      expect(seen[0]).toBe('RUN_STARTED');
      expect(seen.at(-1)).toBe(['fails', 'cut-off'].includes(scenario) ? 'RUN_ERROR' : 'RUN_FINISHED');
      expect(client.messages.length).toBeGreaterThan(1);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-39',
    'is told what it has words for, by run and connect and where it asks for it by name',
    async () => {
      const threadId = `everything-${randomUUID()}`;
      const whole = await told(ask('/v1/agents/quick/run', { body: inputOf(threadId, 'everything') }));
      expect(typesOf(whole)).toContain('FUTURE_THING');
      const old = inputOf(`${threadId}-59`, 'everything', {});
      const less = await told(ask('/v1/agents/quick/run', { body: old }));
      expect(typesOf(less)).toEqual(typesOf(whole).filter((type) => type !== 'FUTURE_THING'));
      const result = less.find(({ type }) => type === 'TOOL_CALL_RESULT');
      expect(result).toMatchObject({ content: 'seen' });
      expect(less.at(-1)).toMatchObject({ outcome: { type: 'success' } });
      expect(JSON.stringify(less)).not.toMatch(/wizard|f-1|pendingToolCallIds/u);
      const connected = await told(ask('/v1/agents/quick/connect', { body: old }));
      expect(JSON.stringify(connected)).not.toMatch(/wizard|f-1|pendingToolCallIds/u);
      expect(connected.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
      const { events } = await product.json<{ events: AguiEvent[] }>(
        `/v1/threads/${threadId}-59/snapshot?profile=0.0.59`,
        { token: await product.token(MO) },
      );
      expect(events).toEqual(connected);
      const odd = await ask(`/v1/threads/${threadId}/events?profile=1.7`);
      expect([odd.status, await odd.json()]).toEqual([
        400,
        {
          error: expect.objectContaining({
            code: 'INVALID_INPUT',
            details: { pointer: '/profile' },
          }) as unknown,
        },
      ]);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-39',
    'is told a cancelled run as a failed one, which others are not',
    async () => {
      const threadId = `stopped-${randomUUID()}`;
      const old = inputOf(threadId, 'stopped', {});
      const last = async (body: object) => (await told(ask('/v1/agents/quick/run', { body }))).at(-1);
      expect(await last(old)).toMatchObject({ type: 'RUN_ERROR', code: 'hub/cancelled' });
      const anew = inputOf(`${threadId}-new`, 'stopped');
      expect(await last(anew)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-40',
    'comes back by connect and by the attach stream, and has what it had',
    async () => {
      const headers = { authorization: `Bearer ${await product.token(MO)}` };
      const threadId = `back-${randomUUID()}`;
      const there = new agui59.HttpAgent({ url: `${product.url}/v1/agents/quick/run`, headers, threadId });
      there.addMessage({ id: 'u0', role: 'user', content: 'everything' });
      await there.runAgent({ runId: `${threadId}-r` });
      const back = new Returning59({ url: `${product.url}/v1/agents/quick/connect`, headers, threadId });
      await back.connectAgent();
      expect([back.messages, back.state]).toEqual([there.messages, there.state]);
      const url = `${product.url}/v1/threads/${threadId}/events?profile=0.0.59`;
      const attached = new Returning59({ url, headers, threadId });
      attached.method = 'GET';
      const seen: string[] = [];
      // This stream stays open: what came is enough.
      const onRunFinishedEvent = (): void => attached.abortRun();
      const onEvent = ({ event }: { event: { type: string } }): void => void seen.push(event.type);
      await attached.connectAgent({}, { onEvent, onRunFinishedEvent });
      expect(seen[0]).toBe('RUN_STARTED');
      expect([attached.messages, attached.state]).toEqual([there.messages, there.state]);
    },
    JOURNEY_MS,
  );
});

describe('a client of 1.0.0', () => {
  verifies(
    'HUB-40',
    'comes back by connect with three lines, and has what it had',
    async () => {
      const headers = { authorization: `Bearer ${await product.token(MO)}` };
      const threadId = `stock-${randomUUID()}`;
      const there = new HttpAgent({ url: `${product.url}/v1/agents/quick/run`, headers, threadId });
      there.addMessage({ id: 'u0', role: 'user', content: 'everything' });
      await there.runAgent({ runId: `${threadId}-r` });
      const back = new Returning({ url: `${product.url}/v1/agents/quick/connect`, headers, threadId });
      await back.connectAgent();
      expect([back.messages, back.state]).toEqual([there.messages, there.state]);
    },
    JOURNEY_MS,
  );
});

describe('a question for others', () => {
  const clients = [
    ['1.0.0', HttpAgent],
    ['0.0.59', agui59.HttpAgent],
  ] as const;
  for (const [version, Agent] of clients)
    verifies(
      'HUB-12',
      `case 69: a client of ${version} waits, may not speak on, and is free when the answer came in the same stream`,
      async () => {
        const headers = { authorization: `Bearer ${await product.token(AMELIA)}` };
        const asking = (threadId: string, hold: string) => {
          const url = `${product.url}/v1/agents/onboarding/run${hold}`;
          const client = new Agent({ url, headers, threadId });
          client.addMessage({ id: `${threadId}-m`, role: 'user', content: 'an account with 2 million' });
          return client;
        };
        const left = asking(`left-${randomUUID()}`, '');
        await left.runAgent();
        expect(left.pendingInterrupts).toEqual([expect.objectContaining({ reason: 'hub:under_review' })]);
        await expect(left.runAgent()).rejects.toThrow('pending interrupt');
        const held = asking(`held-${randomUUID()}`, '?hold=60');
        const running = held.runAgent();
        await approve(product, await taskOf(product, held.threadId));
        await running;
        expect(held.pendingInterrupts).toEqual([]);
        expect(JSON.stringify(held.messages)).toContain('open');
      },
      JOURNEY_MS,
    );
});

describe('line breaks', () => {
  verifies(
    'FAN-36',
    'case 117: an agent may send CRLF, readers get LF alone',
    async () => {
      const threadId = `crlf-${randomUUID()}`;
      const body = inputOf(threadId, 'everything, crlf');
      const texts = [];
      for (const path of ['run', 'connect'])
        texts.push(await (await ask(`/v1/agents/quick/${path}`, { body })).text());
      expect(typesOf(eventsIn(texts[0]!)).at(-1)).toBe('RUN_FINISHED');
      expect(texts.join('')).not.toContain('\r');
    },
    JOURNEY_MS,
  );
});

describe('protobuf', () => {
  const contentTypeFor = async (accept: string | undefined): Promise<string | null> => {
    const response = await ask('/v1/agents/quick/connect', {
      body: inputOf('nobody', 'x'),
      ...(accept === undefined ? {} : { accept }),
    });
    await response.arrayBuffer();
    return response.headers.get('content-type');
  };

  verifies(
    'HUB-41',
    'is for who takes nothing else',
    async () => {
      for (const accept of [PROTO, ` ${PROTO.toUpperCase()} `, `${PROTO};q=0.9`])
        expect([accept, await contentTypeFor(accept)]).toEqual([accept, PROTO]);
      for (const accept of [
        undefined,
        '*/*',
        'application/*',
        'text/event-stream',
        `${PROTO}, */*`,
        `text/event-stream, ${PROTO}`,
        'application/json',
      ])
        expect([accept, await contentTypeFor(accept)]).toEqual([accept, 'text/event-stream']);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-41',
    'a refusal is JSON all the same',
    async () => {
      const refused = await ask('/v1/agents/nobody/run', { accept: PROTO, body: inputOf('x', 'x') });
      expect([refused.status, refused.headers.get('content-type')?.split(';')[0]]).toEqual([
        404,
        'application/json',
      ]);
      expect(await refused.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-42',
    'says the same, event by event, as the published client reads it',
    async () => {
      const threadId = `proto-${randomUUID()}`;
      const body = inputOf(threadId, 'everything');
      const text = await told(ask('/v1/agents/quick/run', { body }));
      const known = text.filter(({ type }) => type !== 'FUTURE_THING');
      const isWizard = ({ role }: { role?: string }): boolean => role === 'wizard';
      const expected = known.map((event) =>
        Array.isArray(event.messages)
          ? {
              ...event,
              messages: event.messages.filter((message) => !isWizard(message as { role?: string })),
            }
          : event,
      );
      for (const path of ['run', 'connect']) {
        const asText = path === 'run' ? expected : await told(ask(`/v1/agents/quick/${path}`, { body }));
        const decoded = await readByClient(() => ask(`/v1/agents/quick/${path}`, { body, accept: PROTO }));
        expect(decoded).toEqual(asText.map(asDecoded));
      }
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-42',
    'carries whole scenarios',
    async () => {
      for (const scenario of ['onboarding', 'cards', 'refund', 'trip-planner']) {
        const body = inputOf(`proto-${scenario}`, 'an account with 2 million');
        const text = await told(ask(`/v1/agents/${scenario}/run`, { body }));
        const decoded = await readByClient(() => ask(`/v1/agents/${scenario}/run`, { body, accept: PROTO }));
        expect(decoded).toEqual(text.map(asDecoded));
      }
    },
    JOURNEY_MS,
  );
});

describe('what is not there', () => {
  verifies(
    'HUB-17',
    'connect says the same of it, header by header, whatever the reason',
    async () => {
      const [own, bens] = [`unrun-${randomUUID()}`, `bens-${randomUUID()}`];
      const made = await ask('/v1/threads', { person: AMELIA, body: { threadId: own, agentId: 'quick' } });
      expect(made.status).toBe(201);
      await told(ask('/v1/agents/quick/run', { person: BEN, body: inputOf(bens, 'stopped') }));
      for (const accept of [PROTO, '*/*']) {
        const answers = [];
        for (const threadId of [own, bens, 'never-was']) {
          const body = inputOf(threadId, 'x');
          const response = await ask('/v1/agents/quick/connect', { person: AMELIA, body, accept });
          const { date: _date, ...headers } = Object.fromEntries(response.headers);
          answers.push({ status: response.status, headers, text: await response.text() });
        }
        expect(answers[0]).toMatchObject({ status: 200, text: '' });
        expect(answers).toEqual([answers[0], answers[0], answers[0]]);
      }
    },
    JOURNEY_MS,
  );
});
