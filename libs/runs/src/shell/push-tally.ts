/** Counts what became of the events of one push. */
import { refuse, type Result } from '@triptych/protocol';
import type { KnownProducer, PushAnswer, PushRequest } from '../core/push-batch.js';
import type { PushMark } from '../core/push-store.js';

export interface PushFault {
  readonly rule: string;
  readonly message: string;
  readonly pointer?: string;
}

/** One write: so many further events are dealt with by it. */
export interface Made {
  readonly count: number;
  readonly run: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** As the store knew it. */
  readonly known: KnownProducer | undefined;
  /** Why they are not stored. */
  readonly fault?: PushFault | undefined;
}

export class PushTally {
  accepted = 0;
  duplicates = 0;
  buffered = 0;
  refused = 0;
  /** The first event that was no legal one. */
  fault: { readonly at: number; readonly what: PushFault } | undefined;
  /** Nothing hangs on it any more: what cannot be taken is kept as refused, and ends no run. */
  readonly isLate: boolean = false;

  constructor(readonly request: PushRequest) {}

  /** Events of this push that are dealt with. */
  get done(): number {
    return this.accepted + this.duplicates + this.buffered + this.refused;
  }

  /** Of all that was sent together. */
  get acceptedInAll(): number {
    return this.accepted;
  }

  /** So many at the beginning are stored, whoever stored them. */
  knownUpTo(known: number): void {
    this.duplicates += Math.max(0, known - this.done);
  }

  faulty(what: PushFault): void {
    this.fault ??= { at: this.done, what };
  }

  /** Into the body that was sent. */
  pointerTo(nth: number, within = ''): string {
    const event = this.request.items[nth]?.position === undefined ? '' : '/event';
    return `${this.request.at}/${nth}${event}${within}`;
  }

  /** What the write says of whoever sent the events. */
  marking({ count, run, at }: Made): Pick<PushMark, 'producer' | 'order'> {
    const { id, epoch, seq } = this.request.producer;
    return { producer: { id, known: { epoch, last: seq + this.done + count - 1, run, at } } };
  }

  answer(pos: string): Result<PushAnswer> {
    const { accepted, duplicates, buffered, refused, fault } = this;
    if (fault) {
      const { rule, message, pointer } = fault.what;
      const details = { pointer: this.pointerTo(fault.at, pointer), rule, accepted };
      return refuse('INVALID_INPUT', { message, details });
    }
    return {
      ok: true,
      value: { accepted, duplicates, buffered, pos, ...(refused > 0 ? { refused } : {}) },
    };
  }
}
