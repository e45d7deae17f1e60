/** A WebSocket client on a bare connection: cheap enough that thousands of them do not hide what the server costs. */
import { connect } from 'node:net';

const [CONTINUATION, TEXT, CLOSE, PING] = [0x0, 0x1, 0x8, 0x9];
const FINAL = 0x80;
/** Frames of a client are masked; a mask of zeros leaves the payload as it is. */
const MASKED = 0x80;
const NO_MASK = Buffer.alloc(4);

const clientFrame = (opcode, payload) => {
  const { length } = payload;
  const size = length < 126 ? [MASKED | length] : [MASKED | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([FINAL | opcode, ...size]), NO_MASK, payload]);
};

/** The first frame of `bytes`: `{opcode, final, payload, end}`; undefined while it is not there as a whole. */
const firstFrame = (bytes, from) => {
  if (bytes.length < from + 2) return undefined;
  let length = bytes[from + 1] & 0x7f;
  let start = from + 2;
  if (length === 126) start += 2;
  if (length === 127) start += 8;
  if (bytes.length < start) return undefined;
  if (length === 126) length = bytes.readUInt16BE(from + 2);
  if (length === 127) length = Number(bytes.readBigUInt64BE(from + 2));
  if (bytes.length < start + length) return undefined;
  const payload = bytes.subarray(start, start + length);
  return { opcode: bytes[from] & 0x0f, final: bytes[from] >= FINAL, payload, end: start + length };
};

const upgradeRequest = ({ path, protocols = [] }) =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...(protocols.length > 0 ? [`Sec-WebSocket-Protocol: ${protocols.join(', ')}`] : []),
    '\r\n',
  ].join('\r\n');

export class WsWire {
  #rest = Buffer.alloc(0);
  #pieces = [];
  #upgraded = false;

  /** `on`: what to call on `open`, with each whole `text` (its bytes), and on `closed` with why. */
  constructor({ port, path, protocols }, on) {
    this.on = on;
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.write(upgradeRequest({ path, protocols }));
    this.socket.on('data', (bytes) => this.#take(bytes));
    this.socket.on('error', (error) => this.on.closed(error.message));
    this.socket.on('close', () => this.on.closed('closed'));
  }

  send(value) {
    this.socket.write(clientFrame(TEXT, Buffer.from(value)));
  }

  end() {
    this.on = { open() {}, text() {}, closed() {} };
    this.socket.destroy();
  }

  #take(bytes) {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    if (!this.#upgraded && !this.#upgrade()) return;
    let from = 0;
    for (let frame = firstFrame(this.#rest, 0); frame; frame = firstFrame(this.#rest, from)) {
      from = frame.end;
      this.#hear(frame);
    }
    this.#rest = this.#rest.subarray(from);
  }

  #upgrade() {
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end === -1) return false;
    const status = this.#rest.toString('latin1', 0, this.#rest.indexOf('\r\n'));
    if (!status.includes(' 101 ')) {
      this.on.closed(status);
      return false;
    }
    this.#upgraded = true;
    this.#rest = this.#rest.subarray(end + 4);
    this.on.open();
    return true;
  }

  #hear({ opcode, final, payload }) {
    if (opcode === PING) this.socket.write(clientFrame(0xa, payload));
    if (opcode === CLOSE) this.on.closed(`closed with ${payload.readUInt16BE(0)}`);
    if (opcode !== TEXT && opcode !== CONTINUATION) return;
    if (final && this.#pieces.length === 0) return this.on.text(payload);
    this.#pieces.push(Buffer.from(payload));
    if (final) this.on.text(Buffer.concat(this.#pieces.splice(0)));
  }
}
