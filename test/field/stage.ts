/** The real product with one agent that says what it is told, and all three surfaces of a thread to look at. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  emptyModel,
  modelStep,
  pendingInterruptsOf,
  runStatusOf,
  SURFACES,
  type AguiEvent,
  type Model,
  type Surface,
} from '@triptych/protocol';
import { AMELIA, MO, Product, Screen, until, type Person } from '@triptych/testkit';
import { verifyWithReference } from '../../libs/protocol/test/reference-client.js';
import { attach, type Attached } from './event-source.js';
import { toldAgent, type Answer, type ToldAgent } from './told-agent.js';

/** Starting the product is part of it. */
export const STAGE_MS = 120_000;

const AGENTS = (url: string): string => `agents:
  - id: told
    connect: { type: http, url: '${url}' }
    roles: [customer, operator]
`;

/** Everybody is shown what there is, so that nothing that goes wrong is hidden. */
const POLICY = `surfaces:
  customer: &all
    state: ['']
    write: [/wish]
    tools: { '*': { args: [''], result: [''] } }
    steps: { '*': '*' }
    custom: ['*']
    activities: ['*']
    subagents: true
    reasoning: true
  reviewer: *all
approvals:
  rules:
    - { id: any, match: { reason: tool_call } }
    - { id: sure, match: { reason: confirmation } }
    - { id: ask, match: { reason: input_required }, audience: customer }
`;

export interface Sight {
  readonly model: Model;
  /** What was shown since the thread was empty. */
  readonly events: readonly AguiEvent[];
}

export interface LogItem {
  readonly refused?: true;
  readonly rule?: string;
  readonly event: AguiEvent | string;
  readonly source?: string;
}

export interface Seen {
  readonly live: Readonly<Record<Surface, Sight>>;
  readonly joined: Readonly<Record<Surface, Model>>;
  readonly log: readonly LogItem[];
}

export const folded = (events: readonly AguiEvent[]): Model => events.reduce<Model>(modelStep, emptyModel());

/** What a screen shows of a model. */
export const gist = (model: Model) => ({
  messages: model.messages,
  state: model.state,
  open: model.open,
  custom: model.custom,
  steps: model.steps,
  asked: pendingInterruptsOf(model),
  status: runStatusOf(model),
});

export class FieldStage {
  private constructor(
    readonly product: Product,
    readonly agent: ToldAgent,
    private readonly dir: string,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<FieldStage> {
    const agent = await toldAgent();
    const dir = mkdtempSync(join(tmpdir(), 'triptych-field-'));
    writeFileSync(join(dir, 'agents.yaml'), AGENTS(agent.url));
    writeFileSync(join(dir, 'policy.yaml'), POLICY);
    const product = await Product.start({
      AGENTS_FILE: join(dir, 'agents.yaml'),
      POLICY_FILE: join(dir, 'policy.yaml'),
      LINGER_MS: '200',
      RATE_RUNS: '100000',
      MAX_SOCKETS_PER_SUBJECT: '1000',
      ...env,
    });
    return new FieldStage(product, agent, dir);
  }

  async stop(): Promise<void> {
    await this.product.stop();
    await this.agent.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }

  async open(threadId: string): Promise<void> {
    const token = await this.product.token(AMELIA);
    await this.product.fetch('/v1/threads', { token, body: { threadId, agentId: 'told' } });
  }

  /** Asks for a run and reads what its response streams, to the end. */
  async run(threadId: string, runId: string, more: object = {}): Promise<readonly AguiEvent[]> {
    const body = { threadId, runId, messages: [], tools: [], context: [], protocolVersion: '1.0', ...more };
    const token = await this.product.token(AMELIA);
    const response = await this.product.fetch('/v1/agents/told/run', { token, body });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    return text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as AguiEvent);
  }

  /** A surface as an operator may read any, by Server-Sent Events. */
  async attach(
    threadId: string,
    surface: Surface,
    {
      lastEventId,
      url = this.product.url,
      as = MO,
    }: { lastEventId?: string; url?: string; as?: Person } = {},
  ): Promise<Attached> {
    const token = await this.product.token(as);
    return attach(`${url}/v1/threads/${encodeURIComponent(threadId)}/events?surface=${surface}`, {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    });
  }

  /** Follows a thread; from a position when it is given one, on another hub when it is given its address. */
  async screen(
    threadId: string,
    surface: 'customer' | 'operator',
    { from, url = this.product.url }: { from?: string; url?: string } = {},
  ): Promise<Screen> {
    const token = await this.product.token(surface === 'customer' ? AMELIA : MO);
    const screen = await Screen.open(url, surface, token);
    await screen.subscribe(threadId, from);
    return screen;
  }

  /** Whoever joins now: where it stands and what it is told. */
  async snapshot(threadId: string, surface: Surface): Promise<{ pos: string; events: AguiEvent[] }> {
    const token = await this.product.token(MO);
    return this.product.json(`/v1/threads/${threadId}/snapshot?surface=${surface}`, { token });
  }

  async log(threadId: string): Promise<readonly LogItem[]> {
    return (await this.logPage(threadId)).items;
  }

  /** The first entry that the log still has. */
  async firstSeq(threadId: string): Promise<number> {
    return (await this.logPage(threadId)).firstSeq;
  }

  private async logPage(threadId: string): Promise<{ items: LogItem[]; firstSeq: number }> {
    return this.product.json(`/v1/threads/${threadId}/log`, { token: await this.product.token(MO) });
  }

  /** Plays a thread's runs, one after another, before all eyes. Every surface's stream must be legal, and joining later must show the same. */
  async play(threadId: string, ...answers: readonly Answer[]): Promise<Seen> {
    await this.open(threadId);
    const watched = await Promise.all(SURFACES.map((surface) => this.attach(threadId, surface)));
    this.agent.tell(threadId, ...answers);
    for (const [nth] of answers.entries()) await this.run(threadId, `run-${nth + 1}`);
    const ends = await Promise.all(SURFACES.map((surface) => this.snapshot(threadId, surface)));
    const pairs = SURFACES.map(async (surface, nth) => {
      const [live, end] = [watched[nth], ends[nth]];
      if (!live || !end) throw new Error('One of each surface was opened.');
      await until(() => live.lastId() === end.pos);
      await live.leave();
      const { error } = await verifyWithReference(live.events());
      if (error !== undefined) throw new Error(`${surface}: ${error}`);
      return [surface, { model: folded(live.events()), events: live.events() }, folded(end.events)] as const;
    });
    const seen = await Promise.all(pairs);
    for (const [surface, { model }, joined] of seen)
      expect({ surface, ...gist(joined) }).toEqual({ surface, ...gist(model) });
    return {
      live: Object.fromEntries(seen.map(([surface, live]) => [surface, live])) as Seen['live'],
      joined: Object.fromEntries(seen.map(([surface, , joined]) => [surface, joined])) as Seen['joined'],
      log: await this.log(threadId),
    };
  }
}
