/** Decides when shown events leave: the first of a burst at once, those of the next moments together. */

/** Short enough not to be seen, long enough for a handful of tokens to share a frame. */
export const FLUSH_WINDOW_MS = 25;
/** A burst larger than this leaves without waiting, so that a frame never outgrows the limit of 8 MiB. */
export const FLUSH_BYTES = 256 * 1024;

export interface FlushWindow {
  /** Until then events wait for each other. */
  readonly openUntil: number;
}

export const NO_WINDOW: FlushWindow = { openUntil: Number.NEGATIVE_INFINITY };

export type FlushDecision = { readonly do: 'flush' } | { readonly do: 'wait'; readonly ms: number };

export const onShown = (
  window: FlushWindow,
  waiting: { readonly bytes: number; readonly now: number },
): FlushDecision =>
  waiting.now >= window.openUntil || waiting.bytes >= FLUSH_BYTES
    ? { do: 'flush' }
    : { do: 'wait', ms: window.openUntil - waiting.now };

export const onFlushed = (now: number): FlushWindow => ({ openUntil: now + FLUSH_WINDOW_MS });
