/** Vouches for a chain up to a place: signed, kept elsewhere than the chain, each naming the signature before it. */
import { canonicalOf } from '@triptych/access';
import type { Head } from './chain.js';

/** After so many records there is one, and after so long where there are fewer (ms). */
export const CHECKPOINT_EVERY = 1_000;
export const CHECKPOINT_AFTER_MS = 60_000;

export interface Claim {
  readonly tenant: string;
  /** Numbers the checkpoints of a tenant, from 1. */
  readonly n: number;
  readonly seq: number;
  /** The hash of record `seq`. */
  readonly head: string;
  /** By the store's clock; Unix milliseconds. */
  readonly at: number;
  /** The signature of the checkpoint before; the first has none. */
  readonly previous?: string;
}

export interface Checkpoint extends Claim {
  /** Detached, over the canonical JSON of all other members. */
  readonly jws: string;
}

/** What is signed. */
export const claimText = ({ tenant, n, seq, head, at, previous }: Claim): string => {
  const text = canonicalOf({ tenant, n, seq, head, at, ...(previous === undefined ? {} : { previous }) });
  if (text === undefined) throw new Error(`Checkpoint ${n} has no canonical form.`);
  return text;
};

/** As it is kept: one line. */
export const checkpointLine = ({ jws, ...claim }: Checkpoint): string =>
  `${claimText(claim).slice(0, -1)},"jws":"${jws}"}`;

export const nextClaim = (
  tenant: string,
  last: Checkpoint | undefined,
  { seq, hash, at }: Head & { at: number },
): Claim => ({
  ...{ tenant, n: (last?.n ?? 0) + 1, seq, head: hash, at },
  ...(last ? { previous: last.jws } : {}),
});

/** Whether it is time for one. */
export const isDue = (last: Pick<Claim, 'seq' | 'at'> | undefined, { seq }: Head, now: number): boolean => {
  const { seq: covered, at } = last ?? { seq: 0, at: 0 };
  return seq - covered >= CHECKPOINT_EVERY || (seq > covered && now - at >= CHECKPOINT_AFTER_MS);
};

const MEMBERS = { tenant: 'string', n: 'number', seq: 'number', head: 'string', at: 'number', jws: 'string' };

/** undefined: this line is none. */
export const checkpointIn = (line: string): Checkpoint | undefined => {
  try {
    const found = JSON.parse(line) as Record<string, unknown>;
    const whole = Object.entries(MEMBERS).every(([name, type]) => typeof found[name] === type);
    return whole ? (found as unknown as Checkpoint) : undefined;
  } catch {
    // A line that was cut off when its writer died is written again behind it.
    return undefined;
  }
};
