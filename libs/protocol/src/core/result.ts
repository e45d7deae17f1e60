/** Says yes with a value or no with a refusal: expected failures are values, bugs throw. */
import type { RefusalCode } from './refusals.js';
import { REFUSALS } from './refusals.js';

/** What the refused caller should do next. */
export type NextStep = 'fix' | 'reauth' | 'retry' | 'resync' | 'stop';

/** A machine-readable "no", as it leaves over HTTP (`error`) and WebSocket (`refused.data`). */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly next: NextStep;
  /** Milliseconds to wait before trying again, where waiting helps. */
  readonly retryAfterMs?: number;
  /** Only what the caller may see. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });

export interface RefusalExtras {
  readonly message?: string;
  readonly retryAfterMs?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Builds the refusal for a code of the table; `message` replaces the table's general sentence. */
export const refusal = (code: RefusalCode, extras: RefusalExtras = {}): Refusal => ({
  code,
  message: extras.message ?? REFUSALS[code].means,
  next: REFUSALS[code].next,
  ...(extras.retryAfterMs === undefined ? {} : { retryAfterMs: extras.retryAfterMs }),
  ...(extras.details === undefined ? {} : { details: extras.details }),
});

export const refuse = (code: RefusalCode, extras: RefusalExtras = {}): { ok: false; refusal: Refusal } => ({
  ok: false,
  refusal: refusal(code, extras),
});
