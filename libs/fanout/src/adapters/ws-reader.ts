/** Writes to a WebSocket what its session says and what its threads show. */
import type { Duplex } from 'node:stream';
import type { CloseReason } from '@triptych/protocol';
import { WebSocket } from 'ws';
import type { Delivery } from '../core/delivery.js';
import { onceEach } from '../core/once-each.js';
import type { Reader } from '../core/reader.js';
import type { Said } from '../core/said.js';
import { Reworded, type Words } from '../core/reworded.js';
import { SLICE_BYTES, SlicedLine } from '../shell/sliced-line.js';

interface Encoded {
  readonly payload: Buffer;
  /** Payload behind its frame header, the same bytes for every reader. */
  readonly framed: Buffer;
}

const isLarge = (payload: Buffer): boolean => payload.length >= SLICE_BYTES;

/** A whole text message in one frame, not masked: what a server sends. */
const FINAL_TEXT = 0x81;
const MAX_SHORT = 125;
const TWO_MORE_BYTES = 126;

/** Only for payloads below 64 KiB; {@link SLICE_BYTES} keeps the others away. */
const headerFor = (length: number): Buffer => {
  if (length <= MAX_SHORT) return Buffer.from([FINAL_TEXT, length]);
  return Buffer.from([FINAL_TEXT, TWO_MORE_BYTES, length >> 8, length & 0xff]);
};

const encode = (text: string): Encoded => {
  const payload = Buffer.from(text);
  // Large ones are written in slices and get a header a slice.
  const framed = isLarge(payload) ? payload : Buffer.concat([headerFor(payload.length), payload]);
  return { payload, framed };
};

/** Encoded once for all readers of a delivery. */
const encodedOf = onceEach((delivery: Delivery) => encode(delivery.frame()));

const saidAs = onceEach((said: Said) => encode(said.text));

export interface WsReaderOptions {
  /** Whoever lets it in hears its errors: without a listener they end the process. */
  readonly socket: WebSocket;
  /** The connection under the socket (`request.socket`): ready-made frames are written to it past the library. */
  readonly raw?: Duplex;
  readonly onClose: (reason: CloseReason) => void;
  /** Who holds it. */
  readonly subject?: string;
  /** Without them it is told what all others are, encoded once. */
  readonly words?: Words | undefined;
}

export class WsReader implements Reader {
  readonly who: string | undefined;
  private handed = 0;
  /** More may wait than the connection likes to hold. */
  private clogged = false;
  /** Made for the first large payload; most readers never get one. */
  private line: SlicedLine | undefined;
  private readonly socket: WebSocket;
  private readonly raw: Duplex | undefined;
  private readonly own: Reworded | undefined;
  private readonly onClose: (reason: CloseReason) => void;

  constructor({ socket, raw, onClose, subject, words }: WsReaderOptions) {
    this.who = subject;
    this.socket = socket;
    // With an extension (compression) a frame is each reader's own.
    this.raw = socket.extensions === '' ? raw : undefined;
    this.own = words && new Reworded(words);
    this.onClose = onClose;
  }

  deliver(delivery: Delivery): void {
    this.write(this.own ? encode(this.own.frameOf(delivery)) : encodedOf(delivery));
  }

  /** Only who did not take the last write at once is asked what waits: of thousands of connections that costs. */
  pour(delivery: Delivery): boolean {
    if (this.clogged && this.unsent() > 0) return false;
    this.deliver(delivery);
    return true;
  }

  say(text: string): void {
    this.write(encode(text));
  }

  /** Encoded once for all who are told. */
  tell(said: Said): void {
    this.write(saidAs(said));
  }

  unsent(): number {
    // Without an extension the library holds nothing back: what waits is in the connection.
    const inSocket = this.raw === undefined ? this.socket.bufferedAmount : this.raw.writableLength;
    return this.line === undefined ? inSocket : inSocket + this.line.waiting;
  }

  taken(): number {
    return this.handed - this.unsent();
  }

  close(reason: CloseReason): void {
    this.onClose(reason);
  }

  /** Drops what waits; true when a further text can still be understood. */
  abandon(): boolean {
    return this.line?.abandon() ?? true;
  }

  private write({ payload, framed }: Encoded): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.handed += payload.length;
    this.clogged = !this.put({ payload, framed });
  }

  /** True when it was taken at once, or nearly. */
  private put({ payload, framed }: Encoded): boolean {
    if (isLarge(payload) || this.line?.idle === false) this.inSlices(payload);
    else if (this.raw === undefined) this.socket.send(payload, { binary: false });
    else return this.raw.write(framed);
    return false;
  }

  private inSlices(payload: Buffer): void {
    this.line ??= new SlicedLine((slice, { last, done }) => {
      this.socket.send(slice, { binary: false, fin: last }, () => done());
    });
    this.line.send(payload);
  }
}
