/** Repeats a step while the store is away, for as long as a run may wait for it. */
import { isStoreAway } from '@triptych/protocol';
import type { Clock } from '../core/ports.js';

/** The run belongs to another process now, or the store stayed away too long: stop without a word. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface Grace {
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds the store may stay away before a run is given up. */
  readonly storeGraceMs: number;
}

/** Between two tries, ms. */
const STORE_RETRY_MS = 250;

/** `work` must bear being repeated: it is not known whether a try that failed took effect. */
export const throughGrace = async <T>(grace: Grace, work: (attempt: number) => Promise<T>): Promise<T> => {
  const deadline = grace.clock.now() + grace.storeGraceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      if (grace.clock.now() >= deadline) throw new LeaseLost(`store away for ${grace.storeGraceMs} ms`);
      await grace.sleep(STORE_RETRY_MS);
    }
  }
};
