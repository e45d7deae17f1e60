/** Decides what a slow reader gets: the next frame, patience, or an end. */

/** Above this a phone on a train never drains; it is paused and brought up to date later in one go. */
export const PAUSE_ABOVE_BYTES = 256 * 1024;
/** Low enough that the catch-up starts flowing at once when it is handed over. */
export const RESUME_BELOW_BYTES = 64 * 1024;
/** A reader that takes nothing for this long is gone, or might as well be. */
export const STALL_MS = 30_000;
/** What all readers of one instance together may have waiting; a quarter of a small machine. */
export const UNSENT_BUDGET_BYTES = 256 * 1024 * 1024;

/** Compares what waits plus the next frame; an almost empty line takes a frame of any size, or none would ever pass. */
export const maySend = (unsent: number, next: number): boolean =>
  unsent < RESUME_BELOW_BYTES || unsent + next <= PAUSE_ABOVE_BYTES;

export const mayResume = (unsent: number): boolean => unsent < RESUME_BELOW_BYTES;

/** How far a reader had come, and when that was seen. */
export interface Progress {
  readonly taken: number;
  readonly at: number;
}

/** Any byte taken counts: a slow line that moves is never given up. Where nothing waits there is nothing to take. */
export const progressStep = (before: Progress, seen: Progress & { readonly unsent: number }): Progress =>
  seen.unsent === 0 || seen.taken > before.taken ? { taken: seen.taken, at: seen.at } : before;

export const isStalled = (progress: Progress, now: number): boolean => now - progress.at >= STALL_MS;

/** Which readers to let go so that the rest fits the budget: those with most waiting first. */
export const shedOver = (unsent: readonly number[], budget = UNSENT_BUDGET_BYTES): readonly number[] => {
  let total = unsent.reduce((sum, bytes) => sum + bytes, 0);
  const largestFirst = unsent.map((bytes, nth) => ({ bytes, nth })).sort((a, b) => b.bytes - a.bytes);
  const shed: number[] = [];
  for (const { bytes, nth } of largestFirst) {
    if (total <= budget || bytes === 0) break;
    shed.push(nth);
    total -= bytes;
  }
  return shed;
};
