/** The product with an agent that does as it is told, and one thread of each kind that doors lead to. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Product, until } from '@triptych/testkit';
import type { AguiEvent, TaskView } from '@triptych/protocol';
import { Redis } from 'ioredis';
import { frame, toldAgent, type Answer, type ToldAgent } from '../field/told-agent.js';
import { askHttp, type Answered, type Asked } from './ask.js';
import { type Name, PEOPLE, type Somebody, type Tokens, tokensOf } from './people.js';

/** Starting the product is part of it. */
export const STAGE_MS = 120_000;

const AGENTS = (url: string): string => `agents:
  - id: told
    connect: { type: http, url: '${url}' }
    resume: { idempotent: true, dialect: standard }
    roles: [customer, operator]
  - id: staff
    connect: { type: http, url: '${url}' }
    roles: [operator]
  - id: engine
    connect: { type: push }
    roles: [customer, operator]
  - id: rival
    connect: { type: push }
    roles: [customer, operator]
`;

const POLICY = `surfaces:
  customer:
    state: [/shown]
  reviewer:
    state: [/shown, /account]
    redact: [/account/iban]
    tools: { '*': { args: [''], result: [''] } }
approvals:
  rules:
    - { id: pay, match: { reason: tool_call, tool: pay }, groups: [desk] }
    - { id: twice, match: { reason: tool_call, tool: twice }, groups: [desk], quorum: 2 }
    - { id: deploy, match: { reason: tool_call, tool: deploy }, groups: [ops] }
    - { id: ask, match: { reason: input_required }, audience: customer }
`;

/** What the agent says; the ids of the run come before it. */
type Said = (thread: string, run: string) => readonly AguiEvent[];

const call = (name: string, args: object): readonly AguiEvent[] => [
  { type: 'TOOL_CALL_START', toolCallId: 'k', toolCallName: name },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'k', delta: JSON.stringify(args) },
  { type: 'TOOL_CALL_END', toolCallId: 'k' },
];
const asking = (threadId: string, runId: string, interrupt: object): AguiEvent => ({
  type: 'RUN_FINISHED',
  threadId,
  runId,
  outcome: { type: 'interrupt', interrupts: [{ id: `${threadId}-i`, ...interrupt }] },
});
const tool =
  (name: string): Said =>
  (thread, run) => [
    { type: 'STATE_SNAPSHOT', snapshot: { shown: 1, account: { iban: 'CH-secret' } } },
    ...call(name, { amount: 5 }),
    asking(thread, run, { reason: 'tool_call', toolCallId: 'k', responseSchema: TAKES_EDITS }),
  ];
const TAKES_EDITS = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
  required: ['approved'],
};

/** What a thread of each kind waits for. */
const SAID = {
  pay: tool('pay'),
  deploy: tool('deploy'),
  twice: tool('twice'),
  question: (thread, run) => [asking(thread, run, { reason: 'input_required', message: 'Which?' })],
  /** No rule covers it. */
  unruled: (thread, run) => [asking(thread, run, { reason: 'odd' })],
  idle: (threadId, runId) => [{ type: 'RUN_FINISHED', threadId, runId }],
} as const satisfies Readonly<Record<string, Said>>;

/** Whatever it is asked afterwards, it has done at once. */
const ending: Answer = (response, { threadId, runId }) => {
  const ends = ['RUN_STARTED', 'RUN_FINISHED'].map((type) => frame({ type, threadId, runId }));
  response.end(ends.join(''));
};
const ENDINGS = Array.from({ length: 5 }, () => ending);

export type Kind = keyof typeof SAID | 'running' | 'pushed';

/** Everything a path, a body or a frame may name. */
export interface Things {
  readonly agent: string;
  readonly thread: string;
  readonly run: string;
  readonly interrupt: string;
  readonly task: string;
  readonly batch: string;
  readonly rev: number;
  readonly hash: string;
}

/** Well-formed names of what never was. */
export const NOTHING = ({ task, batch, ...rest }: Things): Things => ({
  ...rest,
  thread: 'never-was',
  run: 'never-was',
  interrupt: 'never-was',
  task: `${task.slice(0, -3)}xyz`,
  batch: `${batch.slice(0, -3)}xyz`,
});

export const inputFor = (threadId: string, runId: string) => ({
  ...{ threadId, runId, protocolVersion: '1.0', tools: [], context: [] },
  messages: [{ id: `${runId}-m`, role: 'user', content: 'go' }],
});

export class AccessStage {
  readonly redis: Redis;
  private made = 0;

  private constructor(
    readonly product: Product,
    readonly agent: ToldAgent,
    readonly tokens: Tokens,
    private readonly dir: string,
  ) {
    this.redis = new Redis(product.redisUrl());
  }

  static async start(): Promise<AccessStage> {
    const agent = await toldAgent();
    const dir = mkdtempSync(join(tmpdir(), 'triptych-access-'));
    writeFileSync(join(dir, 'agents.yaml'), AGENTS(agent.url));
    writeFileSync(join(dir, 'policy.yaml'), POLICY);
    const product = await Product.start({
      AGENTS_FILE: join(dir, 'agents.yaml'),
      POLICY_FILE: join(dir, 'policy.yaml'),
      LINGER_MS: '100',
      RATE_RUNS: '100000',
      MAX_SOCKETS_PER_SUBJECT: '1000',
    });
    return new AccessStage(product, agent, await tokensOf(product), dir);
  }

