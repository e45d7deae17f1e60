/** Plays what CopilotKit's clients ask of their runtime: theirs is AG-UI's own client, at paths of its own. */
import { HttpAgent } from '@ag-ui/client';
import { until } from '@triptych/testkit';
import { verifies } from '../spec/verifies.js';
import { AccessStage, inputFor, STAGE_MS } from './stage.js';

let stage: AccessStage;
beforeAll(async () => {
  stage = await AccessStage.start();
}, STAGE_MS);
afterAll(async () => {
  await stage?.stop();
}, STAGE_MS);

interface Info {
  readonly agents: Readonly<Record<string, { readonly name: string; readonly description: string }>>;
}
interface Stopped {
  readonly stopped?: boolean;
  readonly error?: { readonly code: string };
}

const stop = async (agent: string, thread: string): Promise<Stopped> => {
  const path = `/copilotkit/agent/${agent}/stop/${thread}`;
  return stage.product.json<Stopped>(path, { token: stage.tokens.owner ?? '', body: {} });
};

const hello = (threadId: string, runId: string) => [
  { type: 'RUN_STARTED', threadId, runId },
  { type: 'TEXT_MESSAGE_START', messageId: `${runId}-a`, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: `${runId}-a`, delta: 'Hello.' },
  { type: 'TEXT_MESSAGE_END', messageId: `${runId}-a` },
  { type: 'RUN_FINISHED', threadId, runId },
];

describe('CopilotKit’s clients', () => {
  verifies('HUB-112', 'find the agents that their user may use, and what else there is not', async () => {
    const info = await stage.json<Info>('owner', '/copilotkit/info');
    expect(Object.keys(info.agents).toSorted()).toEqual(['engine', 'rival', 'told']);
    expect(info.agents.told).toMatchObject({ name: 'told', className: 'HttpAgent' });
    expect(info).toMatchObject({ version: expect.any(String) as string, mode: 'sse', suggestions: false });
    const staff = await stage.json<Info>('operator', '/copilotkit/info');
    expect(Object.keys(staff.agents)).toContain('staff');
  });

  verifies('HUB-112', 'run an agent, and come back to what it said', async () => {
    const threadId = 'copilot';
    stage.tell(threadId, hello(threadId, 'r1'));
    const base = `${stage.product.url}/copilotkit/agent/told`;
    const headers = { authorization: `Bearer ${stage.tokens.owner}` };
    const agent = new HttpAgent({ url: `${base}/run`, headers, threadId });
    agent.addMessage({ id: 'm1', role: 'user', content: 'Hi.' });
    const { newMessages } = await agent.runAgent({ runId: 'r1' });
    expect(newMessages).toMatchObject([{ role: 'assistant', content: 'Hello.' }]);
    const body = inputFor(threadId, 'any');
    const told = async (path: string): Promise<string> =>
      (await stage.product.fetch(path, { token: stage.tokens.owner ?? '', body })).text();
    const said = await told('/copilotkit/agent/told/connect');
    expect(said).toContain('Hello.');
    expect(said).toBe(await told('/v1/agents/told/connect'));
  });

  verifies('HUB-112', 'stop what runs, once, and nothing that another agent runs', async () => {
    const { thread, run } = await stage.make('running');
    expect(await stop('engine', thread)).toMatchObject({ error: { code: 'THREAD_BINDING_CONFLICT' } });
    expect(await stop('told', thread)).toEqual({ stopped: true });
    await until(async () => {
      const path = `/v1/threads/${thread}/runs/${run}`;
      return (await stage.json<{ status: string }>('operator', path)).status !== 'running';
    });
    expect(await stop('told', thread)).toEqual({ stopped: false });
    expect(await stop('told', 'never-was')).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });
});
