/** The customer's conversations and the agents they may talk to, kept current by status frames. */
import type { ThreadSummary } from '@triptych/protocol';
import { useEffect, useMemo } from 'react';
import type { Page } from '../shared/hub-api.js';
import { useSurface } from '../shared/surface-context.js';
import { useFetched, type Fetched } from '../shared/use-fetched.js';
import type { Agent } from './core/agent.js';
import { usePlace } from './place.js';

const NONE: readonly never[] = [];

export const itemsOf = <T>(fetched: Fetched<Page<T>>): readonly T[] =>
  fetched.state === 'there' ? fetched.value.items : NONE;

export const useThreads = (): { threads: readonly ThreadSummary[]; again: () => void } => {
  const { client } = useSurface();
  const { agentId } = usePlace();
  const of = agentId === undefined ? '' : `&agent=${encodeURIComponent(agentId)}`;
  const { fetched, again } = useFetched<Page<ThreadSummary>>(`/v1/threads?limit=100${of}`);
  useEffect(() => client.onThreadStatus(again), [client, again]);
  useEffect(() => client.onState((state) => state.state === 'ready' && again()), [client, again]);
  return { threads: itemsOf(fetched), again };
};

/** Those that may be talked to here. */
export const useAgents = (): Fetched<Page<Agent>> => {
  const { agentId } = usePlace();
  const { fetched } = useFetched<Page<Agent>>('/v1/agents');
  return useMemo(() => {
    if (agentId === undefined || fetched.state !== 'there') return fetched;
    const items = fetched.value.items.filter(({ id }) => id === agentId);
    return { state: 'there', value: { items } };
  }, [fetched, agentId]);
};
