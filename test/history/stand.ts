/** What a history plays on: a house of several hubs, and an agent that tells stories. */
import { House } from '../stand/house.js';
import { ENGINE, tokensFrom, type Tokens } from './people.js';
import { STORY_POLICY } from './story.js';
import { startStoryAgent, type StoryAgent } from './story-agent.js';

export interface Stand extends Pick<House, 'redis' | 'hubs'> {
  readonly agent: StoryAgent;
  readonly tokens: Tokens;
  stop(): Promise<void>;
}

const AGENTS = (url: string): string => `
agents:
  - id: story
    connect: { type: http, url: '${url}' }
    roles: [customer, operator]
  - id: ${ENGINE}
    connect: { type: push }
    roles: [customer, operator]
`;

export const startStand = async (hubs: number): Promise<Stand> => {
  const agent = await startStoryAgent();
  const plan = {
    hubs,
    workers: 1,
    memory: 'hasty',
    agents: AGENTS(agent.url),
    policy: STORY_POLICY,
  } as const;
  try {
    const house = await House.start(plan);
    const stop = async (): Promise<void> => {
      await house.stop();
      await agent.stop();
    };
    return { redis: house.redis, hubs: house.hubs, agent, tokens: await tokensFrom(house.issuer), stop };
  } catch (error) {
    await agent.stop();
    throw error;
  }
};
