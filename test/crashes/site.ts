/** Where crashes are played: one hub and one worker, an agent that counts, and the people who want to go on. */
import { Redis } from 'ioredis';
import { Screen, LastingScreen, type Person } from '@triptych/testkit';
import { AskingAgent } from '../stand/asking-agent.js';
import { Caller } from '../stand/caller.js';
import { House } from '../stand/house.js';

const PEOPLE = {
  amelia: { sub: 'amelia', roles: ['customer'] },
  ann: { sub: 'ann', roles: ['reviewer'] },
  bob: { sub: 'bob', roles: ['reviewer'] },
  mo: { sub: 'mo', roles: ['operator'] },
} as const satisfies Readonly<Record<string, Person>>;

export type Name = keyof typeof PEOPLE;

const AGENTS = (url: string): string => `agents:
  - { id: asking, connect: { type: http, url: '${url}' }, roles: [customer] }
`;
const POLICY = `surfaces:
  customer: { tools: { '*': { args: [''], result: [''] } } }
  reviewer: { tools: { '*': { args: [''], result: [''] } } }
approvals:
  rules:
    - { id: wire, match: { reason: tool_call, tool: wire }, quorum: 2 }
    - { id: any, match: { reason: tool_call } }
    - { id: ask, match: { reason: input_required }, audience: customer }
`;

export class Site {
  private constructor(
    readonly house: House,
    readonly agent: AskingAgent,
    readonly redis: Redis,
    private readonly tokens: Readonly<Record<Name, string>>,
  ) {}

  static async start(): Promise<Site> {
    const agent = await AskingAgent.start();
    const files = { agents: AGENTS(agent.url), policy: POLICY };
    const house = await House.start({
      hubs: 1,
      workers: 1,
      memory: 'hasty',
      env: { LINGER_MS: '0' },
      ...files,
    });
    const names = Object.keys(PEOPLE) as Name[];
    const signed = names.map(async (name) => [name, await house.issuer.sign(PEOPLE[name])] as const);
    const tokens = Object.fromEntries(await Promise.all(signed)) as Record<Name, string>;
    return new Site(house, agent, new Redis(house.redis.url), tokens);
  }

  as(name: Name): Caller {
    return new Caller(this.house.hub.directUrl, this.tokens[name]);
  }

  screen(surface: 'customer' | 'operator'): Promise<Screen> {
    return Screen.open(
      this.house.hub.directUrl,
      surface,
      this.tokens[surface === 'customer' ? 'amelia' : 'mo'],
    );
  }

  lasting(surface: 'customer' | 'operator'): LastingScreen {
    const token = this.tokens[surface === 'customer' ? 'amelia' : 'mo'];
    return new LastingScreen((book) => Screen.open(this.house.hub.directUrl, surface, token, book));
  }

  async stop(): Promise<void> {
    this.redis.disconnect();
    await this.house.stop();
    await this.agent.stop();
  }
}
