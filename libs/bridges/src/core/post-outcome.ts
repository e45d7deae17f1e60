/** What came of a post to an endpoint, and what that means for the message. */
import type { Delivery } from './bridge.js';

export type PostOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter?: string }
  /** It may not be sent there. */
  | { readonly kind: 'barred'; readonly why: string }
  /** `sent`: all of it had left before nothing came back. */
  | { readonly kind: 'unanswered'; readonly sent: boolean; readonly why: string };

const GONE = 410;
const TOO_MANY = 429;
const UNAVAILABLE = 503;
/** Whoever says that it is too much and not for how long. */
const USUAL_WAIT_MS = 60_000;
/** A receiver that asks for a week is as good as away. */
const LONGEST_WAIT_MS = 900_000;
const SECONDS = /^\d{1,9}$/u;

/** Seconds, or a date, which tells too little without the clock of its sender. */
const waitOf = (retryAfter: string | undefined): number =>
  retryAfter !== undefined && SECONDS.test(retryAfter)
    ? Math.min(Math.max(1, Number(retryAfter)) * 1000, LONGEST_WAIT_MS)
    : USUAL_WAIT_MS;

const ofStatus = (status: number, retryAfter: string | undefined, id: string): Delivery => {
  if (status >= 200 && status < 300) return { kind: 'shown', posted: id };
  if (status === GONE) return { kind: 'gone', why: 'the endpoint says that it is gone (410)' };
  if (status === TOO_MANY || (status === UNAVAILABLE && retryAfter !== undefined))
    return { kind: 'later', retryAfterMs: waitOf(retryAfter) };
  const redirects = status >= 300 && status < 400;
  return {
    kind: 'failed',
    why: redirects ? `it redirects (${status}), which is not followed` : `it answers ${status}`,
  };
};

/** `id`: of the message, by which its receiver knows it again. */
export const deliveryOf = (outcome: PostOutcome, id: string): Delivery => {
  switch (outcome.kind) {
    case 'answered':
      return ofStatus(outcome.status, outcome.retryAfter, id);
    case 'barred':
      return { kind: 'refused', why: outcome.why };
    case 'unanswered':
      return { kind: outcome.sent ? 'unsure' : 'failed', why: outcome.why };
  }
};
