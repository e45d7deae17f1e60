/** What the run grammar remembers of a stream: what is open, who owns what, and which runs there were. */
import type { Message } from '../agui.js';
import { violation, type Violation } from './violations.js';

/** The parent agent (undefined) or a subagent. */
export type Owner = string | undefined;

export type EntityKind = 'message' | 'toolCall' | 'activity' | 'reasoning';

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
  /**
   * Kept over the runs of a thread, although a stock client forgets them at each RUN_STARTED: the snapshot in a join
   * prelude tells whoever joins who owns each message, and the tail must be legal for them too.
   */
  readonly owners: Readonly<Record<EntityKind, Map<string, Owner>>>;
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
  owners: { message: new Map(), toolCall: new Map(), activity: new Map(), reasoning: new Map() },
});

/** Everything open ends with its run. */
export const closeAll = (run: RunGrammar): void => {
  for (const open of [run.text, run.toolCalls, run.spans, run.reasoning, run.steps, run.subagents])
    open.clear();
};

/** One key for (owner, name): no owner or name can be spelt so that two pairs meet. */
export const stepKey = (owner: Owner, name: string): string =>
  owner === undefined ? `/${name}` : `${owner.length}:${owner}/${name}`;

export const ownerName = (owner: Owner): string =>
  owner === undefined ? 'the parent agent' : `subagent '${owner}'`;

export interface Entity {
  readonly kind: EntityKind;
  readonly id: string;
}

/** A tag that names another than the entity's owner; no tag agrees with every owner. */
export const ownerFault = (run: RunGrammar, { kind, id }: Entity, tag: Owner): Violation | undefined => {
  const owners = run.owners[kind];
  if (tag === undefined || !owners.has(id) || owners.get(id) === tag) return undefined;
  return violation(
    'wrong-owner',
    `'${id}' belongs to ${ownerName(owners.get(id))}, not to ${ownerName(tag)}.`,
    '/subagentRunId',
  );
};

/** The first to open an entity owns it, also after it is closed. */
export const own = (run: RunGrammar, { kind, id }: Entity, owner: Owner): void => {
  if (!run.owners[kind].has(id)) run.owners[kind].set(id, owner);
};

const kindOf = (role: string): EntityKind => {
  if (role === 'reasoning' || role === 'activity') return role;
  return 'message';
};

/**
 * Messages that were told rather than streamed have owners too. A snapshot restates the conversation and decides;
 * history only fills in what nothing has claimed.
 */
export const ownMessages = (run: RunGrammar, messages: readonly Message[], decides: boolean): void => {
  const claim = (entity: Entity, owner: Owner): void => {
    if (decides) run.owners[entity.kind].set(entity.id, owner);
    else own(run, entity, owner);
  };
  for (const message of messages) {
    claim({ kind: kindOf(message.role), id: message.id }, message.subagentRunId);
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls ?? [])
      claim({ kind: 'toolCall', id: call.id }, message.subagentRunId);
  }
};
