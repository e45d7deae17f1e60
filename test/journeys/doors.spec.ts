import { once } from 'node:events';
import { HttpAgent } from '@ag-ui/client';
import { AMELIA, BEN, MO, Product, TOVE, type Person } from '@triptych/testkit';
import type { TaskView } from '@triptych/protocol';
import { WebSocket } from 'ws';
import { verifies } from '../spec/verifies.js';
import { product } from './the-product.js';
import { eventsIn, runBody, upgradeAnswer, type Answer } from './wire.js';

const JOURNEY_MS = 90_000;
const SCENARIOS = ['onboarding', 'refund', 'trip-planner', 'cards', 'slow-typist', 'fails', 'cut-off'];

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  const body = text.startsWith('{') ? (JSON.parse(text) as { error?: { code: string } }) : {};
  return { status: response.status, ...(body.error ? { code: body.error.code } : {}) };
};

const upgradeRefusal = (path: string, headers: Record<string, string>) =>
  upgradeAnswer(`${product.url}${path}`, headers);

const offering = async (person: Person): Promise<Record<string, string>> => ({
  'sec-websocket-protocol': `triptych.v1+json, bearer.${await product.token(person)}`,
});

describe('the doors', () => {
  verifies('HUB-7', 'refuses before the upgrade, with the contract’s code', async () => {
    expect(await upgradeRefusal('/ws/customer', {})).toEqual({ status: 400, code: 'INVALID_INPUT' });
    const bare = { 'sec-websocket-protocol': 'triptych.v1+json' };
    expect(await upgradeRefusal('/ws/customer', bare)).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
    const forged = { 'sec-websocket-protocol': 'triptych.v1+json, bearer.abc.def.ghi' };
    expect(await upgradeRefusal('/ws/customer', forged)).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
    expect(await upgradeRefusal('/ws/operator', await offering(AMELIA))).toEqual({
      status: 403,
      code: 'FORBIDDEN',
    });
    expect(await upgradeRefusal('/ws/customer', await offering(TOVE))).toEqual({
      status: 403,
      code: 'FORBIDDEN',
    });
    expect(await upgradeRefusal('/ws/nowhere', await offering(AMELIA))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    });
    expect(await upgradeRefusal('/ws/customer', await offering(AMELIA))).toEqual({ status: 101 });
  });

  verifies('HUB-13', 'serves this machine and its own pages only, in dev mode', async () => {
    const token = await product.token(AMELIA);
    const asked = (headers: Record<string, string>) =>
      product.fetch('/v1/agents', { token, headers }).then(answerOf);
    expect(await asked({ origin: product.url })).toMatchObject({ status: 200 });
    expect(await asked({ origin: 'https://evil.example' })).toEqual({ status: 403, code: 'FORBIDDEN' });
    expect(await asked({ origin: 'null' })).toEqual({ status: 403, code: 'FORBIDDEN' });
    expect(await asked({ 'x-forwarded-for': '10.0.0.1' })).toEqual({ status: 403, code: 'FORBIDDEN' });
    const foreign = { ...(await offering(AMELIA)), host: 'evil.example' };
    expect(await upgradeRefusal('/ws/customer', foreign)).toEqual({ status: 403, code: 'FORBIDDEN' });
    const cross = { ...(await offering(AMELIA)), origin: 'https://evil.example' };
    expect(await upgradeRefusal('/ws/customer', cross)).toEqual({ status: 403, code: 'FORBIDDEN' });
  });

  verifies('HUB-10', 'answers bad bodies with their code and leaves no trace', async () => {
    const token = await product.token(AMELIA);
    const post = (body: unknown, path = '/v1/agents/onboarding/run') =>
      product.fetch(path, { token, body }).then(answerOf);
    expect(await post({ hello: 'world' })).toEqual({ status: 400, code: 'INVALID_INPUT' });
    expect(await post([])).toEqual({ status: 400, code: 'INVALID_INPUT' });
    expect(await post({ ...runBody('bad'), threadId: '' })).toEqual({ status: 400, code: 'INVALID_INPUT' });
    expect(await post({ ...runBody('bad'), forwardedProps: { command: { resume: true } } })).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await post(runBody('bad'), '/v1/agents/nobody/run')).toEqual({ status: 404, code: 'NOT_FOUND' });
    expect(await product.fetch('/v1/threads/bad', { token }).then(answerOf)).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    });
    const raw = (body: string, type: string) =>
      fetch(`${product.url}/v1/agents/onboarding/run`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
      }).then(answerOf);
    expect(await raw('{"threadId":', 'application/json')).toEqual({ status: 400, code: 'INVALID_INPUT' });
    expect(await raw('threadId=1', 'application/x-www-form-urlencoded')).toEqual({
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    });
    const large = JSON.stringify({
      ...runBody('bad'),
      context: [{ description: 'x', value: 'x'.repeat(13 * 1024 * 1024) }],
    });
    expect(await raw(large, 'application/json')).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect(await product.fetch('/health/live').then(answerOf)).toMatchObject({ status: 200 });
  });

  verifies('HUB-10', 'answers bad frames with their code and closes on misuse', async () => {
    const screen = await product.screen('customer', AMELIA);
    await expect(screen.ask('no.such.frame', {})).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(screen.ask('subscribe', {})).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    screen.socket.send('not json');
    const [code] = (await once(screen.socket, 'close')) as [number];
    expect(code).toBe(4400);
    const other = await product.screen('customer', AMELIA);
    other.socket.send(Buffer.alloc(13 * 1024 * 1024, 'x'));
    const [tooBig] = (await once(other.socket, 'close')) as [number];
    expect(tooBig).toBe(1009);
    const after = await product.screen('customer', AMELIA);
    expect(await after.ask('ping', {})).toEqual({});
    await after.close();
  });

  verifies('HUB-10', 'no token, no answer', async () => {
    for (const path of ['/v1/agents', '/v1/threads', '/v1/approvals', '/v1/threads/x/log'])
      expect(await product.fetch(path).then(answerOf)).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
    const token = await product.token(BEN);
    expect(await product.fetch('/v1/approvals', { token }).then(answerOf)).toEqual({
      status: 403,
      code: 'FORBIDDEN',
    });
  });

  verifies('HUB-14', 'serves the pages under a strict content policy', async () => {
    for (const page of ['customer', 'reviewer', 'operator']) {
      const response = await product.fetch(`/${page}`);
      const html = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/u);
      expect(html).not.toMatch(/<style|\son\w+=/u);
    }
  });

  it.each(SCENARIOS)(
    'HUB-12 the stock client takes the stream of %s',
    async (scenario) => {
      const token = await product.token(AMELIA);
      const agent = new HttpAgent({
        url: `${product.url}/v1/agents/${scenario}/run`,
        headers: { authorization: `Bearer ${token}` },
        threadId: `stock-${scenario}`,
      });
      agent.addMessage({
        id: `stock-${scenario}-m`,
        role: 'user',
        content: 'an account with 2 million, please',
      });
      const seen: string[] = [];
      await agent.runAgent(
        { runId: `stock-${scenario}-r` },
        { onEvent: ({ event }) => void seen.push(event.type) },
      );
      expect(seen[0]).toBe('RUN_STARTED');
      expect(['RUN_FINISHED', 'RUN_ERROR']).toContain(seen.at(-1));
      expect(seen.at(-1) === 'RUN_ERROR').toBe(['fails', 'cut-off'].includes(scenario));
      expect(agent.messages.length).toBeGreaterThan(1);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-12',
    'and waits on a placeholder that its resumed run clears',
    async () => {
      const token = await product.token(AMELIA);
      const agent = new HttpAgent({
        url: `${product.url}/v1/agents/onboarding/run?hold=60`,
        headers: { authorization: `Bearer ${token}` },
        threadId: 'stock-hold',
      });
      agent.addMessage({ id: 'stock-hold-m', role: 'user', content: 'an account with 2 million' });
      const running = agent.runAgent({ runId: 'stock-hold-r' });
      const reviewer = await product.screen('reviewer', TOVE);
      const { items } = await reviewer.ask<{ items: TaskView[] }>('inbox.subscribe', {});
      const mine = items.find(({ threadId }) => threadId === 'stock-hold');
      const { taskId, rev, proposalHash } =
        mine ??
        ((await reviewer.next('task', (data) => data.threadId === 'stock-hold')).data as unknown as TaskView);
      await reviewer.ask('task.decide', { taskId, rev, proposalHash, verb: 'approve' });
      await running;
      expect(agent.pendingInterrupts).toEqual([]);
      expect(JSON.stringify(agent.messages)).toContain('open');
      await reviewer.close();
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-16',
    'cancel ends a run, from HTTP as well',
    async () => {
      const slow = await Product.start({ SPEED: '0.2' });
      try {
        const screen = await slow.screen('customer', AMELIA);
        const messages = [{ id: 'm', role: 'user', content: 'tell me a long story' }];
        await screen.ask('run', {
          agentId: 'slow-typist',
          threadId: 'cancel-me',
          runId: 'cancel-r',
          messages,
        });
        await screen.subscribe('cancel-me');
        await screen.until('cancel-me', (model) => model.open.length > 0);
        await screen.close();
        const token = await slow.token(AMELIA);
        const status = () => slow.json<{ status: string }>('/v1/threads/cancel-me/runs/cancel-r', { token });
        expect((await status()).status).toBe('running');
        const cancelled = await slow.fetch('/v1/threads/cancel-me/runs/cancel-r/cancel', { token, body: {} });
        expect([cancelled.status, await cancelled.json()]).toEqual([202, { state: 'cancelling' }]);
        const again = await slow.screen('customer', AMELIA);
        await again.subscribe('cancel-me');
        const model = await again.until('cancel-me', ({ run }) => run?.error !== undefined);
        expect(model.run?.error?.code).toBe('hub/cancelled');
        const late = await slow.fetch('/v1/threads/cancel-me/runs/cancel-r/cancel', { token, body: {} });
        expect([late.status, await late.json()]).toEqual([200, { state: 'ended', status: 'cancelled' }]);
        await again.close();
      } finally {
        await slow.stop();
      }
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-17',
    'connect shows what there is, and nothing to whom nothing is',
    async () => {
      const connect = async (person: Person, threadId: string): Promise<string[]> => {
        const token = await product.token(person);
        const response = await product.fetch('/v1/agents/onboarding/connect', {
          token,
          body: runBody(threadId),
        });
        expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([
          200,
          'text/event-stream',
        ]);
        return eventsIn(await response.text()).map(({ type }) => type);
      };
      const shown = await connect(AMELIA, 'stock-slow-typist');
      expect(shown[0]).toBe('RUN_STARTED');
      expect(shown.at(-1)).toBe('RUN_FINISHED');
      expect(await connect(BEN, 'stock-slow-typist')).toEqual([]);
      expect(await connect(AMELIA, 'never-was')).toEqual([]);
      expect((await connect(MO, 'stock-slow-typist')).length).toBeGreaterThan(0);
    },
    JOURNEY_MS,
  );

  it('lets a ticket open one socket, once', async () => {
    const token = await product.token(AMELIA);
    const { ticket } = await product.json<{ ticket: string }>('/v1/tickets', {
      token,
      body: { surface: 'customer' },
    });
    const url = `${product.url.replace('http', 'ws')}/ws/customer?ticket=${ticket}`;
    const socket = new WebSocket(url, ['triptych.v1+json']);
    await once(socket, 'open');
    socket.close();
    const again = await upgradeRefusal(`/ws/customer?ticket=${ticket}`, {
      'sec-websocket-protocol': 'triptych.v1+json',
    });
    expect(again).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
  });
});
