/** Seals the place of a reader into an opaque position, and opens it again. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  timingSafeEqual,
} from 'node:crypto';
import { asPosition, type Position, type Surface, type ThreadId } from '@triptych/protocol';
import { LAST_INDEX, samePlace, START, type Place } from './place.js';

/** Where a reader stands, in the clear. */
export interface Standing {
  readonly thread: ThreadId;
  readonly epoch: string;
  readonly policyVersion: string;
  readonly place: Place;
}

export interface OpenedPosition {
  readonly epoch: string;
  /** {@link policyMark} of the version it was sealed under; the operator's position has none. */
  readonly policyMark?: string;
  readonly place: Place;
}

export interface PositionCodec {
  seal(surface: Surface, standing: Standing): Position;
  /** Undefined for anything that was not sealed here for this surface of this thread. */
  open(surface: Surface, thread: ThreadId, position: string): OpenedPosition | undefined;
}

const EPOCH_BYTES = 4;
const POLICY_BYTES = 6;
const SEQ_BYTES = 6;
const INDEX_BYTES = 4;
const PLAIN_BYTES = EPOCH_BYTES + POLICY_BYTES + SEQ_BYTES + INDEX_BYTES;
const IV_BYTES = 16;
/** 36 bytes are 48 characters without padding: every position has this length, so length tells nothing. */
const SEALED = /^[A-Za-z0-9_-]{48}$/;
const READABLE = /^([0-9a-f]{8}):(0|[1-9][0-9]{0,15})$/;
/** A log that was never written has no epoch yet. */
const NO_EPOCH = '00000000';

const epochHex = (epoch: string): string => {
  if (epoch === '') return NO_EPOCH;
  if (!/^[0-9a-f]{8}$/.test(epoch)) throw new Error('An epoch is 8 hex digits.');
  return epoch;
};

/** Six bytes of a hash: two versions never meet by accident, and no version's name leaves the hub. */
export const policyMark = (version: string): string =>
  createHash('sha256')
    .update(version)
    .digest('hex')
    .slice(0, POLICY_BYTES * 2);

/** Everything sealed between two changes of the policy has the same mark. */
const markOnce = (): ((version: string) => string) => {
  let latest = { version: '', mark: policyMark('') };
  return (version) => {
    if (latest.version !== version) latest = { version, mark: policyMark(version) };
    return latest.mark;
  };
};

const pack = (standing: Standing, mark: string): Buffer => {
  const plain = Buffer.alloc(PLAIN_BYTES);
  plain.write(epochHex(standing.epoch), 0, 'hex');
  plain.write(mark, EPOCH_BYTES, 'hex');
  plain.writeUIntBE(standing.place.seq, EPOCH_BYTES + POLICY_BYTES, SEQ_BYTES);
  plain.writeUInt32BE(standing.place.index, PLAIN_BYTES - INDEX_BYTES);
  return plain;
};

const unpack = (plain: Buffer): OpenedPosition => ({
  epoch: plain.toString('hex', 0, EPOCH_BYTES),
  policyMark: plain.toString('hex', EPOCH_BYTES, EPOCH_BYTES + POLICY_BYTES),
  place: {
    seq: plain.readUIntBE(EPOCH_BYTES + POLICY_BYTES, SEQ_BYTES),
    index: plain.readUInt32BE(PLAIN_BYTES - INDEX_BYTES),
  },
});

/** Who saw nothing stands at the same place in every log and under every policy. */
const settled = (standing: Standing): Standing =>
  samePlace(standing.place, START) ? { ...standing, epoch: NO_EPOCH, policyVersion: '' } : standing;

const readable = ({ epoch, place }: Standing): Position => asPosition(`${epochHex(epoch)}:${place.seq}`);

const openReadable = (position: string): OpenedPosition | undefined => {
  const [, epoch, digits] = READABLE.exec(position) ?? [];
  const seq = Number(digits);
  if (epoch === undefined || !Number.isSafeInteger(seq)) return undefined;
  return { epoch, place: { seq, index: seq === 0 ? 0 : LAST_INDEX } };
};

/**
 * The vector is a keyed hash of everything the position says and is bound to, so the same place always has the same
 * position, on every instance, and a changed byte opens to nothing.
 */
export const positionCodec = (secret: Buffer): PositionCodec => {
  const keyFor = (use: string) => createSecretKey(createHmac('sha256', secret).update(use).digest());
  const hashKey = keyFor('position/hash');
  const cipherKey = keyFor('position/cipher');
  const markOf = markOnce();
  const vectorOf = (surface: Surface, thread: ThreadId, plain: Buffer): Buffer =>
    createHmac('sha256', hashKey)
      .update(`${surface}\0${thread}\0`)
      .update(plain)
      .digest()
      .subarray(0, IV_BYTES);

  const openSealed = (surface: Surface, thread: ThreadId, position: string): OpenedPosition | undefined => {
    if (!SEALED.test(position)) return undefined;
    const bytes = Buffer.from(position, 'base64url');
    const vector = bytes.subarray(0, IV_BYTES);
    const plain = createDecipheriv('aes-256-ctr', cipherKey, vector).update(bytes.subarray(IV_BYTES));
    return timingSafeEqual(vector, vectorOf(surface, thread, plain)) ? unpack(plain) : undefined;
  };

  return {
    seal: (surface, standing) => {
      if (surface === 'operator') return readable(settled(standing));
      const at = settled(standing);
      const plain = pack(at, markOf(at.policyVersion));
      const vector = vectorOf(surface, standing.thread, plain);
      const cipher = createCipheriv('aes-256-ctr', cipherKey, vector);
      return asPosition(Buffer.concat([vector, cipher.update(plain)]).toString('base64url'));
    },
    open: (surface, thread, position) =>
      surface === 'operator' ? openReadable(position) : openSealed(surface, thread, position),
  };
};
