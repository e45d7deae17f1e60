/** Says how long to wait before trying again: full jitter, so that many callers do not come back together. */
export interface DelayBounds {
  readonly baseMs: number;
  readonly capMs: number;
}

/** Fast enough that a blip is not noticed, capped so that a long outage is probed every few seconds. */
export const DEFAULT_DELAY: DelayBounds = { baseMs: 100, capMs: 5_000 };
/** Below this a refused connection becomes a busy loop. */
const FLOOR_MS = 10;

/** `attempt` counts from 1; `random` gives a number in [0, 1). */
export const nextDelay = (attempt: number, random: () => number, bounds = DEFAULT_DELAY): number => {
  const ceiling = Math.min(bounds.capMs, bounds.baseMs * 2 ** (attempt - 1));
  return Math.max(FLOOR_MS, Math.floor(random() * ceiling));
};
