/** Reads the keys of Standard Webhooks from their text: a shared secret, or one half of an Ed25519 pair. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

export type SigningKey =
  | { readonly scheme: 'v1'; readonly secret: Buffer }
  | { readonly scheme: 'v1a'; readonly privateKey: KeyObject };

export type CheckingKey =
  | { readonly scheme: 'v1'; readonly secret: Buffer }
  | { readonly scheme: 'v1a'; readonly publicKey: KeyObject };

/** As the specification bounds them: below a secret can be searched, above it is hashed down. */
const SECRET_BYTES = { least: 24, most: 64 };
const SEED_BYTES = 32;
/** A seed with its public half behind it, as some tools write it. */
const PAIR_BYTES = 64;
const PUBLIC_BYTES = 32;
/** What stands before the 32 bytes in PKCS #8 and in SubjectPublicKeyInfo (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;

/** Node reads over what is no base64; a mistyped key must not become another one. */
const bytesAfter = (prefix: string, text: string): Buffer | undefined => {
  const rest = text.slice(prefix.length);
  return text.startsWith(prefix) && BASE64.test(rest) ? Buffer.from(rest, 'base64') : undefined;
};

const readSecret = (text: string): Buffer | undefined => {
  const secret = bytesAfter('whsec_', text);
  return secret && secret.length >= SECRET_BYTES.least && secret.length <= SECRET_BYTES.most
    ? secret
    : undefined;
};

const readPrivate = (text: string): KeyObject | undefined => {
  const bytes = bytesAfter('whsk_', text);
  if (bytes?.length !== SEED_BYTES && bytes?.length !== PAIR_BYTES) return undefined;
  const key = Buffer.concat([PKCS8_HEAD, bytes.subarray(0, SEED_BYTES)]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
};

const readPublic = (text: string): KeyObject | undefined => {
  const bytes = bytesAfter('whpk_', text);
  if (bytes?.length !== PUBLIC_BYTES) return undefined;
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, bytes]), format: 'der', type: 'spki' });
};

/** `whsec_…` or `whsk_…`; undefined: it is neither. */
export const readSigningKey = (text: string): SigningKey | undefined => {
  const secret = readSecret(text);
  if (secret) return { scheme: 'v1', secret };
  const privateKey = readPrivate(text);
  return privateKey && { scheme: 'v1a', privateKey };
};

/** `whsec_…` or `whpk_…`; undefined: it is neither. */
export const readCheckingKey = (text: string): CheckingKey | undefined => {
  const secret = readSecret(text);
  if (secret) return { scheme: 'v1', secret };
  const publicKey = readPublic(text);
  return publicKey && { scheme: 'v1a', publicKey };
};

/** While keys are exchanged for others there are two or three. */
const MAX_SECRETS = 5;

/** Each is read when the file is, so that a mistyped one stops the start and not the first message. */
export const secretsRead = (read: (text: string) => unknown, forms: string) =>
  z
    .array(z.string().refine((value) => read(value) !== undefined, `must be ${forms}, and Base64`))
    .min(1, 'must hold at least one secret')
    .max(MAX_SECRETS);
