/** A reader that applies what it is handed and checks that nothing is missing. */
import type { AguiEvent, Position } from '@triptych/protocol';
import type { Delivery } from '../src/core/delivery.js';
import { fold, type Lines } from './story.js';
import { TakingReader } from './taking-reader.js';

interface ReadFrame {
  readonly event: 'agui' | 'snapshot';
  readonly data: Readonly<Record<string, unknown>> & { readonly events: readonly AguiEvent[] };
}

interface HandReaderOptions {
  readonly whole?: boolean;
  readonly pos?: Position;
  readonly lines?: Lines;
  readonly weight?: number;
}

export class HandReader extends TakingReader {
  readonly deliveries: Delivery[] = [];
  readonly frames: ReadFrame[] = [];
  readonly whole?: boolean;
  lines: Lines = [];
  pos: Position | undefined;
  gaps = 0;

  constructor(options: HandReaderOptions = {}) {
    super(options.weight ?? 1);
    if (options.whole === true) this.whole = true;
    this.pos = options.pos;
    this.lines = options.lines ?? [];
  }

  get last(): ReadFrame | undefined {
    return this.frames.at(-1);
  }

  protected read(delivery: Delivery, text: string): void {
    const frame = JSON.parse(text) as ReadFrame;
    const { events } = frame.data;
    this.deliveries.push(delivery);
    this.frames.push(frame);
    if (delivery.kind === 'agui' && this.pos !== undefined && delivery.prev !== this.pos) this.gaps += 1;
    const before = delivery.kind === 'snapshot' ? fold.empty() : this.lines;
    this.lines = events.reduce((lines, event) => fold.step(lines, event), before);
    this.pos = delivery.pos;
  }
}
