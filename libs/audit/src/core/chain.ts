/** Links records into a chain: each hash covers the one before it, so that no record can change, go or come unseen. */
import { hash } from 'node:crypto';

const HASH_BYTES = 32;

/** What the first record of a tenant is linked to; hex, as all hashes here. */
export const GENESIS = '0'.repeat(2 * HASH_BYTES);

/** SHA-256 over the 32 bytes of the hash before and the record's canonical text in UTF-8. In one call: a million take half the time. */
export const linkHash = (before: string, text: string): string =>
  hash('sha256', Buffer.concat([Buffer.from(before, 'hex'), Buffer.from(text)]));

export interface Link {
  readonly seq: number;
  /** The record as canonical JSON (RFC 8785). */
  readonly text: string;
  readonly hash: string;
}

/** Where a tenant's chain ends. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

export const START: Head = { seq: 0, hash: GENESIS };
