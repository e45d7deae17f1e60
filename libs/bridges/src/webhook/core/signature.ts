/** Signs what is sent, and judges what was, as Standard Webhooks says: over id, time and the exact bytes of the body. */
import { createHmac, sign, timingSafeEqual, verify } from 'node:crypto';
import { ok, refuse, type Result } from '@triptych/protocol';
import type { CheckingKey, SigningKey } from './keys.js';

export interface Message {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: Buffer;
}

export interface Signature {
  readonly scheme: string;
  readonly bytes: Buffer;
}

/** A message as it came, with what is said to prove who sent it. */
export interface SignedMessage extends Message {
  /** What all of its signatures are over. */
  readonly content: Buffer;
  readonly signatures: readonly Signature[];
}

export type SignatureHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Clocks of honest senders differ by less; what was caught on the way is of no use after it. */
export const MAX_SKEW_SECONDS = 300;
/** While keys rotate a sender has two or three. */
const MAX_SIGNATURES = 16;
/** Dots divide what is signed: an id that holds one could be read as another message. */
const ID = /^[\x21-\x2d\x2f-\x7e]{1,256}$/u;
const TIMESTAMP = /^[1-9]\d{0,11}$/u;

const contentOf = ({ id, timestamp, body }: Message): Buffer =>
  Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);

const macOf = (secret: Buffer, content: Buffer): Buffer =>
  createHmac('sha256', secret).update(content).digest();

const bytesBy = (key: SigningKey, content: Buffer): Buffer =>
  key.scheme === 'v1' ? macOf(key.secret, content) : sign(null, content, key.privateKey);

/** One signature a key, so that its receiver may know the old one or the new one. */
export const signatureHeader = (message: Message, keys: readonly SigningKey[]): string => {
  const content = contentOf(message);
  return keys.map((key) => `${key.scheme},${bytesBy(key, content).toString('base64')}`).join(' ');
};

const unauthenticated = (message: string): Result<never> => refuse('UNAUTHENTICATED', { message });

const signatureIn = (text: string): Signature => {
  const comma = text.indexOf(',');
  return { scheme: text.slice(0, comma), bytes: Buffer.from(text.slice(comma + 1), 'base64') };
};

export const readSigned = (headers: SignatureHeaders, body: Buffer): Result<SignedMessage> => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (typeof id !== 'string' || !ID.test(id)) return unauthenticated('webhook-id is missing or unusable.');
  if (typeof timestamp !== 'string' || !TIMESTAMP.test(timestamp))
    return unauthenticated('webhook-timestamp must be whole Unix seconds.');
  if (typeof signatures !== 'string') return unauthenticated('webhook-signature is missing.');
  const parts = signatures.split(' ').filter((part) => part.includes(','));
  if (parts.length === 0 || parts.length > MAX_SIGNATURES)
    return unauthenticated('webhook-signature holds no signature, or too many.');
  const message = { id, timestamp: Number(timestamp), body };
  return ok({ ...message, content: contentOf(message), signatures: parts.map(signatureIn) });
};

/** As far ahead is as bad as as far behind: a message from tomorrow could be kept until then. */
export const isTimely = ({ timestamp }: Message, now: number): boolean =>
  Math.abs(now / 1000 - timestamp) <= MAX_SKEW_SECONDS;

const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

export const isSignedWith = ({ content, signatures }: SignedMessage, key: CheckingKey): boolean => {
  const own = signatures.filter(({ scheme }) => scheme === key.scheme);
  if (own.length === 0) return false;
  if (key.scheme === 'v1a') return own.some(({ bytes }) => verify(null, content, key.publicKey, bytes));
  const mac = macOf(key.secret, content);
  return own.some(({ bytes }) => sameBytes(mac, bytes));
};
