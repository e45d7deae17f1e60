/** Proves that an operator finds answers that did not arrive, and sends them again. */
import { AMELIA, BEN, MO, Product, TOVE, until, type Person } from '@triptych/testkit';
import type { BatchView, TaskView } from '@triptych/protocol';
import { verifies } from '../spec/verifies.js';
import { quickAgent, type QuickAgent } from './quick-agent.js';

const JOURNEY_MS = 90_000;

let agent: QuickAgent;
let product: Product;
beforeAll(async () => {
  agent = await quickAgent();
  product = await Product.start({ AGENTS_FILE: agent.agentsFile });
}, JOURNEY_MS);
afterAll(async () => {
  await product.stop();
  await agent.stop();
}, JOURNEY_MS);

const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error?: { code: string } }).error?.code ?? 'ok';

describe('a batch that needs a person', () => {
  const failedThread = async (threadId: string): Promise<TaskView> => {
    const messages = [{ id: 'm', role: 'user', content: 'ask, then fail' }];
    const body = { threadId, runId: 'r', messages, tools: [], context: [] };
    const token = await product.token(AMELIA);
    await (await product.fetch('/v1/agents/quick/run', { token, body })).text();
    const reviewer = await product.token(TOVE);
    const path = `/v1/approvals?threadId=${threadId}`;
    const { items } = await product.json<{ items: TaskView[] }>(path, { token: reviewer });
    const { taskId, rev, proposalHash } = items[0]!;
    const decision = { token: reviewer, body: { rev, proposalHash, verb: 'approve' } };
    expect((await product.fetch(`/v1/approvals/${taskId}/decide`, decision)).status).toBe(200);
    return items[0]!;
  };

  verifies(
    'HUB-36',
    'is found and sent again by an operator, and by nobody else',
    async () => {
      const task = await failedThread('mended');
      const operator = await product.token(MO);
      const stuck = async (query = ''): Promise<readonly BatchView[]> =>
        (await product.json<{ items: BatchView[] }>(`/v1/batches${query}`, { token: operator })).items;
      await until(async () => (await stuck()).length > 0);
      const [batch] = await stuck('?state=retry_wait,unknown&limit=5');
      expect(batch).toMatchObject({
        threadId: 'mended',
        state: 'retry_wait',
        code: 'E_DB',
        total: 1,
        open: 0,
      });
      expect(await stuck('?state=blocked')).toEqual([]);

      const path = `/v1/batches/${batch!.batchId}/retry`;
      const ask = async (person: Person, at: string, body?: object): Promise<string> =>
        codeOf(await product.fetch(at, { token: await product.token(person), ...(body && { body }) }));
      for (const person of [AMELIA, TOVE])
        expect([await ask(person, '/v1/batches'), await ask(person, path, {})]).toEqual([
          'FORBIDDEN',
          'FORBIDDEN',
        ]);
      const stranger = { ...MO, tenant: 'another' };
      expect(await ask(stranger, path, {})).toBe('NOT_FOUND');
      expect(await ask(MO, '/v1/batches/x/retry', {})).toBe('NOT_FOUND');
      for (const [query, pointer] of [
        ['state=zz', '/state'],
        ['limit=abc', '/limit'],
        ['cursor=zz', '/cursor'],
      ]) {
        const response = await product.fetch(`/v1/batches?${query}`, { token: operator });
        expect(await response.json()).toMatchObject({
          error: { code: 'INVALID_INPUT', details: { pointer } },
        });
      }

      expect(await ask(MO, path, {})).toBe('ok');
      const seen = `/v1/approvals/${task.taskId}`;
      await until(async () => (await product.json<TaskView>(seen, { token: operator })).state === 'closed');
      expect(await stuck()).toEqual([]);
      const { history = [] } = await product.json<TaskView>(seen, { token: operator });
      expect(history).toContainEqual(expect.objectContaining({ action: 'retry', by: MO.sub }));
      expect(await ask(BEN, '/v1/batches')).toBe('FORBIDDEN');
    },
    JOURNEY_MS,
  );
});
