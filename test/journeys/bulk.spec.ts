/** Proves on the running product: many decisions at once, and tasks that are given to somebody or get more time. */
import type { BulkReply, Refusal, TaskView } from '@triptych/protocol';
import { HubClient } from '@triptych/client';
import type { Person } from '@triptych/testkit';
import { WebSocket } from 'ws';
import { verifies } from '../spec/verifies.js';
import { OLGA, RITA, ROLF, SVEN, UP_MS, VerbsStage } from './verbs-stage.js';

const JOURNEY_MS = 90_000;
const BULK = '/v1/approvals/decide';

let stage: VerbsStage;
beforeAll(async () => {
  stage = await VerbsStage.start();
}, UP_MS);
afterAll(() => stage?.stop(), UP_MS);

const item = ({ taskId, rev, proposalHash }: TaskView, verb = 'approve') => ({
  taskId,
  rev,
  proposalHash,
  verb,
});
const bulk = (person: Person, items: unknown, headers = {}) =>
  stage.post<BulkReply & { error?: Refusal }>(person, BULK, { items } as object, headers);
const statuses = ({ value }: { value: BulkReply }) => value.results.map(({ status }) => status);

describe('many decisions in one request', () => {
  verifies(
    'APR-41',
    'are each judged by itself, in the order given: one that is refused keeps no other from being made',
    async () => {
      const [a, b, c] = await stage.asks('bulk-1', 'plain', ['a', 'b', 'c']);
      const [own] = await stage.asks('bulk-2', 'plain');
      await stage.decide(ROLF, own!, 'reject');
      const items = [
        item(c!),
        item(own!),
        { ...item(a!), verb: 'nod' },
        { ...item(b!), rev: 9 },
        { ...item(a!), taskId: 'nobody-knows' },
      ];
      const answer = await bulk(RITA, items);
      expect(answer.status).toBe(200);
      expect(answer.value.results).toMatchObject([
        { taskId: c!.taskId, status: 200, task: { state: 'decided', decision: { by: ['rita'] } } },
        { status: 409, error: { code: 'ALREADY_DECIDED', details: { by: ['rolf'] } } },
        { taskId: a!.taskId, status: 400, error: { code: 'INVALID_INPUT', details: { pointer: '/verb' } } },
        { status: 412, error: { code: 'STALE_REVISION', details: { task: { rev: 1 } } } },
        { taskId: 'nobody-knows', status: 404, error: { code: 'NOT_FOUND' } },
      ]);
      expect(statuses(await bulk(OLGA, [item(a!)]))).toEqual([403]);
      expect(statuses(await bulk(RITA, [item(a!), item(b!)]))).toEqual([200, 200]);
      await stage.closed(a!.taskId);
      expect(stage.resumed('bulk-1')).toHaveLength(1);
    },
    JOURNEY_MS,
  );

  verifies(
    'APR-41',
    'under a key are made once: what was done is told again, what was refused is judged anew',
    async () => {
      const [a, b] = await stage.asks('bulk-3', 'careful-not', ['a', 'b']);
      const items = [item(a!), item(b!, 'respond')];
      const key = { 'idempotency-key': 'bulk-key' };
      expect(statuses(await bulk(RITA, items, key))).toEqual([200, 422]);
      const again = await bulk(RITA, items, key);
      expect(again.value.results).toMatchObject([
        { status: 200, task: { state: 'decided' } },
        { status: 422 },
      ]);
      expect((await stage.read(RITA, a!.taskId)).history?.map(({ action }) => action)).toEqual([
        'open',
        'approve',
      ]);
      expect((await bulk(RITA, [item(a!)], key)).value.error?.code).toBe('IDEMPOTENCY_KEY_REUSED');
    },
    JOURNEY_MS,
  );

  verifies(
    'APR-41',
    'need a body that says which: anything else is refused and nothing is decided',
    async () => {
      const [task] = await stage.asks('bulk-4', 'plain');
      const one = item(task!);
      for (const [items, pointer] of [
        [undefined, '/items'],
        ['all', '/items'],
        [[], '/items'],
        [[one, 7], '/items/1'],
        [[{ ...one, taskId: 7 }], '/items/0/taskId'],
        [[one, one], '/items/1/taskId'],
      ] as const) {
        const { status, value } = await bulk(RITA, items);
        expect([status, value.error?.details?.pointer]).toEqual([400, pointer]);
      }
      const many = Array.from({ length: 101 }, (_, i) => ({ ...one, taskId: `t${i}` }));
      expect((await bulk(RITA, many)).status).toBe(413);
      expect((await stage.read(RITA, task!.taskId)).state).toBe('pending');
    },
    JOURNEY_MS,
  );

  verifies(
    'APR-41',
    'are asked for by the client too',
    async () => {
      const [a, b] = await stage.asks('bulk-5', 'plain', ['a', 'b']);
      const client = new HubClient({
        url: stage.product.url,
        surface: 'reviewer',
        getToken: () => stage.product.token(RITA),
        WebSocketImpl: WebSocket as never,
      });
      const items = [a, b].map((task) => ({ ...item(task!), verb: 'approve' as const }));
      const answer = await client.decideAll(items);
      expect(answer).toMatchObject({ ok: true, value: { results: [{ status: 200 }, { status: 200 }] } });
      client.stop();
    },
    JOURNEY_MS,
  );
});

