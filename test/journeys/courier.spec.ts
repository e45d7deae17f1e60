/** Proves what becomes of answers that their agent did not take, on the running product and an agent that counts. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AMELIA, BEN, MO, Product, TOVE, until } from '@triptych/testkit';
import type { BatchView, ResumeEntry, TaskView } from '@triptych/protocol';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { frames, LoopbackAgent, type Reply } from '../conformance/loopback-agent.js';
import { verifies } from '../spec/verifies.js';

const JOURNEY_MS = 240_000;

let agent: LoopbackAgent;
let product: Product;
let folder: string;
const agentsFile = (): string => join(folder, 'agents.yaml');
/** A mapping for what is there now; without the counting agent, for a deployment that lost it. */
const deploy = (withAgent: boolean): void => {
  const more = `\n  - id: counting\n    connect: { type: http, url: '${agent.url}' }\n    roles: [customer, operator]\n`;
  writeFileSync(
    agentsFile(),
    readFileSync('config/agents.yaml', 'utf8').trimEnd() + (withAgent ? more : '\n'),
  );
};

beforeAll(async () => {
  agent = await LoopbackAgent.start();
  folder = mkdtempSync(join(tmpdir(), 'triptych-courier-'));
  deploy(true);
  product = await Product.start({ AGENTS_FILE: agentsFile() });
}, JOURNEY_MS);
afterAll(async () => {
  await product.stop();
  await agent.stop();
  rmSync(folder, { recursive: true, force: true });
}, JOURNEY_MS);

const asks: Reply = ({ threadId, runId }) =>
  frames([
    { type: 'RUN_STARTED', threadId, runId },
    { type: 'TOOL_CALL_START', toolCallId: `${threadId}-k`, toolCallName: 'openAccount' },
    { type: 'TOOL_CALL_ARGS', toolCallId: `${threadId}-k`, delta: '{"amount":2000000}' },
    { type: 'TOOL_CALL_END', toolCallId: `${threadId}-k` },
    {
      ...{ type: 'RUN_FINISHED', threadId, runId },
      outcome: {
        type: 'interrupt',
        interrupts: [{ id: 'review', reason: 'tool_call', toolCallId: `${threadId}-k` }],
      },
    },
  ]);
const finishes: Reply = ({ threadId, runId }) =>
  frames([
    { type: 'RUN_STARTED', threadId, runId },
    { type: 'RUN_FINISHED', threadId, runId },
  ]);
const fails =
  (code: string, message = 'Failed.'): Reply =>
  ({ threadId, runId }) =>
    frames([
      { type: 'RUN_STARTED', threadId, runId },
      { type: 'RUN_ERROR', message, code },
    ]);
const breaks: Reply = ({ threadId, runId }) => frames([{ type: 'RUN_STARTED', threadId, runId }]);
const answers = (status: number): Reply => ({ status, type: 'application/json', body: ['{"no":"events"}'] });

const run = async (threadId: string, runId = 'r'): Promise<string> => {
  const messages = [{ id: `m-${runId}`, role: 'user', content: 'open it' }];
  const body = { threadId, runId, messages, tools: [], context: [] };
  const token = await product.token(AMELIA);
  return (await product.fetch('/v1/agents/counting/run', { token, body })).text();
};

const taskOf = async (threadId: string, person = TOVE): Promise<TaskView> => {
  const token = await product.token(person);
  const states = 'pending,claimed,voting,decided,dispatched,closed,superseded,expired';
  const path = `/v1/approvals?threadId=${threadId}&state=${states}`;
  const { items } = await product.json<{ items: TaskView[] }>(path, { token });
  const [task] = items;
  if (!task) throw new Error(`${threadId} has no task`);
  return product.json<TaskView>(`/v1/approvals/${task.taskId}`, { token });
};

