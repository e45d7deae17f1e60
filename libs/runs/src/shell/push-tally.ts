/** Counts what became of the events of one push. */
import { refuse, type Result } from '@triptych/protocol';
import type { PushAnswer, PushRequest } from '../core/push-batch.js';

export interface PushFault {
  readonly rule: string;
  readonly message: string;
  readonly pointer?: string;
}

export class PushTally {
  accepted = 0;
  duplicates = 0;
  refused = 0;
  /** The first event that was no legal one. */
  fault: { readonly at: number; readonly what: PushFault } | undefined;

  constructor(readonly request: PushRequest) {}

  /** Events of this push that are dealt with. */
  get done(): number {
    return this.accepted + this.duplicates + this.refused;
  }

  /** So many at the beginning are stored, whoever stored them. */
  knownUpTo(known: number): void {
    this.duplicates += Math.max(0, known - this.done);
  }

  faulty(what: PushFault): void {
    this.fault ??= { at: this.done, what };
  }

  answer(pos: string): Result<PushAnswer> {
    const { accepted, duplicates, refused, fault } = this;
    if (fault) {
      const { rule, message, pointer = '' } = fault.what;
      return refuse('INVALID_INPUT', {
        message,
        details: { pointer: `${this.request.at}/${fault.at}${pointer}`, rule, accepted },
      });
    }
    return {
      ok: true,
      value: { accepted, duplicates, buffered: 0, pos, ...(refused > 0 ? { refused } : {}) },
    };
  }
}
