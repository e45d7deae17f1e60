/** Loads batches of which one may be damaged: it is told of and left out, and hides none of the others. */
import type { Loaded } from '../core/approval-store.js';
import type { ReadingDesk } from './desk.js';

export interface Readable {
  readonly loaded: readonly Loaded[];
  /** They are there, and not what a batch is. */
  readonly damaged: readonly string[];
}

export const loadReadable = async (desk: ReadingDesk, batchIds: readonly string[]): Promise<Readable> => {
  const { loaded, damaged } = await desk.store.loadAll(batchIds);
  for (const error of damaged)
    desk.report('approvals.unreadable', { batchId: error.batchId, error: String(error) });
  return { loaded, damaged: damaged.map(({ batchId }) => batchId) };
};
