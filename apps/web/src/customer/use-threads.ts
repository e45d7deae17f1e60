/** The customer's conversations and the agents they may talk to, kept current by status frames. */
import type { ThreadSummary } from '@triptych/protocol';
import { useEffect } from 'react';
import type { Page } from '../shared/hub-api.js';
import { useSurface } from '../shared/surface-context.js';
import { useFetched, type Fetched } from '../shared/use-fetched.js';

export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly capabilities?: { readonly identity?: { readonly description?: string } };
}

const NONE: readonly never[] = [];

export const itemsOf = <T>(fetched: Fetched<Page<T>>): readonly T[] =>
  fetched.state === 'there' ? fetched.value.items : NONE;

export const useThreads = (): { threads: readonly ThreadSummary[]; again: () => void } => {
  const { client } = useSurface();
  const { fetched, again } = useFetched<Page<ThreadSummary>>('/v1/threads?limit=100');
  useEffect(() => client.onThreadStatus(again), [client, again]);
  useEffect(() => client.onState((state) => state.state === 'ready' && again()), [client, again]);
  return { threads: itemsOf(fetched), again };
};

export const useAgents = (): Fetched<Page<Agent>> => useFetched<Page<Agent>>('/v1/agents').fetched;
