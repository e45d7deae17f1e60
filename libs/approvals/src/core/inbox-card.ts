/** What an inbox keeps of a task: enough to find it, to count it and to put it in order. */
import type { DecisionKind, TaskState } from '@triptych/protocol';
import type { Batch } from './batch.js';
import type { Sought } from './inbox-query.js';
import { readersOf } from './matter.js';
import type { Aging } from './priority.js';
import type { Claim, Task } from './task.js';
import { stateOf } from './task-view.js';

/** What of a question is searched, by what is shown of it. */
export interface SearchedTexts {
  readonly operator: string;
  /** To those whom it is for. */
  readonly audience: string;
}

/** The sum at stake, by what is shown of it. */
export interface ShownSums {
  readonly operator?: number | undefined;
  readonly audience?: number | undefined;
}

/** To whom it is shown: operators see it whole. */
export type ShownTo = keyof SearchedTexts;

/** What of a card is not in the task itself. */
export interface Shown {
  readonly texts: SearchedTexts;
  readonly sums: ShownSums;
}

/** The task is in this state until this moment, if nobody does anything; Unix milliseconds. */
interface Spell {
  readonly state: TaskState;
  readonly until: number;
}

type Kept = Pick<Sought, 'groups' | 'assignee' | 'reason' | 'tool' | 'agentId' | 'threadId' | 'endedAt'>;

export interface Card extends Aging, Kept, Spell, Shown {
  readonly taskId: string;
  readonly batchId: string;
  readonly isOpen: boolean;
  /** The same for all tasks that the same people may read. */
  readonly readers: string;
  /** What comes by time alone, first to last. */
  readonly later: readonly Spell[];
  readonly claim?: Claim;
  readonly decided?: DecisionKind;
  /** When its batch was done. */
  readonly closedAt?: number;
}

const FOREVER = Number.POSITIVE_INFINITY;

/** States move by time alone where a claim lapses, an answer is held no longer, or a deadline passes. */
const momentsOf = (task: Task): readonly number[] => {
  if (task.status === 'held') return [task.heldUntil];
  return task.status === 'open' ? [...(task.claim ? [task.claim.until] : []), task.expiresAt] : [];
};

const spellsOf = (batch: Batch, task: Task): readonly [Spell, ...Spell[]] => {
  const moments = momentsOf(task).toSorted((a, b) => a - b);
  const at = (now: number): TaskState => stateOf({ batch, task, now });
  const spells = [0, ...moments].map((from, i) => ({ state: at(from), until: moments[i] ?? FOREVER }));
  const [first = { state: at(0), until: FOREVER }, ...later] = spells;
  return [first, ...later];
};

/** What of it is not there in every task. */
const optionalOf = ({ status }: Batch, task: Task) => {
  const { dueAt, assignee, claim, decision, proposal } = task;
  return {
    ...(dueAt === undefined ? {} : { dueAt }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(proposal.toolName === undefined ? {} : { tool: proposal.toolName }),
    ...(task.status === 'open' && claim ? { claim } : {}),
    ...(decision ? { decided: decision.kind, endedAt: decision.at } : {}),
    ...(status.state === 'done' ? { closedAt: status.at } : {}),
  };
};

export const cardOf = (batch: Batch, task: Task, { texts, sums }: Shown): Card => {
  const { taskId, reason, priority, createdAt, expiresAt } = task;
  const { batchId, threadId, agentId } = batch.facts;
  const readers = readersOf(batch.facts, task);
  const [{ state, until }, ...later] = spellsOf(batch, task);
  return {
    taskId,
    batchId,
    threadId,
    agentId,
    reason,
    priority,
    createdAt,
    expiresAt,
    texts,
    sums,
    readers: JSON.stringify(readers),
    groups: readers.groups,
    isOpen: task.status !== 'settled',
    state,
    until,
    later,
    ...optionalOf(batch, task),
  };
};

const spellAt = (card: Card, now: number): Spell =>
  now < card.until ? card : (card.later.find(({ until }) => now < until) ?? card);

export const stateAt = (card: Card, now: number): TaskState =>
  now < card.until ? card.state : spellAt(card, now).state;

/** Its state is the same until then, unless somebody does something. */
export const stateUntil = (card: Card, now: number): number => spellAt(card, now).until;
