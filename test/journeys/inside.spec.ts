/** Proves what the house tells those who run it: figures and its API, behind their token. */
import { AMELIA, MO, Product } from '@triptych/testkit';
import { API_WORDS } from '../../apps/hub/src/health/api-words.js';
import { verifies } from '../spec/verifies.js';

const JOURNEY_MS = 120_000;
const SECRET = 'figures only, please';

let product: Product;
beforeAll(async () => {
  product = await Product.start({ METRICS_TOKEN: SECRET });
}, JOURNEY_MS);
afterAll(async () => {
  await product.stop();
}, JOURNEY_MS);

const asked = (path: string, token: string = SECRET): Promise<Response> => product.fetch(path, { token });

const figures = async (): Promise<ReadonlyMap<string, number>> => {
  const response = await asked('/metrics');
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/plain; version=0.0.4'),
  ]);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
};

verifies(
  'HUB-62',
  'figures tell of the process, sockets, readers, answers and the store',
  async () => {
    const before = await figures();
    expect(before.get('triptych_ready{part="store"}')).toBe(1);
    expect(before.get('triptych_sockets{door="operator"}')).toBe(0);
    expect([...before.keys()].some((name) => name.startsWith('nodejs_eventloop_lag'))).toBe(true);
    const screen = await product.screen('operator', MO);
    await product.fetch('/v1/threads', {
      token: await product.token(MO),
      body: { threadId: 'm', agentId: 'cards' },
    });
    await screen.ask('subscribe', { threadId: 'm' });
    const now = await figures();
    expect(now.get('triptych_sockets{door="operator"}')).toBe(1);
    expect(now.get('triptych_readers{surface="operator"}')).toBe(1);
    expect(now.get('triptych_http_responses_total{method="POST",status="201"}')).toBeGreaterThan(0);
    await screen.close();
  },
  JOURNEY_MS,
);

verifies(
  'HUB-65',
  'operators are told who reads a thread, where and how far behind; nobody else is',
  async () => {
    const operator = await product.token(MO);
    const body = { threadId: 'read', agentId: 'cards', owner: AMELIA.sub };
    await product.fetch('/v1/threads', { token: operator, body });
    const screen = await product.screen('operator', MO);
    await screen.ask('subscribe', { threadId: 'read' });
    const token = await product.token(AMELIA);
    const stream = await product.fetch('/v1/threads/read/events', { token });
    const path = '/v1/threads/read/subscribers';
    const { items } = await product.json<{ items: { surface: string }[] }>(path, { token: operator });
    const here = { behind: 0, unsentBytes: 0, paused: false };
    expect(items.toSorted((a, b) => a.surface.localeCompare(b.surface))).toEqual([
      { who: AMELIA.sub, surface: 'customer', ...here },
      { who: MO.sub, surface: 'operator', ...here },
    ]);
    expect((await product.fetch(path, { token })).status).toBe(403);
    await stream.body?.cancel();
    await screen.close();
  },
  JOURNEY_MS,
);

verifies(
  'HUB-131',
  'operators are told of their own tenant’s sockets, of queues and store; nobody else is',
  async () => {
    interface Standing {
      readonly instance: { readonly sockets: object; readonly store: boolean; readonly uptimeMs: number };
      readonly queues: readonly {
        readonly queue: string;
        readonly waiting: number;
        readonly later: number;
      }[];
      readonly store: { readonly usedBytes: number; readonly writes: string };
    }
    const standing = async (person = MO): Promise<Standing> =>
      product.json<Standing>('/v1/health', { token: await product.token(person) });
    const screen = await product.screen('customer', AMELIA);
    const { instance, queues, store } = await standing();
    expect(instance).toMatchObject({
      store: true,
      feed: true,
      sockets: { customer: 1, reviewer: 0, operator: 0 },
    });
    expect(queues.map(({ queue }) => queue)).toEqual(['hub-timer', 'hub-resume']);
    for (const { waiting, later } of queues) expect(waiting + later).toBeGreaterThanOrEqual(0);
    expect(store.usedBytes).toBeGreaterThan(0);
    expect(store.writes).toBe('ok');
    const stranger = await standing({ ...MO, tenant: 'another' });
    expect(stranger.instance.sockets).toEqual({ customer: 0, reviewer: 0, operator: 0 });
    expect((await product.fetch('/v1/health', { token: await product.token(AMELIA) })).status).toBe(403);
    expect((await product.fetch('/v1/health')).status).toBe(401);
    await screen.close();
  },
  JOURNEY_MS,
);

verifies(
  'HUB-63',
  'the API is told in OpenAPI: each door there is, and nothing of one that is not',
  async () => {
    const { openapi, paths } = (await (await asked('/docs')).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { summary?: string; parameters?: { name: string }[] }>>;
    };
    expect(openapi).toMatch(/^3\./u);
    const doors = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(doors.toSorted()).toEqual(Object.keys(API_WORDS).toSorted());
    const names = paths['/v1/threads/{thread}/snapshot']?.['get']?.parameters?.map(({ name }) => name);
    expect(names).toEqual(['thread', 'surface', 'at', 'profile']);
  },
  JOURNEY_MS,
);

verifies(
  'HUB-64',
  'neither is told without the token that was set; probes ask for none',
  async () => {
    for (const path of ['/metrics', '/docs']) {
      for (const token of ['', 'x', await product.token(MO), `${SECRET}x`]) {
        const response = await asked(path, token);
        expect([path, response.status]).toEqual([path, 401]);
        expect(await response.json()).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
      }
    }
    for (const path of ['/health/live', '/health/ready'])
      expect((await product.fetch(path)).status).toBe(200);
  },
  JOURNEY_MS,
);
