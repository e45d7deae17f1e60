/** Reads a chain from its first record on and names the first that is not as it was sealed. */
import { GENESIS, linkHash } from './chain.js';
import type { Checkpoint } from './checkpoint.js';
import type { Fault } from './fault.js';

export interface Verified {
  readonly ok: true;
  readonly records: number;
  readonly head: string;
  /** The last record that a checkpoint vouches for. */
  readonly covered: number;
}

export type ChainVerdict = Verified | { readonly ok: false; readonly fault: Fault };

/** The members of a canonical record stand in one order, and no text in it can look like this. */
const SEQ = /"seq":(\d{1,16})[,}]/u;

const seqIn = (text: string): number | undefined => {
  const found = SEQ.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
};

export class ChainCheck {
  private seq = 0;
  private hash = GENESIS;
  private fault: Fault | undefined;
  private readonly vouched: ReadonlyMap<number, Checkpoint>;

  constructor(private readonly checkpoints: readonly Checkpoint[]) {
    this.vouched = new Map(checkpoints.map((checkpoint) => [checkpoint.seq, checkpoint]));
  }

  /** The next record as it is found: its text, and the hash beside it. */
  take(text: string, hash: string): void {
    const found = seqIn(text);
    if (this.fault) return this.lookFor(found);
    const expected = this.seq + 1;
    this.fault = this.faultOf(expected, found, { text, hash });
    if (this.fault) return;
    this.seq = expected;
    this.hash = hash;
  }

  end(): ChainVerdict {
    if (this.fault) return { ok: false, fault: this.fault };
    const last = this.checkpoints.at(-1);
    if (last && last.seq > this.seq)
      return { ok: false, fault: { why: 'cut-off', seq: this.seq + 1, checkpoint: last.n } };
    return { ok: true, records: this.seq, head: this.hash, covered: last?.seq ?? 0 };
  }

  private faultOf(
    seq: number,
    found: number | undefined,
    at: { text: string; hash: string },
  ): Fault | undefined {
    if (found === undefined) return { why: 'unreadable', seq };
    if (found !== seq) return { why: found > seq ? 'missing' : 'out-of-place', seq };
    if (linkHash(this.hash, at.text) !== at.hash) return { why: 'changed', seq };
    const checkpoint = this.vouched.get(seq);
    return checkpoint && checkpoint.head !== at.hash
      ? { why: 'rewritten', seq, checkpoint: checkpoint.n }
      : undefined;
  }

  /** What seemed to be missing and comes later was moved. */
  private lookFor(found: number | undefined): void {
    if (this.fault?.why === 'missing' && found === this.fault.seq)
      this.fault = { ...this.fault, why: 'out-of-place' };
  }
}