  async stop(): Promise<void> {
    this.redis.disconnect();
    await this.product.stop();
    await this.agent.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }

  ask(who: Name, asked: Asked): Promise<Answered> {
    return askHttp(this.product.url, asked, this.tokens[who]);
  }

  async json<T>(who: Somebody, path: string): Promise<T> {
    return this.product.json<T>(path, { token: this.tokens[who] ?? '' });
  }

  /** A thread of this kind, the owner's, that nobody has touched. */
  async make(kind: Kind): Promise<Things> {
    this.made += 1;
    const [thread, run] = [`${kind}-${this.made}`, `${kind}-${this.made}-r`];
    if (kind === 'pushed') await this.push(thread, run);
    else await this.runOf(kind, thread, run);
    const [task] = await this.tasksOf(thread);
    const named = { agent: kind === 'pushed' ? 'engine' : 'told', thread, run, interrupt: `${thread}-i` };
    const { taskId = `${thread}.none`, rev = 1, proposalHash = 'none', batch } = task ?? {};
    return { ...named, task: taskId, batch: batch?.batchId ?? `${thread}.none`, rev, hash: proposalHash };
  }

  /** A task for reviewers that is over at this time. */
  async makeUntil(expiresAt: number): Promise<Things & { readonly expiresAt: number }> {
    this.made += 1;
    const [thread, run] = [`until-${this.made}`, `until-${this.made}-r`];
    const ends = new Date(expiresAt).toISOString();
    const interrupt = { reason: 'tool_call', toolCallId: 'k', expiresAt: ends };
    const started = { type: 'RUN_STARTED', threadId: thread, runId: run };
    this.tell(thread, [started, ...call('pay', { amount: 5 }), asking(thread, run, interrupt)], ...ENDINGS);
    await this.ask('owner', { path: '/v1/agents/told/run', body: inputFor(thread, run) });
    const [task] = await this.tasksOf(thread, 1);
    const { taskId, rev, proposalHash, batch } = task!;
    const ids = { agent: 'told', thread, run, interrupt: `${thread}-i`, task: taskId };
    return { ...ids, batch: batch.batchId, rev, hash: proposalHash, expiresAt };
  }

  /** The task as an operator sees it. */
  async task(taskId: string): Promise<TaskView> {
    return this.json('operator', `/v1/approvals/${taskId}`);
  }

  /** The thread's open tasks, once there are so many. */
  async tasksOf(thread: string, least = 0): Promise<readonly TaskView[]> {
    let found: readonly TaskView[] = [];
    await until(async () => {
      const path = `/v1/approvals?threadId=${thread}`;
      ({ items: found } = await this.json<{ items: readonly TaskView[] }>('operator', path));
      return found.length >= least;
    });
    return found;
  }

  /** Resolves when nothing is under way on the thread. */
  async ended(operator: string, thread: string): Promise<void> {
    await until(async () => {
      const asked = { token: operator };
      return (await this.product.json<{ status: string }>(`/v1/threads/${thread}`, asked)).status === 'idle';
    });
  }

  /** How often the agent was asked to go on with an answer on this thread. */
  resumedOn(thread: string): number {
    return this.agent.heard.filter(({ threadId, resume }) => threadId === thread && resume?.length).length;
  }

  tell(thread: string, ...answers: readonly Answer[]): void {
    this.agent.tell(thread, ...answers);
  }

  private async runOf(kind: Exclude<Kind, 'pushed'>, thread: string, run: string): Promise<void> {
    const started = { type: 'RUN_STARTED', threadId: thread, runId: run };
    if (kind === 'running') this.tell(thread, (response) => void response.write(frame(started)));
    else this.tell(thread, [started, ...SAID[kind](thread, run)], ...ENDINGS);
    const asked = { path: '/v1/agents/told/run', body: inputFor(thread, run) };
    const { code, said } = await this.ask('owner', asked);
    if (code !== 'ok') throw new Error(said);
    const wanted = kind === 'running' ? 'running' : kind === 'idle' ? 'idle' : 'waiting';
    await until(async () => {
      const { status } = await this.json<{ status: string }>('operator', `/v1/threads/${thread}`);
      return status === wanted;
    });
  }

  private async push(threadId: string, runId: string): Promise<void> {
    const body = [
      { type: 'RUN_STARTED', threadId, runId },
      { type: 'RUN_FINISHED', threadId, runId },
    ];
    const made = await this.ask('engine', {
      path: '/v1/threads',
      body: { threadId, agentId: 'engine', owner: PEOPLE.owner.sub },
    });
    const headers = { 'producer-id': 'p', 'producer-epoch': '0', 'producer-seq': '0' };
    const pushed = await this.ask('engine', { path: `/v1/threads/${threadId}/events`, body, headers });
    if (made.code !== 'ok' || pushed.code !== 'ok') throw new Error(`${made.said} ${pushed.said}`);
  }
}
