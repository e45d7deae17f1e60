/** Proves what may be known of a run afterwards: its tree, as far as a surface shows it, and the run it was begun for. */
import { AMELIA, BEN, MO, Product, type Person } from '@triptych/testkit';
import { verifies } from '../spec/verifies.js';
import { quickAgent, type QuickAgent } from './quick-agent.js';
import { inputOf } from './wire.js';

const JOURNEY_MS = 120_000;

let agent: QuickAgent;
let product: Product;
beforeAll(async () => {
  agent = await quickAgent({
    delegate: ({ threadId, runId }) => [
      { type: 'RUN_STARTED', threadId, runId },
      { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'researcher' },
      { type: 'SUBAGENT_STARTED', subagentRunId: 's2', name: 'reader', parentSubagentRunId: 's1' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's2' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's1' },
      { type: 'RUN_FINISHED', threadId, runId },
    ],
    'go deeper': ({ threadId, runId }) => [
      { type: 'RUN_STARTED', threadId, runId, parentRunId: 'first' },
      { type: 'RUN_ERROR', message: 'No way.', code: 'E_DB' },
    ],
  });
  product = await Product.start({ AGENTS_FILE: agent.agentsFile });
}, JOURNEY_MS);
afterAll(async () => {
  await product.stop();
  await agent.stop();
}, JOURNEY_MS);

const get = async (path: string, person: Person): Promise<unknown> => {
  const response = await product.fetch(path, { token: await product.token(person) });
  const body = (await response.json()) as { error?: { code: string } };
  return body.error ? [response.status, body.error.code] : body;
};

const run = async (runId: string, words: string): Promise<void> => {
  const input = { ...inputOf('tree', words), runId, messages: [{ id: runId, role: 'user', content: words }] };
  const response = await product.fetch('/v1/agents/quick/run', {
    token: await product.token(AMELIA),
    body: input,
  });
  await response.text();
};

const time = expect.any(Number) as unknown;

verifies(
  'HUB-61',
  'an operator is told the tree with findings, a customer as far as their surface shows it, others nothing',
  async () => {
    await run('first', 'delegate');
    await run('second', 'go deeper');
    const times = { startedAt: time, endedAt: time };
    const child = { runId: 'second', status: 'failed', parentRunId: 'first', ...times };
    const reader = { subagentRunId: 's2', name: 'reader', status: 'success', ...times };
    expect(await get('/v1/threads/tree/runs/first/tree', MO)).toEqual({
      ...{ runId: 'first', status: 'success', ...times, depth: 0, path: [], findings: [] },
      children: [
        {
          ...{ subagentRunId: 's1', name: 'researcher', status: 'success', ...times },
          ...{ depth: 1, path: ['researcher'] },
          children: [{ ...reader, depth: 2, path: ['researcher', 'reader'], children: [] }],
        },
        { ...child, code: 'E_DB', depth: 1, path: ['second'], findings: [], children: [] },
      ],
    });
    const shown = { runId: 'first', status: 'success', ...times, depth: 0, path: [] };
    const hidden = { ...child, code: 'hub/agent-error', depth: 1, path: ['second'], children: [] };
    for (const [person, query] of [
      [AMELIA, ''],
      [MO, '?surface=customer'],
    ] as const)
      expect(await get(`/v1/threads/tree/runs/first/tree${query}`, person)).toMatchObject({
        ...shown,
        children: [hidden],
      });
    expect(await get('/v1/threads/tree/runs/second', AMELIA)).toEqual({ ...child, code: 'hub/agent-error' });
    expect(await get('/v1/threads/tree/runs/first', AMELIA)).not.toHaveProperty('parentRunId');
    expect(await get('/v1/threads/tree/runs/first/tree', BEN)).toEqual([404, 'NOT_FOUND']);
    expect(await get('/v1/threads/tree/runs/third/tree', AMELIA)).toEqual([404, 'NOT_FOUND']);
  },
  JOURNEY_MS,
);
