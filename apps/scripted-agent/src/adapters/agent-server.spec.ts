/** The scripted agents over real sockets: for a stock client, for the hub's own reader, and for bad callers. */
import { HttpAgent } from '@ag-ui/client';
import type { Message, RunAgentInput } from '@triptych/protocol';
import { openRun } from '@triptych/agents';
import type { HttpAgentSpec } from '@triptych/agents';
import { join } from 'node:path';
import { verifies } from '../../../../test/spec/verifies.js';
import { startAgentServer } from './agent-server.js';
import type { AgentServer } from './agent-server.js';
import { readScenarios, scenariosDir } from './scenario-files.js';

const INPUT: RunAgentInput = {
  threadId: 't',
  runId: 'r',
  messages: [{ id: 'u', role: 'user', content: '2 million' }],
  tools: [],
  context: [],
};
const scenarios = await readScenarios(scenariosDir());
let fast: AgentServer;

beforeAll(async () => {
  fast = await startAgentServer({ scenarios, host: '127.0.0.1', port: 0, speed: 0 });
});
afterAll(() => fast.stop());

const post = (path: string, body: string, accept = 'text/event-stream'): Promise<Response> =>
  fetch(fast.url + path, { method: 'POST', body, headers: { 'content-type': 'application/json', accept } });

interface Heard {
  readonly agent: HttpAgent;
  readonly types: string[];
  /** What the client had folded itself when the agent restated the messages, and what it then got. */
  readonly restated: [readonly Message[], readonly Message[]][];
}

const talk = (id: string, text: string): Heard => {
  const agent = new HttpAgent({ url: `${fast.url}/${id}`, threadId: `t-${id}` });
  agent.messages = [{ id: 'u', role: 'user', content: text }];
  const heard: Heard = { agent, types: [], restated: [] };
  agent.subscribe({
    onEvent: ({ event }) => void heard.types.push(event.type),
    onMessagesSnapshotEvent: ({ event, messages }) =>
      void heard.restated.push([messages as Message[], event.messages as Message[]]),
  });
  return heard;
};

describe('a stock HttpAgent', () => {
  for (const id of [...scenarios.keys()].filter((one) => one !== 'cut-off'))
    verifies('AGT-20', `runs ${id} to its end`, async () => {
      const { agent, types } = talk(id, 'I want 2 million');
      await agent.runAgent();
      expect(types.at(-1)).toMatch(/^RUN_(FINISHED|ERROR)$/);
      expect(types.at(-1) === 'RUN_ERROR').toBe(id === 'fails');
    });

  verifies('AGT-23', 'is restated what it folded itself, but for reasoning and activities', async () => {
    for (const id of ['onboarding', 'refund', 'trip-planner']) {
      const { agent, restated } = talk(id, '2 million');
      await agent.runAgent();
      const byId = (messages: readonly Message[]) =>
        messages
          .filter(({ role }) => role !== 'reasoning' && role !== 'activity')
          .toSorted((a, b) => a.id.localeCompare(b.id));
      expect(restated).toHaveLength(1);
      for (const [folded, given] of restated) expect(byId(given)).toEqual(byId(folded));
    }
  });

  it('resumes with its own history and ends with the account open', async () => {
    const { agent } = talk('onboarding', 'I want to invest 2 million');
    await agent.runAgent();
    const [pending] = agent.pendingInterrupts;
    expect(pending).toMatchObject({ reason: 'tool_call' });
    const payload = { approved: true };
    await agent.runAgent({ resume: [{ interruptId: pending!.id, status: 'resolved', payload }] });
    expect(agent.pendingInterrupts).toEqual([]);
    expect(agent.state).toMatchObject({ application: { status: 'Open' } });
    expect(agent.messages.filter(({ role }) => role === 'tool')).toHaveLength(4);
  });
});

describe('the reader of the hub', () => {
  const spec = (id: string): HttpAgentSpec => ({
    id,
    name: id,
    connect: { type: 'http', url: `${fast.url}/${id}`, headers: {} },
    timeouts: { connectMs: 5000, firstEventMs: 5000, idleMs: 5000, totalMs: 20_000 },
    resume: { idempotent: true, dialect: 'standard' },
    onNoSubscribers: 'continue',
    accept: { forwardedProps: [], tools: [] },
    roles: ['customer'],
  });
  const typesOf = async (id: string): Promise<unknown[]> => {
    const opened = await openRun(spec(id), INPUT, {
      signal: new AbortController().signal,
      limits: { maxEventBytes: 1024 * 1024 },
    });
    if (!opened.ok) return [opened.failure, opened.status];
    const types: unknown[] = [];
    for await (const item of opened.events)
      types.push(item.kind === 'cut' ? item.code : (JSON.parse(item.text) as { type: string }).type);
    return types;
  };

  verifies('AGT-26', 'hears all that was sent before the connection went, every time', async () => {
    const plan = await Promise.all(Array.from({ length: 20 }, () => typesOf('cut-off')));
    for (const types of plan) {
      expect(types.slice(0, 2)).toEqual(['RUN_STARTED', 'TEXT_MESSAGE_START']);
      expect(types.at(-2)).toBe('TEXT_MESSAGE_CONTENT');
      expect(types.at(-1)).toBe('hub/upstream-truncated');
      expect(types).toEqual(plan[0]);
    }
  });

  it('hears a whole run, and that there is no such agent', async () => {
    expect((await typesOf('onboarding')).at(-1)).toBe('RUN_FINISHED');
    expect(await typesOf('nobody')).toEqual(['rejected', 404]);
  });
});

describe('at the door', () => {
  verifies('AGT-27', 'what is no RunAgentInput is told so', async () => {
    for (const body of [
      '',
      '{',
      '[]',
      '{}',
      '{"threadId":"t"}',
      JSON.stringify({ ...INPUT, messages: 'hi' }),
    ]) {
      const response = await post('/onboarding', body);
      expect([body, response.status]).toEqual([body, 400]);
      expect(((await response.json()) as { error: { message: string } }).error.message).toContain(
        'no RunAgentInput',
      );
    }
  });

  verifies('AGT-27', 'unknown agents, other methods and endless bodies too', async () => {
    expect((await post('/nobody', JSON.stringify(INPUT))).status).toBe(404);
    expect((await fetch(`${fast.url}/onboarding`)).status).toBe(405);
    expect((await post('/onboarding', 'x'.repeat(17 * 1024 * 1024))).status).toBe(413);
  });

  it('says who is there', async () => {
    const health = (await (await fetch(`${fast.url}/health`)).json()) as object;
    expect(health).toEqual({ status: 'ok', scenarios: [...scenarios.keys()] });
  });

  it('speaks SSE whatever a caller would also take', async () => {
    for (const accept of ['*/*', 'application/vnd.ag-ui.event+proto', 'text/event-stream'])
      expect((await post('/cards', JSON.stringify(INPUT), accept)).headers.get('content-type')).toContain(
        'text/event-stream',
      );
  });
});

describe('the scenarios folder', () => {
  it('is found from the sources and from a build', async () => {
    const here = scenariosDir();
    expect(
      scenariosDir(join(here, '..', '..', '..', 'dist', 'apps', 'scripted-agent', 'src', 'adapters')),
    ).toBe(here);
    expect([...scenarios.keys()]).toEqual([
      'cards',
      'cut-off',
      'fails',
      'onboarding',
      'payout',
      'refund',
      'slow-typist',
      'trip-planner',
    ]);
  });
});
