/** Writes to a WebSocket what its session says and what its threads show. */
import type { Duplex } from 'node:stream';
import type { CloseReason } from '@triptych/protocol';
import { WebSocket } from 'ws';
import type { Delivery } from '../core/delivery.js';
import type { Reader } from '../core/reader.js';
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

const encodings = new WeakMap<Delivery, Encoded>();

/** Encoded once for all readers of a delivery: this, not the sending, is what fan-out costs. */
const encodedOf = (delivery: Delivery): Encoded => {
  const known = encodings.get(delivery);
  if (known !== undefined) return known;
  const encoded = encode(delivery.frame());
  encodings.set(delivery, encoded);
  return encoded;
};

export interface WsReaderOptions {
  readonly socket: WebSocket;
  /** The connection under the socket: ready-made frames are written to it past the library. */
  readonly raw?: Duplex;
  readonly onClose: (reason: CloseReason) => void;
}

export class WsReader implements Reader {
  private handed = 0;
  private readonly line: SlicedLine;
  private readonly raw: Duplex | undefined;

  constructor(private readonly options: WsReaderOptions) {
    const { socket } = options;
    this.line = new SlicedLine((slice, { last, done }) => {
      socket.send(slice, { binary: false, fin: last }, () => done());
    });
    // With an extension (compression) a frame is each reader's own.
    this.raw = socket.extensions === '' ? options.raw : undefined;
  }

  deliver(delivery: Delivery): void {
    this.write(encodedOf(delivery));
  }

  say(text: string): void {
    this.write(encode(text));
  }

  unsent(): number {
    return this.line.waiting + this.options.socket.bufferedAmount;
  }

  taken(): number {
    return this.handed - this.unsent();
  }

  close(reason: CloseReason): void {
    this.options.onClose(reason);
  }

  /** Drops what waits; true when a further text can still be understood. */
  abandon(): boolean {
    return this.line.abandon();
  }

  private write({ payload, framed }: Encoded): void {
    const { socket } = this.options;
    if (socket.readyState !== WebSocket.OPEN) return;
    this.handed += payload.length;
    if (!this.line.idle || isLarge(payload)) this.line.send(payload);
    else if (this.raw === undefined) socket.send(payload, { binary: false });
    else this.raw.write(framed);
  }
}