const decide = async (threadId: string, verb: 'approve' | 'reject' = 'approve'): Promise<void> => {
  const { taskId, rev, proposalHash } = await taskOf(threadId);
  const body = { rev, proposalHash, verb, ...(verb === 'reject' ? { reason: 'Not so.' } : {}) };
  const token = await product.token(TOVE);
  const response = await product.fetch(`/v1/approvals/${taskId}/decide`, { token, body });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
};

/** What the agent was answered so far. */
const resumes = (threadId: string): readonly (readonly ResumeEntry[])[] =>
  agent.asked(threadId).flatMap(({ resume }) => (resume ? [resume] : []));
const payloads = (threadId: string): readonly unknown[] =>
  resumes(threadId).map((entries) => entries.map(({ status, payload }) => payload ?? status));

const stuck = async (threadId: string): Promise<BatchView | undefined> => {
  const { items } = await product.json<{ items: BatchView[] }>('/v1/batches', {
    token: await product.token(MO),
  });
  return items.find((batch) => batch.threadId === threadId);
};
const untilStuck = async (threadId: string): Promise<BatchView> => {
  await until(async () => (await stuck(threadId)) !== undefined);
  return (await stuck(threadId))!;
};
const untilState = (threadId: string, state: TaskView['state']): Promise<void> =>
  until(async () => (await taskOf(threadId)).state === state);

const mend = async (
  { batchId }: BatchView,
  verb: 'retry' | 'reopen' | 'cancel' | 'mark-done',
  body: object = {},
): Promise<number> =>
  (await product.fetch(`/v1/batches/${batchId}/${verb}`, { token: await product.token(MO), body })).status;

const begin = async (threadId: string, ...replies: readonly Reply[]): Promise<void> => {
  agent.will(threadId, asks, ...replies);
  await run(threadId);
};

interface Logged {
  readonly source: string;
  readonly event: { readonly type: string; readonly code?: string; readonly runId?: string };
}
const logOf = async (threadId: string): Promise<readonly Logged[]> => {
  const path = `/v1/threads/${threadId}/log?limit=500`;
  return (await product.json<{ items: Logged[] }>(path, { token: await product.token(MO) })).items;
};

