/** Proves that a thread whose log is trimmed is whole for everyone, in processes that die and come back. */
import { AMELIA, MO, Product, TOVE, until, type LastingScreen, type Person } from '@triptych/testkit';
import {
  SURFACES,
  prelude,
  type AguiEvent,
  type RunAgentInput,
  type Surface,
  type TaskView,
} from '@triptych/protocol';
import { verifies } from '../spec/verifies.js';
import { quickAgent, type QuickAgent } from './quick-agent.js';

const JOURNEY_MS = 180_000;
const LOG_KEEP = 200;
const THREAD = 'kept';
const ON: Readonly<Record<Surface, Person>> = { customer: AMELIA, reviewer: TOVE, operator: MO };

/** Something of everything, in many events. */
const atLength = ({ threadId, runId }: RunAgentInput): readonly AguiEvent[] => [
  { type: 'RUN_STARTED', threadId, runId },
  { type: 'STEP_STARTED', stepName: 'verify' },
  { type: 'TOOL_CALL_START', toolCallId: `${runId}-k`, toolCallName: 'verifyIdentity' },
  { type: 'TOOL_CALL_ARGS', toolCallId: `${runId}-k`, delta: '{"name":' },
  { type: 'TOOL_CALL_ARGS', toolCallId: `${runId}-k`, delta: '"Amelia"}' },
  { type: 'TOOL_CALL_END', toolCallId: `${runId}-k` },
  { type: 'TOOL_CALL_RESULT', messageId: `${runId}-t`, toolCallId: `${runId}-k`, content: '{"status":"ok"}' },
  { type: 'STATE_SNAPSHOT', snapshot: { application: { status: runId, progress: 1 } } },
  { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/application/progress', value: 2 }] },
  { type: 'CUSTOM', name: 'GENERATIVE_UI', value: { id: runId, component: 'note', props: {} } },
  { type: 'TEXT_MESSAGE_START', messageId: `${runId}-a`, role: 'assistant' },
  ...Array.from({ length: 60 }, (_, n) => ({
    type: 'TEXT_MESSAGE_CONTENT',
    messageId: `${runId}-a`,
    delta: `${n} `,
  })),
  { type: 'TEXT_MESSAGE_END', messageId: `${runId}-a` },
  { type: 'STEP_FINISHED', stepName: 'verify' },
  { type: 'RUN_FINISHED', threadId, runId },
];

let agent: QuickAgent;
let product: Product;
/** They were there all along. */
let there: Readonly<Record<Surface, LastingScreen>>;

const run = async (runId: string, content: string): Promise<void> => {
  const messages = [{ id: `m-${runId}`, role: 'user', content }];
  const body = { threadId: THREAD, runId, messages, tools: [], context: [] };
  const token = await product.token(AMELIA);
  await (await product.fetch('/v1/agents/quick/run', { token, body })).text();
};

/** Only whoever has a task on a thread reads it as a reviewer. */
const approve = async (): Promise<void> => {
  const token = await product.token(TOVE);
  const { items } = await product.json<{ items: TaskView[] }>(`/v1/approvals?threadId=${THREAD}`, { token });
  const { taskId, rev, proposalHash } = items[0]!;
  const decision = { token, body: { rev, proposalHash, verb: 'approve' } };
  expect((await product.fetch(`/v1/approvals/${taskId}/decide`, decision)).status).toBe(200);
  const thread = async () => product.json<{ status: string }>(`/v1/threads/${THREAD}`, { token });
  await until(async () => (await thread()).status === 'idle');
};

interface LogPage {
  readonly firstSeq: number;
  readonly head: number;
  readonly epoch: string;
  readonly items: readonly { readonly seq: number; readonly seen: unknown }[];
}

const logPage = async (query = ''): Promise<LogPage> =>
  product.json<LogPage>(`/v1/threads/${THREAD}/log${query}`, { token: await product.token(MO) });

const recoveredFrom = async (seq: number): Promise<string | null> => {
  const { epoch } = await logPage();
  const abort = new AbortController();
  const response = await fetch(`${product.url}/v1/threads/${THREAD}/events`, {
    headers: { authorization: `Bearer ${await product.token(MO)}`, 'last-event-id': `${epoch}:${seq}` },
    signal: abort.signal,
  });
  const recovered = response.headers.get('hub-recovered');
  abort.abort();
  return recovered;
};

/** Whoever joins now sees what those see who were always there. */
const expectWhole = async (): Promise<void> => {
  const { head, epoch } = await logPage();
  await until(() => there.operator.book.positionOf(THREAD) === `${epoch}:${head}`);
  for (const surface of SURFACES) {
    const late = await product.screen(surface, ON[surface]);
    await late.subscribe(THREAD);
    await late.next('snapshot');
    const pos = late.positionOf(THREAD);
    await until(() => there[surface].book.positionOf(THREAD) === pos);
    expect(prelude(late.model(THREAD))).toEqual(prelude(there[surface].model(THREAD)));
    expect([...late.gaps, ...there[surface].gaps]).toEqual([]);
    await late.close();
  }
};

beforeAll(async () => {
  agent = await quickAgent({ 'at length': atLength });
  product = await Product.start({ AGENTS_FILE: agent.agentsFile, LOG_KEEP: String(LOG_KEEP) });
  await run('r0', 'ask');
  await approve();
  there = {
    customer: product.lastingScreen('customer', AMELIA),
    reviewer: product.lastingScreen('reviewer', TOVE),
    operator: product.lastingScreen('operator', MO),
  };
  for (const surface of SURFACES) await there[surface].follow(THREAD);
  for (let n = 1; n <= 12; n += 1) await run(`r${n}`, 'at length');
  await until(async () => (await logPage()).firstSeq > 1);
}, JOURNEY_MS);
afterAll(async () => {
  await product.stop();
  await agent.stop();
}, JOURNEY_MS);

describe('a thread whose log is trimmed', () => {
  verifies('HUB-38', 'joins on every surface as one who was always there', expectWhole, JOURNEY_MS);

  verifies(
    'HUB-38',
    'lists what is kept, with who saw it',
    async () => {
      const { firstSeq, head, items } = await logPage();
      expect(firstSeq).toBeLessThan(head - LOG_KEEP + 1);
      expect(items[0]).toMatchObject({ seq: firstSeq });
      const after = firstSeq + 90;
      const page = await logPage(`?after=${after}&limit=10`);
      const walked = items.filter(({ seq }) => seq > after).slice(0, 10);
      expect(page.items).toEqual(walked);
      expect(new Set(items.map(({ seen }) => JSON.stringify(seen))).size).toBeGreaterThan(1);
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-38',
    'goes on for a reader whose place is kept, and begins anew for one whose place is not',
    async () => {
      // What a hub has in memory it replays; one that has just come has what is kept.
      await product.returned('hub', await product.kill('hub'));
      const { firstSeq, head } = await logPage();
      expect(await recoveredFrom(head - 50)).toBe('replay');
      expect(await recoveredFrom(firstSeq - 20)).toBe('snapshot');
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-37',
    'is told as it was after any entry kept, to operators alone',
    async () => {
      const { firstSeq, head, epoch } = await logPage();
      const at = async (person: Person, query: string) => {
        const path = `/v1/threads/${THREAD}/snapshot?${query}`;
        const response = await product.fetch(path, { token: await product.token(person) });
        const body = (await response.json()) as { pos?: string; run?: unknown; error?: { code: string } };
        return { status: response.status, code: body.error?.code, ...body };
      };
      expect(await at(MO, `at=${firstSeq - 1}`)).toMatchObject({
        status: 200,
        pos: `${epoch}:${firstSeq - 1}`,
      });
      expect(await at(MO, `at=${firstSeq - 2}`)).toMatchObject({ status: 410, code: 'EXPIRED' });
      for (const surface of SURFACES) {
        const { run: _since, ...now } = await at(MO, `surface=${surface}`);
        expect(await at(MO, `at=${head}&surface=${surface}`)).toEqual(now);
      }
      expect(await at(MO, 'at=x')).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
      for (const person of [AMELIA, TOVE]) expect(await at(person, 'at=1')).toMatchObject({ status: 403 });
    },
    JOURNEY_MS,
  );

  verifies(
    'HUB-38',
    'is whole after hub and store were killed, and goes on being trimmed',
    async () => {
      const { firstSeq } = await logPage();
      for (const service of ['hub', 'redis'] as const)
        await product.returned(service, await product.kill(service));
      await expectWhole();
      for (let n = 21; n <= 26; n += 1) await run(`r${n}`, 'at length');
      await until(async () => (await logPage()).firstSeq > firstSeq);
      await expectWhole();
    },
    JOURNEY_MS,
  );
});
