/** A reader that applies what it is handed, checks that nothing is missing, and takes bytes when told to. */
import type { AguiEvent, CloseReason, Position } from '@triptych/protocol';
import type { Delivery } from '../src/core/delivery.js';
import type { Reader } from '../src/core/reader.js';
import { fold, type Lines } from './story.js';

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

export class HandReader implements Reader {
  readonly deliveries: Delivery[] = [];
  readonly frames: ReadFrame[] = [];
  readonly closed: CloseReason[] = [];
  readonly whole?: boolean;
  lines: Lines = [];
  pos: Position | undefined;
  gaps = 0;
  /** Bytes stay unsent until taken while this is true. */
  stalled = false;
  private waiting = 0;
  private total = 0;
  private readonly weight: number;

  /** `weight`: how many bytes each byte counts, so that small stories fill large windows. */
  constructor(options: HandReaderOptions = {}) {
    this.weight = options.weight ?? 1;
    if (options.whole === true) this.whole = true;
    this.pos = options.pos;
    this.lines = options.lines ?? [];
  }

  deliver(delivery: Delivery): void {
    const frame = JSON.parse(delivery.frame()) as ReadFrame;
    this.deliveries.push(delivery);
    this.frames.push(frame);
    const bytes = delivery.frame().length * this.weight;
    if (this.stalled) this.waiting += bytes;
    this.total += bytes;
    this.apply(delivery, frame.data.events);
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
    this.closed.push(reason);
  }

  get last(): ReadFrame | undefined {
    return this.frames.at(-1);
  }

  private apply(delivery: Delivery, events: readonly AguiEvent[]): void {
    if (delivery.kind === 'agui' && this.pos !== undefined && delivery.prev !== this.pos) this.gaps += 1;
    const before = delivery.kind === 'snapshot' ? fold.empty() : this.lines;
    this.lines = events.reduce((lines, event) => fold.step(lines, event), before);
    this.pos = delivery.pos;
  }
}
