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

/** From this moment on the task is in this state, if nobody does anything; Unix milliseconds. */
interface Turn {
  readonly at: number;
  readonly state: TaskState;
}

export interface Card extends Aging {
  readonly taskId: string;
  readonly batchId: string;
  readonly threadId: string;
  /** The same for all tasks that the same people may read. */
  readonly readers: string;
  readonly groups: readonly string[];
  readonly reason: string;
  readonly tool?: string;
  /** First to last; the first one is from ever. */
  readonly turns: readonly Turn[];
  /** When its batch was done. */
  readonly closedAt?: number;
  readonly texts: SearchedTexts;
}

/** States move by time alone where a claim lapses or a deadline passes. */
const turnsOf = (batch: Batch, task: Task): readonly Turn[] => {
  const moments = task.status === 'open' ? [task.claim?.until ?? 0, task.expiresAt] : [];
  const times = [0, ...moments.toSorted((a, b) => a - b)];
  const turns = times.map((at) => ({ at, state: stateOf({ batch, task, now: at }) }));
  return turns.filter(({ state }, i) => state !== turns[i - 1]?.state);
};

export const cardOf = (batch: Batch, task: Task, texts: SearchedTexts): Card => {
  const { taskId, reason, priority, createdAt, dueAt, expiresAt, proposal } = task;
  const { batchId, threadId } = batch.facts;
  const readers = readersOf(batch.facts, task);
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
    turns: turnsOf(batch, task),
    ...(dueAt === undefined ? {} : { dueAt }),
    ...(proposal.toolName === undefined ? {} : { tool: proposal.toolName }),
    ...(batch.status.state === 'done' ? { closedAt: batch.status.at } : {}),
  };
};

export const stateAt = ({ turns }: Card, now: number): TaskState =>
  (turns.findLast(({ at }) => at <= now) ?? turns[0])?.state ?? 'pending';

/** When its state moves next by itself. */
export const nextTurn = ({ turns }: Card, now: number): number =>
  turns.find(({ at }) => at > now)?.at ?? Number.POSITIVE_INFINITY;

export const soughtOf = (card: Card, now: number, shown: keyof SearchedTexts): Sought => ({
  state: stateAt(card, now),
  groups: card.groups,
  reason: card.reason,
  tool: card.tool,
  threadId: card.threadId,
  text: card.texts[shown],
});