describe('a supervisor’s or operator’s word on a task', () => {
  verifies(
    'APR-39',
    'gives it to somebody, by HTTP and by frame; the inbox finds it by them',
    async () => {
      const [task] = await stage.asks('given-1', 'plain');
      expect(await stage.verb(SVEN, task!, 'assign', { to: 'rolf' })).toMatchObject({
        status: 200,
        value: { assignee: 'rolf', rev: 1 },
      });
      const token = await stage.product.token(ROLF);
      const mine = await stage.product.json<{ items: TaskView[] }>('/v1/approvals?assignee=rolf', { token });
      expect(mine.items.map(({ taskId }) => taskId)).toEqual([task!.taskId]);
      const desk = await stage.product.screen('operator', OLGA);
      const { taskId, rev } = task!;
      const free = await desk.ask('task.assign', { taskId, rev, to: null });
      expect(free).not.toHaveProperty('assignee');
      await desk.close();
      for (const body of [{}, { to: '' }, { to: 7 }])
        expect((await stage.verb(SVEN, task!, 'assign', body)).value.error?.details?.pointer).toBe('/to');
      const unread = await stage.post(SVEN, `/v1/approvals/${taskId}/assign`, { to: 'rolf' });
      expect(unread).toMatchObject({ status: 400, value: { error: { details: { pointer: '/rev' } } } });
      expect((await stage.verb(RITA, task!, 'assign', { to: 'rolf' })).status).toBe(403);
    },
    JOURNEY_MS,
  );

  verifies(
    'APR-40',
    'moves when it is due, and whoever decides on what they read before must look again',
    async () => {
      const [task] = await stage.asks('due-1', 'plain');
      const dueAt = (task!.dueAt ?? 0) + 60_000;
      expect(await stage.verb(OLGA, task!, 'extend', { dueAt })).toMatchObject({
        status: 200,
        value: { dueAt, rev: 2, expiresAt: task!.expiresAt },
      });
      expect((await stage.decide(RITA, task!, 'approve')).value.error?.code).toBe('STALE_REVISION');
      const now = { ...task!, rev: 2 };
      for (const bad of [undefined, 'soon', 1.5, 0, task!.expiresAt + 1])
        expect((await stage.verb(SVEN, now, 'extend', { dueAt: bad })).value.error).toMatchObject({
          code: 'INVALID_INPUT',
          details: { pointer: '/dueAt' },
        });
      expect((await stage.verb(ROLF, now, 'extend', { dueAt })).status).toBe(403);
    },
    JOURNEY_MS,
  );
});
