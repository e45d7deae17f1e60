/** A reader that keeps the stream it was given since it last began anew, and takes bytes when it is told to. */
import type { Delivery, Reader } from '@triptych/fanout';
import type { AguiEvent, CloseReason, Position } from '@triptych/protocol';

/** Small stories must fill windows of hundreds of kilobytes. */
const WEIGHT = 300;

export interface Kept {
  readonly pos: Position | undefined;
  readonly events: readonly AguiEvent[];
}

export class StreamReader implements Reader {
  events: AguiEvent[];
  pos: Position | undefined;
  gaps = 0;
  snapshots = 0;
  stalled = false;
  closed: CloseReason | undefined;
  private waiting = 0;
  private total = 0;

  constructor(
    had: Kept,
    readonly whole = false,
  ) {
    this.events = [...had.events];
    this.pos = had.pos;
  }

  deliver(delivery: Delivery): void {
    const text = delivery.frame();
    const { data } = JSON.parse(text) as { data: { events: AguiEvent[] } };
    this.total += text.length * WEIGHT;
    if (this.stalled) this.waiting += text.length * WEIGHT;
    if (delivery.kind === 'snapshot') {
      this.snapshots += 1;
      this.events = data.events;
    } else {
      if (!this.whole && delivery.prev !== this.pos) this.gaps += 1;
      this.events.push(...data.events);
    }
    this.pos = delivery.pos;
  }

  unsent(): number {
    return this.waiting;
  }

  taken(): number {
    return this.total - this.waiting;
  }

  take(bytes = Number.POSITIVE_INFINITY): void {
    this.waiting = Math.max(0, this.waiting - bytes);
  }

  close(reason: CloseReason): void {
    this.closed = reason;
  }
}
