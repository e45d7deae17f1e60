/** What an inbox keeps of a task: enough to find it, to count it and to put it in order. */
import type { TaskState } from '@triptych/protocol';
import type { Batch } from './batch.js';
import type { Sought } from './inbox-query.js';
import { readersOf } from './matter.js';
import type { Aging } from './priority.js';
import type { Task } from './task.js';
import { stateOf } from './task-view.js';

/** What of a question is searched, by what is shown of it. */
export interface SearchedTexts {
  readonly operator: string;
  /** To those whom it is for. */
  readonly audience: string;
}

/** The task is in this state until this moment, if nobody does anything; Unix milliseconds. */
interface Spell {
  readonly state: TaskState;
  readonly until: number;
}

export interface Card extends Aging, Sought, Spell {
  readonly taskId: string;
  readonly batchId: string;
  readonly isOpen: boolean;
  /** The same for all tasks that the same people may read. */
  readonly readers: string;
  /** What comes by time alone, first to last. */
  readonly later: readonly Spell[];
  /** When its batch was done. */
  readonly closedAt?: number;
  readonly texts: SearchedTexts;
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

export const cardOf = (batch: Batch, task: Task, texts: SearchedTexts): Card => {
  const { taskId, reason, priority, createdAt, dueAt, expiresAt, assignee, proposal } = task;
  const { batchId, threadId } = batch.facts;
  const readers = readersOf(batch.facts, task);
  const [{ state, until }, ...later] = spellsOf(batch, task);
  return {
    taskId,
    batchId,
    threadId,
    reason,
    priority,
    createdAt,
    expiresAt,
    texts,
    readers: JSON.stringify(readers),
    groups: readers.groups,
    isOpen: task.status !== 'settled',
    state,
    until,
    later,
    ...(dueAt === undefined ? {} : { dueAt }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(proposal.toolName === undefined ? {} : { tool: proposal.toolName }),
    ...(batch.status.state === 'done' ? { closedAt: batch.status.at } : {}),
  };
};

const spellAt = (card: Card, now: number): Spell =>
  now < card.until ? card : (card.later.find(({ until }) => now < until) ?? card);

export const stateAt = (card: Card, now: number): TaskState =>
  now < card.until ? card.state : spellAt(card, now).state;

/** Its state is the same until then, unless somebody does something. */
export const stateUntil = (card: Card, now: number): number => spellAt(card, now).until;
