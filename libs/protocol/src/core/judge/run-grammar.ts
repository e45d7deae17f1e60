/** What the run grammar remembers of a stream: what is open, who owns what, and which runs there were. */
import { noOwners, type Owner, type Owners } from './owners.js';

export interface RunGrammar {
  readonly threadId: string;
  /** The run that was asked for; the stream's first run must be it. */
  readonly asked: string;
  phase: 'fresh' | 'open' | 'finished' | 'failed';
  runId?: string;
  readonly runIds: Set<string>;
  readonly text: Set<string>;
  readonly toolCalls: Set<string>;
  readonly spans: Set<string>;
  readonly reasoning: Set<string>;
  /** Open steps by {@link stepKey}. */
  readonly steps: Map<string, { readonly stepName: string; readonly owner: Owner }>;
  readonly subagents: Map<string, 'active' | 'ended'>;
  readonly owners: Owners;
  /** Kinds of snapshots that its run has had. */
  readonly snapshots: Set<string>;
}

export const beginGrammar = (threadId: string, runId: string): RunGrammar => ({
  threadId,
  asked: runId,
  phase: 'fresh',
  runIds: new Set(),
  text: new Set(),
  toolCalls: new Set(),
  spans: new Set(),
  reasoning: new Set(),
  steps: new Map(),
  subagents: new Map(),
  owners: noOwners(),
  snapshots: new Set(),
});

/** Everything open ends with its run. */
export const closeAll = (run: RunGrammar): void => {
  for (const open of [run.text, run.toolCalls, run.spans, run.reasoning, run.steps, run.subagents])
    open.clear();
};

/** One key for (owner, name): no owner or name can be spelt so that two pairs meet. */
export const stepKey = (owner: Owner, name: string): string =>
  owner === undefined ? `/${name}` : `${owner.length}:${owner}/${name}`;
