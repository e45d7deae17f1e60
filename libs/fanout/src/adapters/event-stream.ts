/** Tells one surface of a thread event by event: with positions to come back by, or as a plain AG-UI stream. */
import type { CloseReason } from '@triptych/protocol';
import type { AguiDelivery, Delivery, Render, SnapshotDelivery } from '../core/delivery.js';
import { onceEach } from '../core/once-each.js';
import type { Reader } from '../core/reader.js';
import type { Shown } from '../core/shown.js';
import type { StreamEvent, StreamLine } from '../core/stream-line.js';

/** What an event means to a stream: it goes on, this was its last one, or it was over before. */
export type StreamStep = 'on' | 'last' | 'over';

export interface EventStreamOptions {
  readonly line: StreamLine;
  /** The subject that reads. */
  readonly who?: string | undefined;
  /** With positions and marked preludes; without, one bare event a frame and nothing lost to a snapshot. */
  readonly positions: boolean;
  readonly render?: Render | undefined;
  /** Says where the stream ends. */
  readonly until?: ((shown: Shown) => StreamStep) | undefined;
}

/** What every attach stream is told of a delivery, unless it asks for other words. */
const positioned = onceEach((delivery: AguiDelivery): readonly StreamEvent[] =>
  delivery.shown.map((one) => ({ json: one.json, id: delivery.positionAfter(one) })),
);

export class EventStream implements Reader {
  readonly whole: boolean;
  private begun = false;
  private ended = false;

  constructor(private readonly options: EventStreamOptions) {
    this.whole = !options.positions;
  }

  get who(): string | undefined {
    return this.options.who;
  }

  /** A replay continues what the reader has: there is no prelude to come. */
  begin(recovered: 'replay' | 'snapshot'): void {
    this.begun = recovered === 'replay';
  }

  deliver(delivery: Delivery): void {
    if (this.ended) return;
    // A stream cannot be told to start over: it ends, and the client comes back for the prelude.
    if (delivery.kind === 'snapshot' && this.begun) return this.close('RESTART');
    // Whoever was shown nothing so far has nothing to start over from.
    this.begun = delivery.kind === 'agui' || delivery.events.length > 0;
    if (delivery.kind === 'snapshot') this.options.line.send(this.preludeOf(delivery));
    else this.deliverEvents(delivery);
  }

  pour(delivery: Delivery): boolean {
    if (!this.options.line.clear()) return false;
    this.deliver(delivery);
    return true;
  }

  unsent(): number {
    return this.options.line.unsent();
  }

  taken(): number {
    return this.options.line.taken();
  }

  close(reason: CloseReason): void {
    this.ended = true;
    this.options.line.end(reason);
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.options.line.end();
  }

  private preludeOf({ events, pos }: SnapshotDelivery): readonly StreamEvent[] {
    const texts = events.flatMap((json) => this.rendered(json));
    if (!this.options.positions) return texts.map((json) => ({ json }));
    const last = texts.length - 1;
    return texts.map((json, nth) => ({ json, name: 'prelude', ...(nth === last && { id: pos }) }));
  }

  private deliverEvents(delivery: AguiDelivery): void {
    const { line, positions, until, render } = this.options;
    if (positions && until === undefined && render === undefined) return line.send(positioned(delivery));
    const events: StreamEvent[] = [];
    let step: StreamStep = 'on';
    for (const one of delivery.shown) {
      // Asked once an event, in order: who answers may be counting.
      step = until?.(one) ?? 'on';
      if (step === 'over') break;
      const texts = this.rendered(one.json);
      const id = positions ? { id: delivery.positionAfter(one) } : {};
      events.push(...texts.map((json, nth) => ({ json, ...(nth === texts.length - 1 && id) })));
      if (step === 'last') break;
    }
    line.send(events);
    if (step !== 'on') this.end();
  }

  private rendered(json: string): readonly string[] {
    return this.options.render === undefined ? [json] : this.options.render(json);
  }
}
