/** Says what a failed call to Slack means: nothing was done, something may have been, or it never will be. */
import { ErrorCode } from '@slack/web-api';
import { isUnsent } from '../../adapters/unsent.js';

export type SlackTrouble =
  | { readonly kind: 'limited'; readonly retryAfterMs: number }
  /** It was sent, and nobody knows what became of it. */
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'not-done'; readonly why: string }
  | { readonly kind: 'never'; readonly why: string };

type Members = Readonly<Record<string, unknown>>;

/** Slack's own faults, in which some of what was asked may have been done. */
const PASSING = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
]);
/** When Slack does not say how long. */
const LIMITED_MS = 30_000;

const members = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

const platformTrouble = (word: string): SlackTrouble => {
  if (word === 'ratelimited' || word === 'rate_limited') return { kind: 'limited', retryAfterMs: LIMITED_MS };
  return PASSING.has(word) ? { kind: 'unknown', why: word } : { kind: 'never', why: word };
};

export const slackTrouble = (error: unknown): SlackTrouble => {
  const { code, data, retryAfter, statusCode } = members(error);
  switch (code) {
    case ErrorCode.RateLimitedError:
      return {
        kind: 'limited',
        retryAfterMs: typeof retryAfter === 'number' ? retryAfter * 1_000 : LIMITED_MS,
      };
    case ErrorCode.PlatformError:
      return platformTrouble(String(members(data)['error']));
    case ErrorCode.HTTPError:
      return { kind: 'unknown', why: `HTTP ${String(statusCode)}` };
    default: {
      const why = error instanceof Error ? error.message : 'no answer';
      return isUnsent(error) ? { kind: 'not-done', why } : { kind: 'unknown', why };
    }
  }
};
