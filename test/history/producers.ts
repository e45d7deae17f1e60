/** Two kinds of producers: agents that a hub is asked to run, and whoever appends batches with a producer's triple. */
import { setTimeout as pause } from 'node:timers/promises';
import type { AppendOutcome, RedisEventLog } from '@triptych/event-log';
import { asThreadId, isStoreAway, type AguiEvent } from '@triptych/protocol';
import type { Chance } from './chance.js';
import type { Sent } from './history.js';
import type { Stand } from './stand.js';
import type { Telling } from './story-agent.js';
import { REFUSED_MARK, storyOf, type StoryShape, markOf } from './story.js';

const AGAIN_MS = 100;

interface Told extends Omit<Sent, 'asked' | 'complete'> {
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
    for (const [nth, shape] of shapes.entries()) {
      if (isOver()) return;
      const runId = `${this.threadId}-r${nth}`;
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
          authorization: `Bearer ${stand.issuer.tokens.customer}`,
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

interface Batch {
  readonly from: number;
  readonly to: number;
}

export interface BatchManners {
  /** How likely a batch is sent twice, late, early or in two halves that overlap. */
  readonly unruly: number;
  /** Whether an outdated twin may speak: it is fenced as long as the store remembers. */
  readonly twin: boolean;
}

/** Appends a thread's events in numbered batches, and sends again whatever the store has not. */
export class BatchProducer {
  readonly told: Told[] = [];
  readonly faults: string[] = [];
  private readonly all: AguiEvent[] = [];
  /** By mark; of what the store lost and was sent again, the later place. */
  private readonly acks = new Map<string, { epoch: string; seq: number; mark: string }>();
  private next = 0;

  constructor(
    private readonly log: RedisEventLog,
    private readonly threadId: string,
    private readonly parts: { readonly chance: Chance; readonly manners: BatchManners },
  ) {}

  /** Tells every story to its end, however long the store is away. */
  async tell(shapes: readonly StoryShape[], isOver: () => boolean): Promise<void> {
    const { chance } = this.parts;
    for (const [nth, shape] of shapes.entries()) {
      if (isOver()) break;
      const runId = `${this.threadId}-r${nth}`;
      const events = storyOf({ threadId: this.threadId, runId }, shape, chance);
      this.all.push(...events);
      const { acks } = this;
      this.told.push({
        threadId: this.threadId,
        runId,
        events,
        get acked() {
          return events.flatMap((event) => acks.get(markOf(event) ?? '') ?? []);
        },
      });
      await this.sendAll();
    }
  }

  /** What the store lost meanwhile is sent again. */
  async confirm(): Promise<void> {
    await this.send({ from: Math.max(0, this.all.length - 1), to: this.all.length });
    await this.sendAll();
  }

  private async sendAll(): Promise<void> {
    const { chance, manners } = this.parts;
    while (this.next < this.all.length) {
      const batch = this.batchAt(this.next);
      if (chance.happens(manners.unruly)) await this.misbehave(batch);
      await this.send(batch);
      await pause(chance.between(0, 8));
    }
  }

  private batchAt(from: number): Batch {
    return { from, to: Math.min(this.all.length, from + this.parts.chance.between(1, 12)) };
  }

  private async misbehave(batch: Batch): Promise<void> {
    const { chance, manners } = this.parts;
    const kind = chance.between(1, manners.twin ? 5 : 4);
    if (kind === 1) await this.send(this.batchAt(chance.between(0, batch.from)));
    if (kind === 2) await this.send({ ...batch, from: Math.max(0, batch.from - chance.between(1, 5)) });
    if (kind === 3 && batch.to < this.all.length) await this.send(this.batchAt(batch.to));
    if (kind === 4) await Promise.all([this.send(batch), this.send(batch)]);
    if (kind === 5 && this.next > 0) await this.speakAsTwin();
  }

  private async send(batch: Batch): Promise<void> {
    const events = this.all.slice(batch.from, batch.to);
    const producer = { id: this.threadId, epoch: 1, seq: batch.from };
    this.learn(batch, await this.append(events, producer));
  }

  private learn({ from, to }: Batch, outcome: AppendOutcome): void {
    if (outcome.status === 'stored') {
      const stored = outcome.last - outcome.first + 1;
      for (const [nth, event] of this.all.slice(to - stored, to).entries()) {
        const mark = markOf(event) ?? '';
        this.acks.set(mark, { epoch: outcome.epoch, seq: outcome.first + nth, mark });
      }
      this.next = Math.max(this.next, to);
    } else if (outcome.status === 'repeated') this.next = Math.max(this.next, to);
    else if (outcome.status === 'gap') this.next = outcome.expected;
    else this.faults.push(`${this.threadId}: its batch from ${from} was ${outcome.status}`);
  }

  private async speakAsTwin(): Promise<void> {
    const event = { type: 'CUSTOM', name: REFUSED_MARK, value: 0, metadata: { mark: `${REFUSED_MARK}#0` } };
    const outcome = await this.append([event], { id: this.threadId, epoch: 0, seq: 0 });
    if (outcome.status !== 'fenced')
      this.faults.push(`${this.threadId}: an outdated producer was ${outcome.status}`);
  }

  private async append(
    events: readonly AguiEvent[],
    producer: { id: string; epoch: number; seq: number },
  ): Promise<AppendOutcome> {
    const stored = events.map((event) => ({ json: JSON.stringify(event), source: 'agent' as const }));
    for (;;) {
      try {
        return await this.log.append({ thread: asThreadId(this.threadId), events: stored, producer });
      } catch (error) {
        if (!isStoreAway(error)) throw error;
        await pause(AGAIN_MS);
      }
    }
  }
}
