/** The batches that need a person, kept current: no frame tells of them, so they are looked at again and again. */
import type { BatchView } from '@triptych/protocol';
import { useEffect, useState } from 'react';
import type { Page } from '../../shared/hub-api.js';
import { useSurface } from '../../shared/surface-context.js';
import { useFetched, type Fetched } from '../../shared/use-fetched.js';
import { useNow } from '../../shared/use-now.js';
import { withLatest, type KnownBatch } from '../core/known-batches.js';

const LOOK_AGAIN_MS = 10_000;

export interface Batches {
  readonly fetched: Fetched<Page<BatchView>>;
  readonly again: () => void;
}

export const useBatches = (): Batches => {
  const { client } = useSurface();
  const batches = useFetched<Page<BatchView>>('/v1/batches?limit=200');
  const { again } = batches;
  const turn = useNow(LOOK_AGAIN_MS);
  useEffect(again, [again, turn]);
  // A thread that stands differently may have a batch less, or one more.
  useEffect(() => client.onThreadStatus(again), [client, again]);
  return batches;
};

/** Undefined until they were seen once. */
export const useKnownBatches = ({ fetched }: Batches): readonly KnownBatch[] | undefined => {
  const [known, setKnown] = useState<readonly KnownBatch[] | undefined>(undefined);
  const items = fetched.state === 'there' ? fetched.value.items : undefined;
  useEffect(() => {
    if (items) setKnown((old = []) => withLatest(old, items));
  }, [items]);
  return known;
};
