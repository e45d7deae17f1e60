/** What an answer of the connector means for the card that was sent. */

/** `status` undefined: nobody answered, or not to the end. */
export interface Heard {
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** Of the connector's own, such as `MessageSizeTooBig`. */
  readonly code?: string;
  /** It cannot have arrived: no connection came about. */
  readonly unsent?: true;
}

export type Meaning =
  | { readonly kind: 'done' }
  | { readonly kind: 'later'; readonly retryAfterMs: number }
  | { readonly kind: 'unsure'; readonly why: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

/** An update may be sent again at will; a post that may have arrived may not. */
export type Sending = 'post' | 'update';

const BUSY_MS = 1_000;
/** Two changes met; the other one is through in a moment. */
const CONFLICT_MS = 200;
/** Whoever says more is not believed: the queue keeps its own schedule. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;

const later = (retryAfterMs: number | undefined, otherwise: number): Meaning => ({
  kind: 'later',
  retryAfterMs: Math.min(retryAfterMs ?? otherwise, MAX_RETRY_AFTER_MS),
});

const named = ({ status, code }: Heard): string =>
  `Teams answered ${status ?? 'nothing'}${code === undefined ? '' : ` (${code})`}.`;

const unclear = (heard: Heard, sending: Sending): Meaning => ({
  kind: sending === 'post' && heard.unsent !== true ? 'unsure' : 'failed',
  why: named(heard),
});

export const meaningOf = (heard: Heard, sending: Sending): Meaning => {
  const { status, retryAfterMs } = heard;
  if (status === undefined) return unclear(heard, sending);
  if (status >= 200 && status < 300) return { kind: 'done' };
  switch (status) {
    case 412:
      return later(retryAfterMs, CONFLICT_MS);
    case 429:
      return later(retryAfterMs, BUSY_MS);
    case 503:
      return retryAfterMs === undefined
        ? { kind: 'failed', why: named(heard) }
        : later(retryAfterMs, BUSY_MS);
    case 401:
      return { kind: 'failed', why: named(heard) };
    case 404:
      return sending === 'update' ? { kind: 'gone' } : { kind: 'refused', why: named(heard) };
    default:
      return status >= 500 ? unclear(heard, sending) : { kind: 'refused', why: named(heard) };
  }
};

/** Of the header's two forms the connector uses seconds. */
export const retryAfterIn = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}(?:\.\d+)?$/u.test(header) ? Number(header) * 1_000 : undefined;
