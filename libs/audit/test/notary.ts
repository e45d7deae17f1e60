/** Makes notes, chains and checkpoints for tests, with a key of its own. */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import type { TrailNote } from '@triptych/protocol';
import { CompactSign, type JSONWebKeySet } from 'jose';
import { KEY_BYTES, NONCE_BYTES, type SubjectKey } from '../src/core/box.js';
import { START, type Head, type Link } from '../src/core/chain.js';
import { checkpointLine, claimText, nextClaim, type Checkpoint } from '../src/core/checkpoint.js';
import { link, recordIn, sealRecord } from '../src/core/sealed-record.js';

export const NOON = 1_800_000_000_000;

export const noteOf = (nth: number, over: Partial<TrailNote> = {}): TrailNote => ({
  tenant: 'acme',
  actor: { id: 'rita', role: 'reviewer', via: 'web' },
  action: 'task.approve',
  subject: { thread: 'thread-1', task: `task-${nth}` },
  before: { state: 'pending' },
  after: { state: 'decided', payload: { name: 'Amelia Hartmann', nth } },
  ip: '192.0.2.7',
  ...over,
});

export const aKey = (): SubjectKey => ({ id: randomUUID(), secret: randomBytes(KEY_BYTES) });

export class Notary {
  private readonly pair = generateKeyPairSync('ed25519');
  readonly kid = randomUUID();

  get jwks(): JSONWebKeySet {
    const { kty, crv, x } = this.pair.publicKey.export({ format: 'jwk' });
    return { keys: [{ kty: String(kty), crv: String(crv), x: String(x), kid: this.kid, alg: 'EdDSA' }] };
  }

  async sign(text: string): Promise<string> {
    const whole = await new CompactSign(Buffer.from(text))
      .setProtectedHeader({ alg: 'EdDSA', kid: this.kid })
      .sign(this.pair.privateKey);
    const [head, , signature] = whole.split('.');
    return `${head}..${signature}`;
  }

  async checkpoint(last: Checkpoint | undefined, { seq, hash }: Head, tenant = 'acme'): Promise<Checkpoint> {
    const claim = nextClaim(tenant, last, { seq, hash, at: NOON + seq });
    return { ...claim, jws: await this.sign(claimText(claim)) };
  }

  /** One after each of these records. */
  async lines(chain: readonly Link[], after: readonly number[]): Promise<string[]> {
    const lines: string[] = [];
    let last: Checkpoint | undefined;
    for (const seq of after) {
      last = await this.checkpoint(last, chain[seq - 1]!);
      lines.push(checkpointLine(last));
    }
    return lines;
  }
}

export const chainOf = (notes: readonly TrailNote[]): readonly Link[] => {
  const key = aKey();
  const locking = { about: key, from: key, nonce: () => randomBytes(NONCE_BYTES) };
  const links: Link[] = [];
  let head: Head = START;
  for (const [nth, note] of notes.entries()) {
    const waiting = { source: 's', id: `${NOON + nth}-0`, text: JSON.stringify(note) };
    head = link(head, sealRecord(head.seq + 1, recordIn('acme', waiting), locking));
    links.push(head as Link);
  }
  return links;
};

export async function* inPieces<T>(items: readonly T[], size = 7): AsyncIterable<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield await Promise.resolve(items.slice(at, at + size));
}

export async function* each<T>(items: readonly T[]): AsyncIterable<T> {
  for (const item of items) yield await Promise.resolve(item);
}
