/** Chooses how long to wait before connecting again: exponential, with full jitter. */

/** A lost packet or a redeployed instance is usually over within half a second. */
const BASE_MS = 500;
/** Beyond twenty seconds people reload the page, which is worse for everyone. */
const CAP_MS = 20_000;
/** 2^10 steps are far beyond the cap; keeps the power finite. */
const MAX_DOUBLINGS = 10;

/** `chance` in [0, 1) spreads a crowd of clients; `atLeastMs` is what the hub asked for. */
export const backOffMs = (attempt: number, chance: number, atLeastMs = 0): number => {
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(attempt, MAX_DOUBLINGS));
  return atLeastMs + Math.floor(chance * ceiling);
};
