/** The product with rules that hold answers back, and one agent that asks for a payment and hears what became of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AguiEvent, Refusal, TaskView } from '@triptych/protocol';
import { AMELIA, Product, until, type Person } from '@triptych/testkit';
import { frame, toldAgent, type Answer, type ToldAgent } from '../field/told-agent.js';

/** A cold start builds. */
export const UP_MS = 120_000;

export const RITA: Person = { sub: 'rita', roles: ['reviewer'], groups: ['desk'] };
export const ROLF: Person = { sub: 'rolf', roles: ['reviewer'], groups: ['desk'] };
export const SVEN: Person = { sub: 'sven', roles: ['supervisor'], groups: ['desk'] };
export const OLGA: Person = { sub: 'olga', roles: ['operator'] };

const AGENTS = (url: string): string => `agents:
  - id: told
    connect: { type: http, url: '${url}' }
    roles: [customer, operator]
`;

/** `hasty`: held only briefly. */
const POLICY = `surfaces:
  reviewer: { tools: { '*': { args: [''], result: [''] } } }
approvals:
  rules:
    - { id: careful, match: { reason: tool_call, tool: pay }, groups: [desk], undoMs: 60000, ttlMs: 3600000 }
    - { id: hasty, match: { reason: tool_call, tool: tip }, groups: [desk], undoMs: 1500, ttlMs: 3600000 }
    - { id: plain, match: { reason: tool_call }, groups: [desk], dueMs: 600000, ttlMs: 3600000 }
`;

const APPROVED = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
};

/** What the agent says when it asks about calls of one tool; `ids` are interrupts of one run. */
const asking = (tool: string, threadId: string, ids: readonly string[]): readonly AguiEvent[] => {
  const runId = `${threadId}-1`;
  return [
    { type: 'RUN_STARTED', threadId, runId },
    ...ids.flatMap((id): AguiEvent[] => [
      { type: 'TOOL_CALL_START', toolCallId: `c-${id}`, toolCallName: tool },
      { type: 'TOOL_CALL_ARGS', toolCallId: `c-${id}`, delta: '{"amount":5}' },
      { type: 'TOOL_CALL_END', toolCallId: `c-${id}` },
    ]),
    {
      type: 'RUN_FINISHED',
      threadId,
      runId,
      outcome: {
        type: 'interrupt',
        interrupts: ids.map((id) => ({
          id,
          reason: 'tool_call',
          toolCallId: `c-${id}`,
          responseSchema: APPROVED,
        })),
      },
    },
  ];
};

const ending: Answer = (response, { threadId, runId }) => {
  const ends = ['RUN_STARTED', 'RUN_FINISHED'].map((type) => frame({ type, threadId, runId }));
  response.end(ends.join(''));
};

export interface Answered<T> {
  readonly status: number;
  readonly value: T;
}
export type Told = TaskView & { readonly error?: Refusal };

export class VerbsStage {
  private constructor(
    readonly product: Product,
    readonly agent: ToldAgent,
    private readonly dir: string,
  ) {}

  /** `policy`: in the place of the usual one. */
  static async start(env: Readonly<Record<string, string>> = {}, policy = POLICY): Promise<VerbsStage> {
    const agent = await toldAgent();
    const dir = mkdtempSync(join(tmpdir(), 'triptych-verbs-'));
    writeFileSync(join(dir, 'agents.yaml'), AGENTS(agent.url));
    writeFileSync(join(dir, 'policy.yaml'), policy);
    const product = await Product.start({
      AGENTS_FILE: join(dir, 'agents.yaml'),
      POLICY_FILE: join(dir, 'policy.yaml'),
      RATE_RUNS: '100000',
      ...env,
    });
    return new VerbsStage(product, agent, dir);
  }

  async stop(): Promise<void> {
    await this.product.stop();
    await this.agent.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }

  async post<T = Told>(
    person: Person,
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Answered<T>> {
    const token = await this.product.token(person);
    const response = await this.product.fetch(path, { token, body, headers });
    return { status: response.status, value: (await response.json()) as T };
  }

  /** By HTTP; `rev` goes as If-Match. */
  verb(
    person: Person,
    { taskId, rev }: TaskView,
    command: string,
    body: object = {},
  ): Promise<Answered<Told>> {
    return this.post(person, `/v1/approvals/${taskId}/${command}`, body, { 'if-match': `"${rev}"` });
  }

  decide(person: Person, task: TaskView, verb: string, more: object = {}): Promise<Answered<Told>> {
    return this.verb(person, task, 'decide', { verb, proposalHash: task.proposalHash, ...more });
  }

  async read(person: Person, taskId: string): Promise<TaskView> {
    return this.product.json(`/v1/approvals/${taskId}`, { token: await this.product.token(person) });
  }

  /** Amelia's agent asks; the tasks in the order it asked. */
  async asks(threadId: string, tool: string, ids: readonly string[] = ['i1']): Promise<readonly TaskView[]> {
    this.agent.tell(threadId, asking(tool, threadId, ids), ending);
    const input = { threadId, runId: `${threadId}-1`, protocolVersion: '1.0', tools: [], context: [] };
    const messages = [{ id: 'm', role: 'user', content: 'pay' }];
    const response = await this.product.fetch('/v1/agents/told/run', {
      token: await this.product.token(AMELIA),
      body: { ...input, messages },
    });
    await response.text();
    const token = await this.product.token(OLGA);
    const { items } = await this.product.json<{ items: TaskView[] }>(`/v1/approvals?threadId=${threadId}`, {
      token,
    });
    return ids.map((id) => {
      const task = items.find(({ interruptId }) => interruptId === id);
      if (!task) throw new Error(`no task of ${id}`);
      return task;
    });
  }

  /** The inputs by which the agent was asked to go on. */
  resumed(threadId: string) {
    return this.agent.heard.filter((input) => input.threadId === threadId && input.resume !== undefined);
  }

  /** The answers have reached the agent, and it has ended. */
  async closed(taskId: string): Promise<TaskView> {
    await until(async () => (await this.read(OLGA, taskId)).state === 'closed');
    return this.read(OLGA, taskId);
  }
}
