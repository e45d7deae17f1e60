/** Tells an entry that holds a sealed record from one where something else is found in its place. */
import { sealedIn } from './opened-record.js';
import type { SealedRecord } from './sealed-record.js';
import type { Kept } from './sealed-trail.js';

/** Where record `seq` should be. What is found there is in exports. */
export interface Hole {
  readonly seq: number;
  readonly hole: true;
  /** When it was sealed, where that can still be read; Unix milliseconds. */
  readonly at?: number;
}

const HASH = /^[\da-f]{64}$/u;

/** A record that can be read may still be another than was sealed: that is for the chain to tell. */
export const readKept = ({ seq, text, hash, sealedAt }: Kept): SealedRecord | Hole => {
  const record = HASH.test(hash) ? sealedIn(text) : undefined;
  return record ?? { seq, hole: true, ...(Number.isFinite(sealedAt) ? { at: sealedAt } : {}) };
};

export const isHole = (found: SealedRecord | Hole): found is Hole => 'hole' in found;
