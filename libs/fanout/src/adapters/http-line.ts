/** Writes a stream as the body of an HTTP response. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CloseReason } from '@triptych/protocol';
import { onceEach } from '../core/once-each.js';
import type { Clock } from '../core/ports.js';
import { isStalled, progressStep, type Progress } from '../core/send-window.js';
import type { StreamEvent, StreamLine } from '../core/stream-line.js';
import type { Pulse } from '../shell/pulse.js';
import { SLICE_BYTES, SlicedLine } from '../shell/sliced-line.js';
import type { StreamEncoding } from './stream-encodings.js';

/** Proxies close what is silent for 30 s or more. */
const SIGN_EVERY_MS = 15_000;

export interface LineTools {
  readonly pulse: Pulse;
  readonly clock: Clock;
  /** When the reader's token ends, and the stream with it; Unix milliseconds. */
  readonly expiresAt: number;
}

export interface HttpLineOptions extends LineTools {
  readonly response: ServerResponse;
  readonly encoding: StreamEncoding;
}

const HEADERS = {
  'cache-control': 'no-cache, no-transform',
  // Some proxies hold streams back unless told not to.
  'x-accel-buffering': 'no',
};

/** As a body of unknown length carries it; the same bytes for every response. */
const chunkOf = onceEach((bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
);

class HttpLine implements StreamLine {
  private readonly slices: SlicedLine;
  private handed = 0;
  private ended = false;
  /** More may wait than the connection likes to hold. */
  private clogged = false;
  /** Present when the body is in chunks: ready-made ones are written to it past the response. */
  private connection: Socket | undefined;
  private progress: Progress;
  private nextSign: number;

  constructor(private readonly options: HttpLineOptions) {
    const { response, clock } = options;
    const now = clock.now();
    this.progress = { taken: 0, at: now };
    this.nextSign = now + SIGN_EVERY_MS;
    this.slices = new SlicedLine((slice, { done }) => {
      response.write(slice, () => {
        done();
        if (this.ended && this.slices.idle) response.end();
      });
    });
  }

  get closed(): boolean {
    const { response } = this.options;
    return response.closed || response.destroyed;
  }

  onceClosed(hear: () => void): void {
    if (this.closed) hear();
    else this.options.response.once('close', hear);
  }

  open(recovered?: 'replay' | 'snapshot'): void {
    const { response, encoding, pulse } = this.options;
    const told = recovered === undefined ? {} : { 'hub-recovered': recovered };
    response.writeHead(200, { ...HEADERS, 'content-type': encoding.contentType, ...told });
    response.flushHeaders();
    // Its reader may have lost the right to it in between.
    if (this.ended) return void response.end();
    if (response.chunkedEncoding) this.connection = response.socket ?? undefined;
    this.onceClosed(pulse.add((now) => this.beat(now)));
  }

  send(events: readonly StreamEvent[]): void {
    if (!this.ended) this.write(this.options.encoding.encode(events));
  }

  clear(): boolean {
    if (this.clogged) this.clogged = !this.slices.idle || this.unsent() > 0;
    return !this.clogged;
  }

  unsent(): number {
    return this.slices.waiting + this.options.response.writableLength;
  }

  taken(): number {
    return this.handed - this.unsent();
  }

  end(reason?: CloseReason): void {
    const { response } = this.options;
    // Nobody reads any more: an orderly end would wait for them for ever.
    if (reason === 'SLOW') response.destroy();
    if (this.ended) return;
    this.ended = true;
    // What waits is not for a reader who was let go of.
    if (reason !== undefined) this.slices.abandon();
    if (this.slices.idle && response.headersSent) response.end();
  }

  /** Keeps the line open until its time is over, and lets go of one that takes nothing. */
  private beat(now: number): void {
    this.progress = progressStep(this.progress, { taken: this.taken(), unsent: this.unsent(), at: now });
    if (isStalled(this.progress, now)) return this.end('SLOW');
    if (now >= this.options.expiresAt) return this.end('UNAUTHENTICATED');
    const { sign } = this.options.encoding;
    if (this.ended || sign === undefined || now < this.nextSign) return;
    this.nextSign = now + SIGN_EVERY_MS;
    this.write(sign);
  }

  private write(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.handed += bytes.length;
    this.clogged = !this.put(bytes);
  }

  /** True when it was taken at once, or nearly. */
  private put(bytes: Buffer): boolean {
    if (this.connection !== undefined && bytes.length < SLICE_BYTES && this.clear())
      return this.connection.write(chunkOf(bytes));
    this.slices.send(bytes);
    return false;
  }
}

export const httpLine = (options: HttpLineOptions): StreamLine => new HttpLine(options);
