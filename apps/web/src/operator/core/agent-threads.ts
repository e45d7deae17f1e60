/** How the threads of each agent stand. */
import type { ThreadSummary } from '@triptych/protocol';

export interface AgentThreads {
  readonly running: number;
  readonly waiting: number;
  readonly failed: number;
}

const NONE: AgentThreads = { running: 0, waiting: 0, failed: 0 };

export const threadsOfAgents = (threads: readonly ThreadSummary[]): ReadonlyMap<string, AgentThreads> => {
  const counts = new Map<string, AgentThreads>();
  for (const { agentId, status } of threads) {
    const before = counts.get(agentId) ?? NONE;
    counts.set(agentId, status === 'idle' ? before : { ...before, [status]: before[status] + 1 });
  }
  return counts;
};

export const threadsOfAgent = (counts: ReadonlyMap<string, AgentThreads>, agentId: string): AgentThreads =>
  counts.get(agentId) ?? NONE;
