/** The port to what is sealed, for those who read it. */
import type { Head, Link } from './chain.js';
import type { Secrets } from './opened-record.js';

export interface Kept extends Link {
  /** When it was sealed; no record that came before it in the chain was sealed later. */
  readonly sealedAt: number;
}

export interface SealedTrail {
  head(tenant: string): Promise<Head>;
  /** Records behind `seq`, in order. */
  after(tenant: string, seq: number, limit: number): Promise<readonly Kept[]>;
  /** Records before `seq`, the last first. */
  before(tenant: string, seq: number, limit: number): Promise<readonly Kept[]>;
  secrets(tenant: string, keys: readonly string[]): Promise<Secrets>;
  /** The id of a subject's key, if there is one. */
  keyOf(tenant: string, subject: string): Promise<string | undefined>;
  /** Forgets the key of a subject: what it locked stays, and nobody can read it. */
  dropKey(tenant: string, subject: string): Promise<void>;
}