describe('answers that their agent did not take', () => {
  verifies(
    'APR-55',
    'a payload the agent cannot use goes back to the reviewer, and is sent once more when it is answered anew',
    async () => {
      const threadId = 'courier-payload';
      await begin(threadId, fails('INVALID_PAYLOAD', 'Cannot use review, secret-word.'), finishes);
      const before = await taskOf(threadId);
      await decide(threadId);
      await untilState(threadId, 'pending');
      const again = await taskOf(threadId);
      expect(again.rev).toBe(before.rev + 1);
      expect(again.votes).toEqual([]);
      expect(JSON.stringify(again)).not.toContain('secret-word');
      expect(JSON.stringify(await taskOf(threadId, MO))).toContain('secret-word');
      await decide(threadId, 'reject');
      await untilState(threadId, 'closed');
      expect(payloads(threadId)).toEqual([[{ approved: true }], [{ approved: false, reason: 'Not so.' }]]);
    },
    JOURNEY_MS,
  );

  verifies(
    'APR-61',
    'a batch its agent knows no more is closed by an operator: screens are reset, the thread is free, nothing was resent',
    async () => {
      const threadId = 'courier-orphan';
      await begin(threadId, fails('UNKNOWN_INTERRUPT_ID'), finishes);
      const customer = await product.screen('customer', AMELIA);
      await customer.subscribe(threadId);
      await customer.until(threadId, ({ pending }) => pending !== undefined);
      await decide(threadId);
      const batch = await untilStuck(threadId);
      expect(batch).toMatchObject({ state: 'blocked', why: 'orphaned', code: 'UNKNOWN_INTERRUPT_ID' });
      expect((await taskOf(threadId)).state).toBe('superseded');
      const reset = customer.next(
        'snapshot',
        ({ threadId: of, reason }) => of === threadId && reason === 'reset',
      );
      expect(await mend(batch, 'mark-done', { reason: 'The agent forgot it.' })).toBe(200);
      expect(await mend(batch, 'mark-done')).toBe(200);
      await reset;
      await customer.until(threadId, ({ pending }) => pending === undefined);
      const log = await logOf(threadId);
      expect(log.slice(-2).map(({ source, event }) => [source, event.type, event.code])).toEqual([
        ['hub', 'RUN_STARTED', undefined],
        ['hub', 'RUN_ERROR', 'hub/closed-by-operator'],
      ]);
      expect(await stuck(threadId)).toBeUndefined();
      expect(payloads(threadId)).toEqual([[{ approved: true }]]);
      expect(await run(threadId, 'next')).toContain('RUN_FINISHED');
      expect(agent.asked(threadId).at(-1)?.resume ?? []).toEqual([]);
      const line = (await taskOf(threadId)).history?.find(({ action }) => action === 'mark-done');
      expect(line).toMatchObject({ by: MO.sub, text: 'The agent forgot it.' });
      await customer.close();
    },
    JOURNEY_MS,
  );

  verifies(
    'RUN-55',
    'operators who declare one batch done at once store one run of the hub’s own',
    async () => {
      const threadId = 'courier-closers';
      await begin(threadId, breaks);
      await decide(threadId);
      const batch = await untilStuck(threadId);
      expect(batch.state).toBe('unknown');
      const statuses = await Promise.all([1, 2, 3, 4].map(() => mend(batch, 'mark-done')));
      expect(statuses).toEqual([200, 200, 200, 200]);
      const closed = (await logOf(threadId)).filter(({ event }) => event.code === 'hub/closed-by-operator');
      expect(closed).toHaveLength(1);
      expect((await taskOf(threadId)).state).toBe('closed');
    },
    JOURNEY_MS,
  );

  verifies(
    'APR-59',
    'what may have happened is put to people once more by an operator, and only then sent again',
    async () => {
      const threadId = 'courier-unknown';
      await begin(threadId, breaks, finishes);
      await decide(threadId);
      expect(await untilStuck(threadId)).toMatchObject({ state: 'unknown' });
      expect(await mend(await untilStuck(threadId), 'reopen', { reason: 'Look again.' })).toBe(200);
      await untilState(threadId, 'pending');
      expect(resumes(threadId)).toHaveLength(1);
      await decide(threadId, 'reject');
      await untilState(threadId, 'closed');
      expect(payloads(threadId)).toEqual([[{ approved: true }], [{ approved: false, reason: 'Not so.' }]]);
    },
    JOURNEY_MS,
  );

  verifies(
    'APR-60',
    'an operator has everything abandoned, whatever was answered',
    async () => {
      const threadId = 'courier-cancel';
      await begin(threadId, fails('E_DB'), finishes);
      await decide(threadId);
      const batch = await untilStuck(threadId);
      expect(await mend(batch, 'cancel', { reason: ' ' })).toBe(400);
      expect(await mend(batch, 'cancel', { reason: 'Not wanted any more.' })).toBe(200);
      await untilState(threadId, 'closed');
      expect(payloads(threadId)).toEqual([[{ approved: true }], ['cancelled']]);
      expect((await taskOf(threadId)).decision).toMatchObject({ kind: 'cancelled', by: [MO.sub] });
    },
    JOURNEY_MS,
  );

  verifies(
    'APR-66',
    'an agent that says first of all that it is busy is asked again by itself, as another run',
    async () => {
      const threadId = 'courier-busy';
      await begin(threadId, fails('THREAD_BUSY'), finishes);
      await decide(threadId);
      await untilState(threadId, 'closed');
      expect(payloads(threadId)).toEqual([[{ approved: true }], [{ approved: true }]]);
      const runs = agent.asked(threadId).map(({ runId }) => runId);
      expect(new Set(runs).size).toBe(3);
    },
    JOURNEY_MS,
  );

  verifies(
    'RUN-53',
    'an answer of failure before any event is no beginning; one of success, or a gateway’s, may be one',
    async () => {
      for (const [threadId, status] of [
        ['courier-503', 503],
        ['courier-500', 500],
        ['courier-409', 409],
      ] as const) {
        await begin(threadId, answers(status), finishes);
        await decide(threadId);
        await untilState(threadId, 'closed');
        expect(resumes(threadId)).toHaveLength(2);
      }
      for (const [threadId, status] of [
        ['courier-502', 502],
        ['courier-200', 200],
      ] as const) {
        await begin(threadId, answers(status), finishes);
        await decide(threadId);
        expect(await untilStuck(threadId)).toMatchObject({ state: 'unknown', code: 'hub/agent-unavailable' });
        expect(resumes(threadId)).toHaveLength(1);
      }
    },
    JOURNEY_MS,
  );

  verifies(
    'RUN-56',
    'a run that fails after it asked leaves its question open, with a line that says so',
    async () => {
      const threadId = 'courier-late';
      const late: Reply = (input) => {
        const asked = typeof asks === 'function' ? asks(input) : asks;
        return {
          body: [...asked.body, ...frames([{ type: 'RUN_ERROR', message: 'Too late.', code: 'E' }]).body],
        };
      };
      agent.will(threadId, late, finishes);
      await run(threadId);
      await until(async () =>
        ((await taskOf(threadId)).history ?? []).some(({ action }) => action === 'run-failed-late'),
      );
      expect((await taskOf(threadId)).state).toBe('pending');
      await decide(threadId);
      await untilState(threadId, 'closed');
      expect(payloads(threadId)).toEqual([[{ approved: true }]]);
    },
    JOURNEY_MS,
  );

  verifies(
    'APR-65',
    'a receipt and what the agent was sent are verified with the published keys alone, and a changed one is not',
    async () => {
      const threadId = 'courier-proof';
      await begin(threadId, finishes);
      const { taskId } = await taskOf(threadId);
      const token = await product.token(TOVE);
      const path = `/v1/approvals/${taskId}/receipt`;
      expect((await product.fetch(path, { token })).status).toBe(404);
      await decide(threadId);
      await untilState(threadId, 'closed');
      const receipt = await product.json<Readonly<Record<string, string>>>(path, { token });
      const keys = createLocalJWKSet(
        (await (await product.fetch('/.well-known/jwks.json')).json()) as JSONWebKeySet,
      );
      const verified = async (text: string, jws: string): Promise<unknown> => {
        const [head, , signature] = jws.split('.');
        const whole = `${head}.${Buffer.from(text).toString('base64url')}.${signature}`;
        return JSON.parse(Buffer.from((await compactVerify(whole, keys)).payload).toString());
      };
      const { jws = '', signed = '', ...fields } = receipt;
      expect(await verified(signed, jws)).toEqual(fields);
      const [entry] = resumes(threadId)[0] ?? [];
      const { jws: sent, ...hub } = (entry?.metadata?.hub ?? {}) as Readonly<Record<string, string>>;
      expect(sent).toBe(jws);
      const question = { threadId, runId: 'r', interruptId: 'review', status: 'resolved' };
      expect(fields).toEqual({ ...hub, ...question });
      await expect(verified(signed.replace('resolved', 'cancelled'), jws)).rejects.toThrow();
      expect((await product.fetch(path, { token: await product.token(BEN) })).status).toBe(404);
    },
    JOURNEY_MS,
  );

  verifies(
    'APR-57',
    'a deployment that lost the agent lists what waits for it, and sends it when the agent is back',
    async () => {
      const threadId = 'courier-gone';
      await begin(threadId, finishes);
      deploy(false);
      await product.returned('worker', await product.kill('worker'));
      await decide(threadId);
      const batch = await untilStuck(threadId);
      expect(batch).toMatchObject({ state: 'retry_wait', code: 'hub/agent-unavailable' });
      deploy(true);
      await product.returned('worker', await product.kill('worker'));
      expect(await mend(batch, 'retry')).toBe(200);
      await untilState(threadId, 'closed');
      expect(payloads(threadId)).toEqual([[{ approved: true }]]);
    },
    JOURNEY_MS,
  );
});
