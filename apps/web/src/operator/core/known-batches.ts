/** The batches a person has seen on this visit: none leaves or moves under them. */
import type { BatchView } from '@triptych/protocol';

export interface KnownBatch {
  readonly batch: BatchView;
  /** It needs nobody any more. */
  readonly gone: boolean;
}

export const withLatest = (
  known: readonly KnownBatch[],
  items: readonly BatchView[],
): readonly KnownBatch[] => {
  const latest = new Map(items.map((batch) => [batch.batchId, batch]));
  const kept = known.map(({ batch }) => {
    const now = latest.get(batch.batchId);
    latest.delete(batch.batchId);
    return { batch: now ?? batch, gone: now === undefined };
  });
  return [...kept, ...[...latest.values()].map((batch) => ({ batch, gone: false }))];
};
