/** Proves that what was revoked is good for nothing any more: on every hub, at every door, for what is open and what comes. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { SUBPROTOCOL } from '@triptych/protocol';
import { AMELIA, BEN, until, type Person, type Product } from '@triptych/testkit';
import { hasRedisServer } from '../redis/own-redis.js';
import { verifies } from '../spec/verifies.js';
import { openSocket, openStream, type OpenLine } from './open-lines.js';
import { ENGINE, pusherFor, pushStage } from './push-agent.js';
import { PushWorker } from './push-worker.js';
import { inputOf, upgradeAnswer } from './wire.js';

const JOURNEY_MS = 120_000;

let stage: Awaited<ReturnType<typeof pushStage>>;
let product: Product;
let hubs: readonly string[];
beforeAll(async () => {
  stage = await pushStage({ env: { RATE_RUNS: '1000' } });
  ({ product } = stage);
  hubs = [product.url, (await product.anotherHub()).url];
}, JOURNEY_MS);
afterAll(async () => {
  await stage?.stop();
}, JOURNEY_MS);

/** Everyone in a tenant of their own, so that a test revokes nothing of another. */
const house = () => {
  const tenant = `t-${randomUUID().slice(0, 8)}`;
  const tokenOf = (person: Person): Promise<string> => product.token({ ...person, tenant });
  const revoke = async (body: object): Promise<number> => {
    const token = await tokenOf({ sub: 'ada', roles: ['admin'] });
    const answer = await product.fetch('/v1/revocations', { token, body });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { at: number }).at;
  };
  return { tenant, tokenOf, revoke };
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const statusOf = async (hub: string, token: string, path = '/v1/threads'): Promise<number> =>
  (await fetch(`${hub}${path}`, { headers: bearer(token) })).status;

const refusedAt = (hub: string, path: string, token: string) =>
  upgradeAnswer(`${hub}${path}`, { 'sec-websocket-protocol': `${SUBPROTOCOL}, bearer.${token}` });

