/** Sends a thread's events in numbered batches, well-behaved or not, by one of the doors that take them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { AguiEvent } from '@triptych/protocol';
import type { AppendDoor, Taken } from './append-doors.js';
import type { Chance } from './chance.js';
import type { Acked } from './history.js';
import type { Told } from './run-producer.js';
import { markOf, REFUSED_MARK, storyOf, type StoryShape } from './story.js';

const MOST_AT_ONCE = 25;

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
  private readonly acks = new Map<string, Acked>();
  private next = 0;

  constructor(
    private readonly door: AppendDoor,
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
    return { from, to: Math.min(this.all.length, from + this.parts.chance.between(1, MOST_AT_ONCE)) };
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
    this.learn(batch, await this.door({ threadId: this.threadId, producer, events }));
  }

  private learn({ from, to }: Batch, taken: Taken): void {
    if (taken.is === 'stored') {
      for (const [nth, event] of this.all.slice(to - taken.count, to).entries()) {
        const mark = markOf(event) ?? '';
        const { first } = taken;
        this.acks.set(mark, { mark, ...(first && { at: { epoch: first.epoch, seq: first.seq + nth } }) });
      }
      this.next = Math.max(this.next, to);
    } else if (taken.is === 'gap') this.next = taken.expected;
    else {
      this.faults.push(`${this.threadId}: its batch from ${from} was ${taken.is}`);
      this.next = this.all.length;
    }
  }

  private async speakAsTwin(): Promise<void> {
    const event = { type: 'CUSTOM', name: REFUSED_MARK, value: 0, metadata: { mark: `${REFUSED_MARK}#0` } };
    const producer = { id: this.threadId, epoch: 0, seq: 0 };
    const taken = await this.door({ threadId: this.threadId, producer, events: [event] });
    if (taken.is !== 'fenced') this.faults.push(`${this.threadId}: an outdated producer was ${taken.is}`);
  }
}
