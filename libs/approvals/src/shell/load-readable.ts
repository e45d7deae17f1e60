/** Loads batches of which one may be damaged: it is told of and left out, and hides none of the others. */
import { UnreadableBatch, type Loaded } from '../core/approval-store.js';
import type { ReadingDesk } from './desk.js';

export interface Readable {
  readonly loaded: readonly Loaded[];
  /** They are there, and not what a batch is. */
  readonly damaged: readonly string[];
}

const isDamaged = async (desk: ReadingDesk, batchId: string): Promise<boolean> => {
  try {
    await desk.store.load(batchId);
    return false;
  } catch (error) {
    if (!(error instanceof UnreadableBatch)) throw error;
    desk.report('approvals.unreadable', { batchId, error: String(error) });
    return true;
  }
};

export const loadReadable = async (desk: ReadingDesk, batchIds: readonly string[]): Promise<Readable> => {
  const loaded = await desk.store.loadMany(batchIds);
  const there = new Set(loaded.map(({ batch }) => batch.facts.batchId));
  const missing = batchIds.filter((batchId) => !there.has(batchId));
  const isBad = await Promise.all(missing.map((batchId) => isDamaged(desk, batchId)));
  return { loaded, damaged: missing.filter((_, i) => isBad[i]) };
};
