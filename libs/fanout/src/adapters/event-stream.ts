/** Writes one surface of a thread as Server-Sent Events: with positions to come back by, or as a plain AG-UI stream. */
import type { ServerResponse } from 'node:http';
import type { CloseReason, Position } from '@triptych/protocol';
import type { AguiDelivery, Delivery, SnapshotDelivery } from '../core/delivery.js';
import type { Reader } from '../core/reader.js';
import { isStalled, progressStep, type Progress } from '../core/send-window.js';
import type { Shown } from '../core/shown.js';
import { SlicedLine } from '../shell/sliced-line.js';

/** Proxies close what is silent for 30 s or more. */
export const COMMENT_EVERY_MS = 15_000;

/** What an event means to a stream: it goes on, this was its last one, or it was over before. */
export type StreamStep = 'on' | 'last' | 'over';

export interface EventStreamOptions {
  readonly response: ServerResponse;
  /** With positions and marked preludes; without, one bare event a frame and nothing lost to a snapshot. */
  readonly positions: boolean;
  /** What an event becomes on this stream; itself when absent. */
  readonly render?: ((json: string) => readonly string[]) | undefined;
  /** Says where the stream ends. */
  readonly until?: ((shown: Shown) => StreamStep) | undefined;
  readonly now: number;
  /** The stream ends at this moment. */
  readonly expiresAt: number;
}

/** Line breaks in JSON text are space between tokens; in a stream they would end the field. */
const oneLine = (json: string): string => (/[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, ' ') : json);

interface FrameParts {
  readonly json: string;
  readonly id?: Position;
  readonly name?: string;
}

const frameOf = ({ json, id, name }: FrameParts): string =>
  `${name === undefined ? '' : `event: ${name}\n`}${id === undefined ? '' : `id: ${id}\n`}data: ${oneLine(json)}\n\n`;

export class EventStream implements Reader {
  readonly whole: boolean;
  private readonly line: SlicedLine;
  private handed = 0;
  private begun = false;
  private ended = false;
  private progress: Progress;
  private nextComment: number;

  constructor(private readonly options: EventStreamOptions) {
    const { response } = options;
    this.whole = !options.positions;
    this.progress = { taken: 0, at: options.now };
    this.nextComment = options.now + COMMENT_EVERY_MS;
    this.line = new SlicedLine((slice, { done }) => {
      response.write(slice, () => {
        done();
        if (this.ended && this.line.idle) response.end();
      });
    });
  }

  /** A replay continues what the reader has: there is no prelude to come. */
  begin(recovered: 'replay' | 'snapshot'): void {
    this.begun = recovered === 'replay';
  }

  deliver(delivery: Delivery): void {
    if (this.ended) return;
    // A stream cannot be told to start over: it ends, and the client comes back for the prelude.
    if (delivery.kind === 'snapshot' && this.begun) return this.end();
    this.begun = true;
    if (delivery.kind === 'snapshot') this.write(this.preludeText(delivery));
    else this.deliverEvents(delivery);
  }

  unsent(): number {
    return this.line.waiting + this.options.response.writableLength;
  }

  taken(): number {
    return this.handed - this.unsent();
  }

  close(reason: CloseReason): void {
    // Nobody reads any more: an orderly end would wait for them for ever.
    if (reason === 'SLOW') this.options.response.destroy();
    else this.end();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    if (this.line.idle) this.options.response.end();
  }

  /** Keeps the line open until its time is over, and lets go of one that takes nothing. */
  beat(now: number): void {
    this.progress = progressStep(this.progress, { taken: this.taken(), unsent: this.unsent(), at: now });
    if (isStalled(this.progress, now)) return this.close('SLOW');
    if (now >= this.options.expiresAt) return this.end();
    if (this.ended || now < this.nextComment) return;
    this.nextComment = now + COMMENT_EVERY_MS;
    this.write(': hb\n\n');
  }

  private write(text: string): void {
    if (text === '') return;
    const bytes = Buffer.from(text);
    this.handed += bytes.length;
    this.line.send(bytes);
  }

  private preludeText({ events, pos }: SnapshotDelivery): string {
    const texts = events.flatMap((json) => this.rendered(json));
    if (!this.options.positions) return texts.map((json) => frameOf({ json })).join('');
    const last = texts.length - 1;
    return texts
      .map((json, nth) => frameOf({ json, name: 'prelude', ...(nth === last && { id: pos }) }))
      .join('');
  }

  private deliverEvents(delivery: AguiDelivery): void {
    const { positions, until } = this.options;
    const frames: string[] = [];
    let step: StreamStep = 'on';
    for (const one of delivery.shown) {
      // Asked once an event, in order: who answers may be counting.
      step = until?.(one) ?? 'on';
      if (step === 'over') break;
      const texts = this.rendered(one.json);
      const id = positions ? { id: delivery.positionAfter(one) } : {};
      frames.push(...texts.map((json, nth) => frameOf({ json, ...(nth === texts.length - 1 && id) })));
      if (step === 'last') break;
    }
    this.write(frames.join(''));
    if (step !== 'on') this.end();
  }

  private rendered(json: string): readonly string[] {
    return this.options.render === undefined ? [json] : this.options.render(json);
  }
}
