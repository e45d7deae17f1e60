/** Reads along with a log in a test: threads of its own, events, and a listener that can be waited for. */
import { randomUUID } from 'node:crypto';
import type { FollowListener, NewEvent } from '@triptych/event-log';
import { type LogEntry, type ThreadId, asThreadId } from '@triptych/protocol';

export const newThread = (): ThreadId => asThreadId(`thread-${randomUUID()}`);

export const textEvent = (delta: string): NewEvent => ({
  json: JSON.stringify({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta }),
  source: 'agent',
});

/** Collects what a follow delivers, and waits for it. */
export class Reader implements FollowListener {
  readonly entriesSeen: LogEntry[] = [];
  readonly rotations: string[] = [];
  readonly healths: boolean[] = [];
  private waiting: (() => void)[] = [];

  entries(batch: readonly LogEntry[]): void {
    this.entriesSeen.push(...batch);
    this.wake();
  }

  rotated(epoch: string): void {
    this.rotations.push(epoch);
    this.wake();
  }

  health(alive: boolean): void {
    this.healths.push(alive);
    this.wake();
  }

  get seqs(): number[] {
    return this.entriesSeen.map(({ seq }) => seq);
  }

  async until(holds: (reader: Reader) => boolean): Promise<void> {
    while (!holds(this)) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  has(count: number): Promise<void> {
    return this.until(() => this.entriesSeen.length >= count);
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

export const counting = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
