/** Measures the true lag of a reader that tells how far it has come. */
import type { Position } from '@triptych/protocol';

/** Frames in flight that an acknowledgement can name; one beyond them is understood by the next one named. */
const MARKS_KEPT = 512;

export interface Acks {
  readonly delivered: number;
  readonly acked: number;
  readonly marks: readonly { readonly pos: Position; readonly delivered: number }[];
}

/** Counting starts with the first acknowledgement; what went before is taken as received. */
export const FIRST_ACK: Acks = { delivered: 0, acked: 0, marks: [] };

export const onDelivered = (acks: Acks, pos: Position, bytes: number): Acks => {
  const delivered = acks.delivered + bytes;
  return { ...acks, delivered, marks: [...acks.marks.slice(-MARKS_KEPT + 1), { pos, delivered }] };
};

export const onAcked = (acks: Acks, pos: Position): Acks => {
  const nth = acks.marks.findLastIndex((mark) => mark.pos === pos);
  const mark = acks.marks[nth];
  return mark === undefined ? acks : { ...acks, acked: mark.delivered, marks: acks.marks.slice(nth + 1) };
};

export const unacked = (acks: Acks): number => acks.delivered - acks.acked;
