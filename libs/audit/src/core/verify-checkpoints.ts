/** Says whether checkpoints are genuine and all there, from the published keys alone. */
import { createLocalJWKSet, flattenedVerify, type JSONWebKeySet } from 'jose';
import { checkpointIn, claimText, type Checkpoint } from './checkpoint.js';
import type { Fault } from './fault.js';

export type CheckedCheckpoints =
  | { readonly ok: true; readonly checkpoints: readonly Checkpoint[] }
  | { readonly ok: false; readonly fault: Fault };

type KeySet = ReturnType<typeof createLocalJWKSet>;

const isGenuine = async (checkpoint: Checkpoint, keys: KeySet): Promise<boolean> => {
  const [head = '', , signature = ''] = checkpoint.jws.split('.');
  const payload = Buffer.from(claimText(checkpoint)).toString('base64url');
  try {
    await flattenedVerify({ protected: head, payload, signature }, keys, { algorithms: ['EdDSA'] });
    return true;
  } catch {
    // A wrong signature, no signature, or a key nobody published: none of them vouches for anything.
    return false;
  }
};

const follows = (before: Checkpoint | undefined, next: Checkpoint): boolean =>
  next.n === (before?.n ?? 0) + 1 &&
  next.previous === before?.jws &&
  next.seq > (before?.seq ?? 0) &&
  next.tenant === (before?.tenant ?? next.tenant);

/** Two writers of one checkpoint write the same line, and one that died left half of one. */
const distinct = (lines: Iterable<string>): Checkpoint[] => {
  const seen = new Set<string>();
  return [...lines].flatMap((line) => {
    const found = seen.has(line) ? undefined : checkpointIn(line);
    seen.add(line);
    return found ?? [];
  });
};

export const verifyCheckpoints = async (
  lines: Iterable<string>,
  jwks: JSONWebKeySet,
): Promise<CheckedCheckpoints> => {
  const keys = createLocalJWKSet(jwks);
  const checkpoints = distinct(lines);
  let before: Checkpoint | undefined;
  for (const checkpoint of checkpoints) {
    const { n, seq } = checkpoint;
    if (!(await isGenuine(checkpoint, keys)))
      return { ok: false, fault: { why: 'wrong-signature', seq, checkpoint: n } };
    if (!follows(before, checkpoint))
      return { ok: false, fault: { why: 'checkpoint-missing', seq, checkpoint: (before?.n ?? 0) + 1 } };
    before = checkpoint;
  }
  return { ok: true, checkpoints };
};
