/** A reader that keeps the stream it was given since it last began anew. */
import type { Delivery } from '@triptych/fanout';
import type { AguiEvent, Position } from '@triptych/protocol';
import { TakingReader, WEIGHT } from '../../libs/fanout/test/taking-reader.js';

export interface Kept {
  readonly pos: Position | undefined;
  readonly events: readonly AguiEvent[];
}

export class StreamReader extends TakingReader {
  events: AguiEvent[];
  pos: Position | undefined;
  gaps = 0;
  snapshots = 0;

  constructor(
    had: Kept,
    readonly whole = false,
  ) {
    super(WEIGHT);
    this.events = [...had.events];
    this.pos = had.pos;
  }

  protected read(delivery: Delivery, text: string): void {
    const { data } = JSON.parse(text) as { data: { events: AguiEvent[] } };
    if (delivery.kind === 'snapshot') {
      this.snapshots += 1;
      this.events = data.events;
    } else {
      if (!this.whole && delivery.prev !== this.pos) this.gaps += 1;
      this.events.push(...data.events);
    }
    this.pos = delivery.pos;
  }
}
