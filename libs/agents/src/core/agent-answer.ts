/** What comes of asking an agent to run: a stream of items, or a reason why there is none. */
import type { RunErrorCode } from '@triptych/protocol';

/**
 * `unavailable` and `timeout-connect`: the agent did not get the request, so asking again is harmless.
 * `rejected`: it answered, but not with a stream of events.
 */
export type OpenFailure = 'unavailable' | 'timeout-connect' | 'rejected';

export interface NotOpened {
  readonly ok: false;
  readonly failure: OpenFailure;
  /** The HTTP status, where there was one. */
  readonly status?: number;
  /** Its `Retry-After`, milliseconds. */
  readonly retryAfterMs?: number;
  /** For operators only: may quote the agent. */
  readonly detail: string;
}

/** The hub stopped reading; nothing follows. An iterable that ends without one came to the end of the body. */
export interface Cut {
  readonly kind: 'cut';
  readonly code: RunErrorCode;
  readonly detail: string;
}

export type AgentItem = { readonly kind: 'event'; readonly text: string } | Cut;

export type AgentOpened =
  | {
      readonly ok: true;
      readonly events: AsyncIterable<AgentItem>;
      /** So many milliseconds more than it has as a whole; it may be over already. */
      prolong(ms: number): void;
    }
  | NotOpened;

export interface AgentLimits {
  /** UTF-8 bytes of one event's JSON text; narrower limits for single types are the judge's. */
  readonly maxEventBytes: number;
}

export const cut = (code: RunErrorCode, detail: string): Cut => ({ kind: 'cut', code, detail });
