/** Reads what an append announces on the channel of its thread. */
import { type Batch, type StoredText, batchFrom, sourceOf } from './batch.js';

export type Announcement =
  | { readonly kind: 'batch'; readonly epoch: string; readonly batch: Batch }
  /** Too big to be carried: read the log up to `last`. */
  | { readonly kind: 'pointer'; readonly epoch: string; readonly last: number }
  | { readonly kind: 'rotated'; readonly epoch: string };

const NEWLINE = 0x0a;
/** `a123` an agent's event of 123 bytes, `h12r45` the hub's with 45 bytes of raw text. */
const SHAPE = /^([ah])(\d+)(?:r(\d+))?$/;

const textsOf = (shapes: string, body: Buffer): StoredText[] => {
  let from = 0;
  const take = (length: number): string => body.toString('utf8', from, (from += length));
  return shapes.split(',').map((shape) => {
    const [, letter, json, raw] = SHAPE.exec(shape) ?? [];
    if (letter === undefined) throw new Error(`An append announced an unknown shape: ${shape}`);
    const text = { source: sourceOf(letter), json: take(Number(json)) };
    return raw === undefined ? text : { ...text, raw: take(Number(raw)) };
  });
};

/** Lengths are in bytes, so the message must not be decoded before it is cut. */
export const readAnnouncement = (message: Buffer): Announcement => {
  const end = message.indexOf(NEWLINE);
  const header = message.toString('utf8', 0, end === -1 ? message.length : end).split(' ');
  const [kind, epoch = '', first, last, at, shapes = ''] = header;
  switch (kind) {
    case 'b':
      return {
        kind: 'batch',
        epoch,
        batch: batchFrom(Number(first), Number(at), textsOf(shapes, message.subarray(end + 1))),
      };
    case 'p':
      return { kind: 'pointer', epoch, last: Number(last) };
    case 'r':
      return { kind: 'rotated', epoch };
    default:
      throw new Error(`An append announced something unknown: ${String(kind)}`);
  }
};
