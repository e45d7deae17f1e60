/** Says how a run ended that did not end well, in the customer's terms. */

export type RunEnding =
  | { readonly kind: 'stopped' }
  /** The agent never began: nothing can have been done. */
  | { readonly kind: 'safe' }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'error'; readonly ref: string };

const SAFE = new Set(['hub/agent-unavailable', 'hub/timeout-first-event']);
const UNCLEAR = new Set([
  'hub/upstream-truncated',
  'hub/timeout-idle',
  'hub/timeout-total',
  'hub/runner-lost',
  'hub/agent-error',
]);
const REF_LENGTH = 8;

/** An unknown code is the most careful of the answers that fit. */
export const runEnding = (code: string | undefined, runId: string): RunEnding => {
  if (code === 'hub/cancelled') return { kind: 'stopped' };
  if (code !== undefined && SAFE.has(code)) return { kind: 'safe' };
  if (code !== undefined && UNCLEAR.has(code)) return { kind: 'unclear' };
  return { kind: 'error', ref: runId.slice(0, REF_LENGTH) };
};
