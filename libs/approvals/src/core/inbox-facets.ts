/** Counts what is open for one reader by what people look for it by. */
import { OPEN_TASK_STATES } from '@triptych/protocol';
import type { Sought } from './inbox-query.js';

/** Due within this it is due soon, ms. */
export const SOON_MS = 3_600_000;
/** Names told of each kind; those with the most tasks. */
export const MAX_NAMES = 100;

export interface InboxFacets {
  readonly open: number;
  /** Claimed by the reader. */
  readonly mine: number;
  readonly over: number;
  readonly soon: number;
  readonly groups: Readonly<Record<string, number>>;
  readonly agents: Readonly<Record<string, number>>;
  readonly tools: Readonly<Record<string, number>>;
  /** Who has claimed how many. */
  readonly holders: Readonly<Record<string, number>>;
}

type Names = Map<string, number>;

const countName = (names: Names, name: string | undefined): void => {
  if (name !== undefined) names.set(name, (names.get(name) ?? 0) + 1);
};

const mostOf = (names: Names): Readonly<Record<string, number>> =>
  Object.fromEntries([...names].toSorted(([, a], [, b]) => b - a).slice(0, MAX_NAMES));

export class FacetCount {
  private readonly sums = { open: 0, over: 0, soon: 0 };
  private readonly groups: Names = new Map();
  private readonly agents: Names = new Map();
  private readonly tools: Names = new Map();
  private readonly holders: Names = new Map();

  constructor(private readonly now: number) {}

  add({ state, holder, dueAt, groups, agentId, tool }: Sought): void {
    if (!OPEN_TASK_STATES.includes(state)) return;
    this.sums.open += 1;
    if (dueAt !== undefined && dueAt < this.now) this.sums.over += 1;
    else if (dueAt !== undefined && dueAt - this.now <= SOON_MS) this.sums.soon += 1;
    for (const group of groups) countName(this.groups, group);
    countName(this.agents, agentId);
    countName(this.tools, tool);
    countName(this.holders, holder);
  }

  facetsFor(reader: string): InboxFacets {
    return {
      ...this.sums,
      mine: this.holders.get(reader) ?? 0,
      groups: mostOf(this.groups),
      agents: mostOf(this.agents),
      tools: mostOf(this.tools),
      holders: mostOf(this.holders),
    };
  }
}
