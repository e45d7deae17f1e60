/** Loads batches of which one may be damaged: it is told of and left out, and hides none of the others. */
import { isStoreAway } from '@triptych/protocol';
import type { Loaded } from '../core/approval-store.js';
import type { ReadingDesk } from './desk.js';

export interface Readable {
  readonly loaded: readonly Loaded[];
  /** They are there, and not what a batch is. */
  readonly damaged: readonly string[];
}

export const loadReadable = async (desk: ReadingDesk, batchIds: readonly string[]): Promise<Readable> => {
  try {
    return { loaded: await desk.store.loadMany(batchIds), damaged: [] };
  } catch (error) {
    if (isStoreAway(error)) throw error;
    if (batchIds.length > 1) return oneByOne(desk, batchIds);
    desk.report('approvals.unreadable', { batchId: batchIds[0], error: String(error) });
    return { loaded: [], damaged: batchIds };
  }
};

const oneByOne = async (desk: ReadingDesk, batchIds: readonly string[]): Promise<Readable> => {
  const each = await Promise.all(batchIds.map((batchId) => loadReadable(desk, [batchId])));
  return {
    loaded: each.flatMap(({ loaded }) => loaded),
    damaged: each.flatMap(({ damaged }) => damaged),
  };
};
