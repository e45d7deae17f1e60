/** Checks that a request is Slack's: its MAC over the very bytes that came, of this very time. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuse, ok, type Result } from '@triptych/protocol';

/** Seconds that Slack's clock and ours may be apart, either way: a captured request is worth nothing after that. */
export const MAX_SKEW_SECONDS = 300;

const SIGNATURE = /^v0=([0-9a-f]{64})$/u;
const SECONDS = /^\d{1,12}$/u;

export interface Signed {
  /** As they came: one byte re-encoded is another text. */
  readonly body: Uint8Array;
  readonly timestamp: unknown;
  readonly signature: unknown;
}

export interface SignedFor {
  /** Several while one is replaced by another. */
  readonly secrets: readonly string[];
  /** Unix milliseconds. */
  readonly now: number;
}

const refused = (message: string): Result<never> => refuse('UNAUTHENTICATED', { message });

export const macOf = (secret: string, timestamp: string, body: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest();

export const checkSignature = (
  { body, timestamp, signature }: Signed,
  { secrets, now }: SignedFor,
): Result<true> => {
  if (typeof timestamp !== 'string' || !SECONDS.test(timestamp)) return refused('The request says no time.');
  if (Math.abs(Math.floor(now / 1_000) - Number(timestamp)) > MAX_SKEW_SECONDS)
    return refused('The request is not of this time.');
  const hex = typeof signature === 'string' ? SIGNATURE.exec(signature)?.[1] : undefined;
  if (hex === undefined) return refused('The request is not signed.');
  const given = Buffer.from(hex, 'hex');
  // All of them are tried, so that nobody learns by the time it takes which one is in use.
  const matches = secrets.filter((secret) => timingSafeEqual(macOf(secret, timestamp, body), given));
  return matches.length > 0 ? ok(true) : refused('The signature is wrong.');
};
