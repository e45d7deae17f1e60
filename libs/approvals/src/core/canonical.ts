/** Hashes values by their canonical JSON (RFC 8785). */
import { createHash } from 'node:crypto';
import { canonicalOf } from '@triptych/access';

const SHORT_NAME_LENGTH = 22;

/** RFC 8785; the value must have such a form. */
export const canonicalText = (value: unknown): string => {
  const text = canonicalOf(value);
  if (text === undefined) throw new Error('This value has no canonical form.');
  return text;
};

/** SHA-256 (hex) over the canonical form, which must exist. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalText(value)).digest('hex');

/** A short name that is the same whenever it is taken of the same value. */
export const shortNameOf = (value: unknown): string =>
  createHash('sha256').update(canonicalText(value)).digest('base64url').slice(0, SHORT_NAME_LENGTH);

/** Replaces lone surrogates, which neither UTF-8 nor a canonical form can hold. */
export const wellFormed = (text: string): string => text.replace(/[\ud800-\udfff]/gu, '\ufffd');
