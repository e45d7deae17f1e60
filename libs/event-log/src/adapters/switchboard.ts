/** Holds the subscriptions of one connection: a channel is subscribed while anyone listens to it. */
import { type Log, inBackground, storeCall } from '@triptych/platform';
import { isStoreAway } from '@triptych/protocol';
import type { Redis } from 'ioredis';

export type Ear = (message: Buffer) => void;

interface Line {
  readonly ears: Set<Ear>;
  readonly open: Promise<void>;
}

export class Switchboard {
  private readonly lines = new Map<string, Line>();
  private readonly onMessage = (channel: Buffer, message: Buffer): void =>
    this.pass(channel.toString(), message);

  constructor(
    private readonly subscriber: Redis,
    private readonly log: Log,
  ) {
    subscriber.on('smessageBuffer', this.onMessage);
  }

  /** Resolves when everything published from now on reaches the ear. */
  async join(channel: string, ear: Ear): Promise<void> {
    const line = this.lines.get(channel) ?? { ears: new Set<Ear>(), open: this.subscribe(channel) };
    line.ears.add(ear);
    this.lines.set(channel, line);
    try {
      await line.open;
    } catch (error) {
      this.leave(channel, ear);
      throw error;
    }
  }

  leave(channel: string, ear: Ear): void {
    const line = this.lines.get(channel);
    if (line?.ears.delete(ear) && line.ears.size === 0) this.drop(channel);
  }

  /** Subscribes again, after a connection or a single channel was lost. */
  async renew(channel: string): Promise<void> {
    if (this.lines.has(channel)) await this.subscribe(channel);
  }

  async renewAll(): Promise<void> {
    await Promise.all([...this.lines.keys()].map((channel) => this.subscribe(channel)));
  }

  close(): void {
    this.subscriber.off('smessageBuffer', this.onMessage);
    for (const channel of this.lines.keys()) this.drop(channel);
  }

  private pass(channel: string, message: Buffer): void {
    for (const ear of this.lines.get(channel)?.ears ?? []) {
      try {
        ear(message);
      } catch (error) {
        // One ear's bug must not make the others deaf.
        this.log.error('event-log.ear-failed', { channel, error });
      }
    }
  }

  private async subscribe(channel: string): Promise<void> {
    await storeCall(this.subscriber.ssubscribe(channel));
  }

  private drop(channel: string): void {
    this.lines.delete(channel);
    inBackground(this.log, 'event-log.unsubscribe', this.unsubscribe(channel));
  }

  private async unsubscribe(channel: string): Promise<void> {
    try {
      await storeCall(this.subscriber.sunsubscribe(channel));
    } catch (error) {
      // A lost connection has no subscriptions left.
      if (!isStoreAway(error)) throw error;
    }
  }
}
