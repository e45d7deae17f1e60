/** A house at work: an agent that asks, one that says what it is told, and the people who answer. */
import type { Surface, TaskView } from '@triptych/protocol';
import { LastingScreen, Screen, type Person } from '@triptych/testkit';
import { Redis } from 'ioredis';
import { toldAgent, type ToldAgent } from '../field/told-agent.js';
import { AskingAgent, type Wish } from './asking-agent.js';
import { Caller } from './caller.js';
import { House, type HousePlan } from './house.js';

const PEOPLE = {
  amelia: { sub: 'amelia', roles: ['customer'] },
  ann: { sub: 'ann', roles: ['reviewer'] },
  bob: { sub: 'bob', roles: ['reviewer'] },
  sue: { sub: 'sue', roles: ['supervisor'] },
  mo: { sub: 'mo', roles: ['operator'] },
  ada: { sub: 'ada', roles: ['admin'] },
} as const satisfies Readonly<Record<string, Person>>;

export type Name = keyof typeof PEOPLE;

/** `calm` is `asking` by another name. */
const AGENTS = (asking: string, told: string): string => `agents:
  - { id: asking, connect: { type: http, url: '${asking}' }, roles: [customer] }
  - { id: calm, connect: { type: http, url: '${asking}' }, roles: [customer] }
  - { id: told, connect: { type: http, url: '${told}' }, roles: [customer] }
`;

/** Everybody sees everything, so that what goes wrong shows. */
const policyOf = (rules: string): string => `surfaces:
  customer: &all { state: [''], tools: { '*': { args: [''], result: [''] } } }
  reviewer: *all
approvals:
  rules:
${rules}`;

export interface OfficePlan extends Partial<Omit<HousePlan, 'agents' | 'policy'>> {
  /** Of the policy, each an item of a YAML list. */
  readonly rules: string;
}

const ONE_OF_EACH = { hubs: 1, workers: 1, memory: 'hasty' } as const;
/** Whatever a test asks about a task, it may be over by then. */
const ANY_STATE = 'pending,claimed,voting,held,decided,dispatched,closed,expired';

const byInterrupt = (a: TaskView, b: TaskView): number => a.interruptId.localeCompare(b.interruptId);

export class Office {
  readonly redis: Redis;

  private constructor(
    readonly house: House,
    readonly agent: AskingAgent,
    readonly told: ToldAgent,
    private readonly tokens: Readonly<Record<Name, string>>,
  ) {
    this.redis = new Redis(house.redis.url);
    // A Redis that is killed is away for a while, which its clients are told.
    this.redis.on('error', () => undefined);
  }

  static async start({ rules, env, ...plan }: OfficePlan): Promise<Office> {
    const [agent, told] = [await AskingAgent.start(), await toldAgent()];
    const files = { agents: AGENTS(agent.url, told.url), policy: policyOf(rules) };
    const house = await House.start({ ...ONE_OF_EACH, ...plan, ...files, env: { LINGER_MS: '0', ...env } });
    const names = Object.keys(PEOPLE) as Name[];
    const signed = names.map(async (name) => [name, await house.issuer.sign(PEOPLE[name])] as const);
    const tokens = Object.fromEntries(await Promise.all(signed)) as Record<Name, string>;
    return new Office(house, agent, told, tokens);
  }

  /** At the nth hub, counted from 0 and round again. */
  as(name: Name, nth = 0): Caller {
    const { hubs } = this.house;
    return new Caller((hubs[nth % hubs.length] ?? this.house.hub).directUrl, this.tokens[name]);
  }

  /** Somebody who is nobody else, and may be sent away. */
  async newcomer(sub: string, roles: Person['roles'] = ['reviewer']): Promise<Caller> {
    return new Caller(this.house.hub.directUrl, await this.house.issuer.sign({ sub, roles }));
  }

  /** Brings other rules into force, in every process. */
  goBy(rules: string): Promise<void> {
    return this.house.goBy(policyOf(rules));
  }

  screen(surface: Surface, name: Name): Promise<Screen> {
    return Screen.open(this.house.hub.directUrl, surface, this.tokens[name]);
  }

  lasting(surface: Surface, name: Name): LastingScreen {
    const token = this.tokens[name];
    return new LastingScreen((book) => Screen.open(this.house.hub.directUrl, surface, token, book));
  }

  /** Begins a run that asks for all of this, and waits for its end. */
  async ask(threadId: string, ...wishes: readonly Wish[]): Promise<readonly TaskView[]> {
    this.agent.wants(threadId, wishes);
    return this.run('asking', threadId);
  }

  /** The tasks that are there when the run is over, in the order they were asked. */
  async run(agentId: 'asking' | 'calm' | 'told', threadId: string): Promise<readonly TaskView[]> {
    const input = { threadId, runId: `${threadId}-r`, messages: [], tools: [], context: [] };
    const { code } = await this.as('amelia').ask(`/v1/agents/${agentId}/run`, input);
    if (code !== 'ok') throw new Error(`A run was answered ${code}.`);
    return this.tasksOf(threadId);
  }

  async tasksOf(threadId: string): Promise<readonly TaskView[]> {
    const path = `/v1/approvals?threadId=${threadId}&state=${ANY_STATE}`;
    return (await this.as('mo').get<{ items: TaskView[] }>(path)).items.toSorted(byInterrupt);
  }

  task(taskId: string): Promise<TaskView> {
    return this.as('mo').get<TaskView>(`/v1/approvals/${taskId}`);
  }

  async stop(): Promise<void> {
    this.redis.disconnect();
    await this.house.stop();
    await Promise.all([this.agent.stop(), this.told.stop()]);
  }
}
