/** The tenant's threads, kept current by status frames. */
import type { ThreadSummary } from '@triptych/protocol';
import { useEffect } from 'react';
import type { Page } from '../shared/hub-api.js';
import { useSurface } from '../shared/surface-context.js';
import { useFetched } from '../shared/use-fetched.js';

/** Newest first; undefined until they are known. */
export const useThreads = (): readonly ThreadSummary[] | undefined => {
  const { client } = useSurface();
  const { fetched, again } = useFetched<Page<ThreadSummary>>('/v1/threads?limit=200');
  useEffect(() => client.onThreadStatus(again), [client, again]);
  useEffect(() => client.onState((state) => state.state === 'ready' && again()), [client, again]);
  return fetched.state === 'there' ? fetched.value.items : undefined;
};