const posting = (token: string, body: object): RequestInit => ({
  method: 'POST',
  headers: { ...bearer(token), 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const ticketFor = async (token: string, body: object): Promise<string> =>
  (await product.json<{ ticket: string }>('/v1/tickets', { token, body })).ticket;

const surfaceSocket = (hub: string, surface: string, token: string): Promise<OpenLine> =>
  openSocket(`${hub}/ws/${surface}`, [SUBPROTOCOL, `bearer.${token}`]);

/** A run under way, and lines of every kind that a customer reads by, on each hub. */
const everythingOpen = async (token: string, thread: string): Promise<readonly OpenLine[]> => {
  const input = inputOf(thread, 'go');
  const lines = [await openStream(`${hubs[0]}/v1/agents/engine/run`, posting(token, input))];
  const ticket = await ticketFor(token, { surface: 'customer', threadId: thread });
  for (const hub of hubs) {
    lines.push(
      await openStream(`${hub}/v1/agents/engine/connect`, posting(token, input)),
      await openStream(`${hub}/v1/threads/${thread}/events`, { headers: bearer(token) }),
      await openStream(`${hub}/v1/threads/${thread}/events?ticket=${ticket}`, {}),
      await openSocket(`${hub}/ws/agui?agent=engine`, ['ag-ui.v1+json'], { token, first: input }),
      await surfaceSocket(hub, 'customer', token),
    );
  }
  return lines;
};

describe('whoever revokes', () => {
  verifies(
    'HUB-70',
    'is an admin, and names one thing',
    async () => {
      const { tokenOf } = house();
      const ask = async (person: Person, body: object) => {
        const answer = await product.fetch('/v1/revocations', { token: await tokenOf(person), body });
        const { error } = (await answer.json()) as { error?: { code: string; details?: unknown } };
        return [answer.status, error?.code, error?.details];
      };
      for (const role of ['customer', 'reviewer', 'supervisor', 'operator', 'auditor', 'agent', 'owner'])
        expect(await ask({ sub: 'eve', roles: [role] }, { sub: 'ada' })).toEqual([
          403,
          'FORBIDDEN',
          undefined,
        ]);
      expect((await product.fetch('/v1/revocations', { body: { sub: 'ada' } })).status).toBe(401);

      const admin = { sub: 'ada', roles: ['admin'] };
      const bad: readonly (readonly [object, string])[] = [
        [{}, ''],
        [[], ''],
        [{ sub: 'eve', role: 'customer' }, ''],
        [{ role: 'owner' }, '/role'],
        [{ role: '__proto__' }, '/role'],
        [{ sub: 7 }, '/sub'],
        [{ sub: '' }, '/sub'],
        [{ jti: 'x'.repeat(257) }, '/jti'],
        [{ sub: 'eve', tenant: 'default' }, '/tenant'],
      ];
      for (const [body, pointer] of bad)
        expect(await ask(admin, body)).toEqual([400, 'INVALID_INPUT', { pointer }]);
      // Nothing of all that was revoked.
      expect(await statusOf(hubs[0]!, await tokenOf({ sub: 'eve', roles: ['customer'] }))).toBe(200);
    },
    JOURNEY_MS,
  );
});

describe('a subject that was revoked', () => {
  verifies(
    'HUB-71',
    'loses all that is open, mid-run, and gets nothing by what it had (threat 16, SE-08)',
    async () => {
      const { tenant, tokenOf, revoke } = house();
      const thread = `revoked-${tenant}`;
      const [token, bens, elsewhere] = [
        await tokenOf(AMELIA),
        await tokenOf(BEN),
        await product.token(AMELIA),
      ];
      const engine = await tokenOf(ENGINE);
      const worker = await PushWorker.open(hubs[1]!, engine);
      const lines = await everythingOpen(token, thread);
      const kept = [
        await surfaceSocket(hubs[0]!, 'customer', bens),
        await surfaceSocket(hubs[1]!, 'customer', elsewhere),
      ];
      const [socketTicket, threadTicket] = [
        await ticketFor(token, { surface: 'customer' }),
        await ticketFor(token, { surface: 'customer', threadId: thread }),
      ];
      const runId = `${thread}-r`;
      await worker.append(thread, [{ type: 'RUN_STARTED', threadId: thread, runId }], 0);
      const readers = lines.filter((line) => !line.said().includes('"ready"'));
      await until(() => readers.every((line) => line.said().includes('RUN_STARTED')));

      await revoke({ sub: AMELIA.sub });
      const ends = await Promise.all(lines.map((line) => line.end));
      expect(ends).toEqual(['ended', ...hubs.flatMap(() => ['ended', 'ended', 'ended', 4401, 4401])]);
      const more = [
        { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'for others only' },
      ];
      // The run is not its reader's: it goes on.
      expect(await worker.append(thread, more, 1)).toMatchObject({ event: 'reply', data: { accepted: 2 } });
      for (const line of lines) expect(line.said()).not.toContain('for others only');
      const told = lines.filter((line) => line.said().includes('"ready"')).map((line) => line.said());
      expect(told).toHaveLength(hubs.length);
      for (const text of told)
        expect(text).toContain('{"event":"closing","data":{"code":4401,"next":"reauth"}}');

      for (const hub of hubs) {
        expect(await statusOf(hub, token)).toBe(401);
        expect(await statusOf(hub, token, `/v1/threads/${thread}/events`)).toBe(401);
        expect(
          (await fetch(`${hub}/v1/agents/engine/run`, posting(token, inputOf(thread, 'x')))).status,
        ).toBe(401);
        expect((await fetch(`${hub}/v1/threads/${thread}/events?ticket=${threadTicket}`)).status).toBe(401);
        const refused = { status: 401, code: 'UNAUTHENTICATED' };
        expect(await refusedAt(hub, '/ws/customer', token)).toEqual(refused);
        expect(await refusedAt(hub, '/ws/agui?agent=engine', token)).toEqual(refused);
      }
      const byTicket = `${hubs[1]}/ws/customer?ticket=${socketTicket}`;
      expect(await upgradeAnswer(byTicket, { 'sec-websocket-protocol': SUBPROTOCOL })).toMatchObject({
        status: 401,
      });

      // Others, and the same name in another tenant, noticed nothing; what is signed from now on is good.
      expect(kept.map((line) => line.isOpen())).toEqual([true, true]);
      const renewed = await tokenOf(AMELIA);
      for (const hub of hubs) expect(await statusOf(hub, renewed)).toBe(200);
      const back = await openStream(`${hubs[1]}/v1/threads/${thread}/events`, { headers: bearer(renewed) });
      await until(() => back.said().includes('for others only'));
      await revoke({ sub: AMELIA.sub });
      expect(await back.end).toBe('ended');
      await worker.close();
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-72',
    'is still revoked after a restart of all',
    async () => {
      const { tokenOf, revoke } = house();
      const token = await tokenOf(AMELIA);
      // The built-in one keeps what it is told within a second.
      if (hasRedisServer()) await product.losesNothing();
      await revoke({ sub: AMELIA.sub });
      const redis = await product.kill('redis');
      await product.returned('redis', redis);
      const hub = await product.kill('hub');
      await product.returned('hub', hub);
      expect(await statusOf(product.url, token)).toBe(401);
      expect(await statusOf(product.url, await tokenOf(AMELIA))).toBe(200);
    },
    JOURNEY_MS,
  );
});

describe('a token that was revoked', () => {
  verifies(
    'HUB-71',
    'ends alone, and is no token to go on with',
    async () => {
      const { tenant, tokenOf, revoke } = house();
      const [one, two] = [await tokenOf(AMELIA), await tokenOf(AMELIA)];
      const { jti } = JSON.parse(Buffer.from(one.split('.')[1]!, 'base64url').toString()) as { jti: string };
      const [first, second] = [
        await surfaceSocket(hubs[1]!, 'customer', one),
        await surfaceSocket(hubs[1]!, 'customer', two),
      ];
      await revoke({ jti });
      expect(await first.end).toBe(4401);
      expect(second.isOpen()).toBe(true);
      expect([await statusOf(hubs[1]!, one), await statusOf(hubs[1]!, two)]).toEqual([401, 200]);

      const screen = await product.screen('customer', { ...AMELIA, tenant });
      await expect(screen.ask('auth', { token: one })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      expect(screen.isOpen).toBe(true);
      await screen.close();
    },
    JOURNEY_MS,
  );
});

describe('a role that was revoked', () => {
  verifies(
    'HUB-73',
    'closes what it alone opened with 4403, and no more',
    async () => {
      const { tenant, tokenOf, revoke } = house();
      const both = { sub: 'tove', roles: ['reviewer', 'customer'] };
      const senior = { sub: 'sam', roles: ['reviewer', 'supervisor'], tenant };
      const token = await tokenOf(both);
      const lines = [
        await surfaceSocket(hubs[0]!, 'reviewer', token),
        await surfaceSocket(hubs[1]!, 'reviewer', await tokenOf({ sub: 'jan', roles: ['reviewer'] })),
      ];
      const asCustomer = await surfaceSocket(hubs[0]!, 'customer', token);
      const supervisor = await product.screen('reviewer', senior);
      await supervisor.ask('inbox.subscribe', {});
      const at = await revoke({ role: 'reviewer' });
      expect(await Promise.all(lines.map((line) => line.end))).toEqual([4403, 4403]);
      expect(lines[0]!.said()).toContain('{"event":"closing","data":{"code":4403,"next":"stop"}}');
      expect(asCustomer.isOpen()).toBe(true);
      // What the inbox may hold is another matter now.
      await supervisor.next('inbox.reset');
      await supervisor.ask('inbox.subscribe', {});
      expect(await refusedAt(hubs[1]!, '/ws/reviewer', token)).toEqual({ status: 403, code: 'FORBIDDEN' });
      expect([await statusOf(hubs[1]!, token), await statusOf(hubs[1]!, token, '/v1/approvals')]).toEqual([
        200, 403,
      ]);
      // A newer token of the same role is as good as it says.
      const renewed = await tokenOf(both);
      expect(await statusOf(hubs[1]!, renewed, '/v1/approvals')).toBe(200);
      expect(at).toBeLessThanOrEqual(Date.now() + 60_000);

      const closed = once(supervisor.socket, 'close') as Promise<[number]>;
      await revoke({ role: 'supervisor' });
      expect((await closed)[0]).toBe(4403);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-73',
    'ends the streams of whoever had it, and the sockets of agents',
    async () => {
      const { tenant, tokenOf, revoke } = house();
      const thread = `stripped-${tenant}`;
      const engine = await tokenOf(ENGINE);
      const worker = await PushWorker.open(hubs[1]!, engine);
      const token = await tokenOf(AMELIA);
      const lines = await everythingOpen(token, thread);
      await revoke({ role: 'customer' });
      expect(await Promise.all(lines.map((line) => line.end))).toEqual([
        'ended',
        ...hubs.flatMap(() => ['ended', 'ended', 'ended', 4403, 4403]),
      ]);
      expect(await statusOf(hubs[1]!, token, `/v1/threads/${thread}`)).toBe(404);

      await revoke({ role: 'agent' });
      await until(() => worker.closed !== undefined);
      expect(worker.closed).toBe(4403);
      const started = { type: 'RUN_STARTED', threadId: thread, runId: `${thread}-r` };
      for (const hub of hubs)
        expect(await pusherFor(engine).push(hub, thread, { events: [started] })).toMatchObject({
          status: 403,
        });
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-73',
    'of the admin who revoked it is lost too',
    async () => {
      const { tokenOf, revoke } = house();
      const token = await tokenOf({ sub: 'eve', roles: ['admin'] });
      await revoke({ role: 'admin' });
      expect((await product.fetch('/v1/revocations', { token, body: { sub: 'amelia' } })).status).toBe(403);
    },
    JOURNEY_MS,
  );
});

describe('the socket of an agent', () => {
  verifies(
    'HUB-75',
    'goes on with a newer token of the same agent, and with no other',
    async () => {
      const { tokenOf } = house();
      const worker = await PushWorker.open(product.url, await tokenOf({ ...ENGINE, ttlSeconds: 300 }));
      const auth = async (token: unknown) => worker.ask('auth', { token });
      const forbidden = { event: 'refused', data: { code: 'FORBIDDEN' } };
      expect(await auth(await tokenOf({ ...ENGINE, sub: 'onboarding' }))).toMatchObject(forbidden);
      expect(await auth(await product.token(ENGINE))).toMatchObject(forbidden);
      expect(await auth('no token')).toMatchObject({ event: 'refused', data: { code: 'UNAUTHENTICATED' } });
      expect(await auth(7)).toMatchObject({ event: 'refused', data: { code: 'INVALID_INPUT' } });
      const renewed = await auth(await tokenOf({ ...ENGINE, ttlSeconds: 600 }));
      expect(renewed).toMatchObject({ event: 'reply', data: { expiresAt: expect.any(Number) } });
      expect((renewed.data.expiresAt as number) - Date.now()).toBeGreaterThan(300_000);

      expect(await auth(await tokenOf({ ...ENGINE, roles: ['operator'] }))).toMatchObject(forbidden);
      await until(() => worker.closed !== undefined);
      expect(worker.closed).toBe(4403);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-75',
    'is told that its token ends, and closes with it',
    async () => {
      const { tokenOf } = house();
      const worker = await PushWorker.open(product.url, await tokenOf({ ...ENGINE, ttlSeconds: 5 }));
      await worker.next('auth.expiring');
      await until(() => worker.closed !== undefined);
      expect(worker.closed).toBe(4401);
      expect(worker.frames.at(-1)).toEqual({ event: 'closing', data: { code: 4401, next: 'reauth' } });
    },
    JOURNEY_MS,
  );
});
