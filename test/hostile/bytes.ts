/** Frames of RFC 6455 as nobody should write them, and sockets that take them as they are. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';

export interface Written {
  readonly fin?: boolean;
  readonly rsv?: number;
  readonly opcode: number;
  readonly masked?: boolean;
  readonly payload?: Buffer | string;
  /** What it says of its length, when that is not the truth. */
  readonly claims?: bigint;
}

const MASK = Buffer.from([1, 2, 3, 4]);

const lengthOf = (length: bigint, masked: boolean): Buffer => {
  const bit = masked ? 0x80 : 0;
  if (length <= 125n) return Buffer.from([bit | Number(length)]);
  if (length < 65_536n) return Buffer.from([bit | 126, Number(length >> 8n), Number(length & 0xffn)]);
  const long = Buffer.alloc(9);
  long[0] = bit | 127;
  long.writeBigUInt64BE(length, 1);
  return long;
};

export const frameOf = ({
  fin = true,
  rsv = 0,
  opcode,
  masked = true,
  payload = '',
  claims,
}: Written): Buffer => {
  const bytes = Buffer.from(payload as string);
  const said = masked ? bytes.map((byte, nth) => byte ^ (MASK[nth % 4] ?? 0)) : bytes;
  const first = Buffer.from([(fin ? 0x80 : 0) | (rsv << 4) | opcode]);
  const length = lengthOf(claims ?? BigInt(bytes.length), masked);
  return Buffer.concat([first, length, ...(masked ? [MASK] : []), said]);
};

export const [CONTINUED, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10] as const;

export const closeFrame = (code: number, reason: Buffer | string = ''): Buffer => {
  const payload = Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason as string)]);
  return frameOf({ opcode: CLOSE, payload });
};

interface Heard {
  readonly texts: readonly string[];
  /** Of its close frame; undefined: the connection ended without one. */
  readonly code: number | undefined;
}

interface Piece {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly end: number;
}

/** The frame that begins there, when all of it has come. */
const pieceAt = (all: Buffer, at: number): Piece | undefined => {
  if (at + 2 > all.length) return undefined;
  const opcode = (all[at] ?? 0) & 15;
  const short = (all[at + 1] ?? 0) & 127;
  const lengths: Readonly<Record<number, () => [number, number]>> = {
    126: () => [4, all.readUInt16BE(at + 2)],
    127: () => [10, Number(all.readBigUInt64BE(at + 2))],
  };
  if (short > 125 && at + 10 > all.length) return undefined;
  const [head, length] = lengths[short]?.() ?? [2, short];
  const end = at + head + length;
  return end > all.length ? undefined : { opcode, payload: all.subarray(at + head, end), end };
};

/** What a server wrote: whole frames, not masked. */
const readFrames = (all: Buffer): Heard => {
  const texts: string[] = [];
  for (let piece = pieceAt(all, 0); piece !== undefined; piece = pieceAt(all, piece.end)) {
    const { opcode, payload } = piece;
    if (opcode === CLOSE) return { texts, code: payload.length < 2 ? 1005 : payload.readUInt16BE(0) };
    if (opcode <= TEXT) texts.push(payload.toString());
  }
  return { texts, code: undefined };
};

/** Opens a socket by hand; it writes what it is given and hears all until the end. */
export const rawSocket = async (url: string, token: string, protocol: string) => {
  const asked = request(url, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-protocol': protocol,
      authorization: `Bearer ${token}`,
    },
  });
  asked.end();
  const [, socket, head] = (await once(asked, 'upgrade')) as [unknown, Socket, Buffer];
  const pieces = [head];
  socket.on('data', (bytes: Buffer) => {
    pieces.push(bytes);
    // A peer that hears good-bye hangs up, as the protocol has it.
    if (readFrames(Buffer.concat(pieces)).code !== undefined) socket.end();
  });
  // Who is thrown out may have had more to say.
  socket.on('error', () => undefined);
  const over = once(socket, 'close').then(() => readFrames(Buffer.concat(pieces)));
  return { write: (...frames: readonly Buffer[]) => frames.forEach((one) => socket.write(one)), over };
};
