/** Asks hubs for runs of an agent, one after another. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from './chance.js';
import type { Sent } from './history.js';
import type { Stand } from './stand.js';
import type { Telling } from './story-agent.js';
import { storyOf, type StoryShape } from './story.js';

const AGAIN_MS = 100;

export interface Told extends Omit<Sent, 'asked' | 'complete'> {
  readonly telling?: Telling;
}

/** Asks hubs for one run after another; asks again, of any hub, until each is over. */
export class RunProducer {
  readonly told: Told[] = [];

  constructor(
    private readonly stand: Stand,
    private readonly threadId: string,
    private readonly chance: Chance,
  ) {}

  async tell(shapes: readonly StoryShape[], isOver: () => boolean): Promise<void> {
    for (const shape of shapes) {
      if (isOver()) return;
      const runId = `${this.threadId}-r${this.told.length}`;
      const events = storyOf({ threadId: this.threadId, runId }, shape, this.chance);
      const telling = this.stand.agent.prepare(runId, { events, chance: this.chance.of(runId), pauseMs: 8 });
      this.told.push({ threadId: this.threadId, runId, events, acked: [], telling });
      while (!(await this.ask(runId)) && !isOver()) await pause(AGAIN_MS);
    }
  }

  /** True when the run's stream came to its end. */
  private async ask(runId: string): Promise<boolean> {
    const { chance, stand, threadId } = this;
    const messages = [{ id: `${runId}.u`, role: 'user', content: 'Tell me.' }];
    try {
      const response = await fetch(`${chance.one(stand.hubs).url}/v1/agents/story/run`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${stand.tokens.customer}`,
        },
        body: JSON.stringify({
          threadId,
          runId,
          messages,
          tools: [],
          context: [],
          state: {},
          forwardedProps: {},
        }),
      });
      const text = await response.text();
      return response.ok && /"type":"RUN_(FINISHED|ERROR)"/u.test(text);
    } catch {
      return false;
    }
  }
}
