/** Puts the tasks of an inbox in order, and says where its next page begins. */
import { createHash } from 'node:crypto';
import { ok, type Result } from '@triptych/protocol';
import { parseTaskId } from './ids.js';
import type { ShownSums, ShownTo } from './inbox-card.js';
import type { InboxQuery, InboxSort } from './inbox-query.js';
import { refuseCursor } from './place-cursor.js';
import { urgencyAt, type Aging } from './priority.js';

export interface Ordered extends Aging {
  readonly taskId: string;
  readonly sums?: ShownSums;
  readonly endedAt?: number | undefined;
}

/** The order of one moment, for one reader. */
export interface Ordering {
  readonly sort: InboxSort;
  /** Unix milliseconds. */
  readonly at: number;
  readonly to: ShownTo;
}

/** The smaller comes first; the second number decides between equals. */
type Rank = readonly [number, number];

/** Where a task stands in an order. */
export interface InboxPlace {
  /** The moment whose order it is: urgency moves, and the pages of one walk must not. Unix milliseconds. */
  readonly at: number;
  readonly rank: Rank;
  readonly taskId: string;
}

/** Behind all that have a time at which they are due. */
const NEVER = Number.MAX_SAFE_INTEGER;

interface Order {
  readonly first: (task: Ordered, ordering: Ordering) => number;
  /** Between equals. */
  readonly second: (task: Ordered) => number;
}

const byAge = ({ createdAt }: Ordered): number => createdAt;

export const ORDERS: Readonly<Record<InboxSort, Order>> = {
  created: { first: ({ createdAt }) => -createdAt, second: () => 0 },
  due: { first: ({ dueAt }) => dueAt ?? NEVER, second: byAge },
  priority: {
    first: (task, { at }) => -urgencyAt(task, at),
    second: ({ dueAt, expiresAt }) => dueAt ?? expiresAt,
  },
  expires: { first: ({ expiresAt }) => expiresAt, second: byAge },
  amount: { first: ({ sums }, { to }) => -(sums?.[to] ?? -NEVER), second: byAge },
  // What time has ended and nobody has written down yet ended last.
  ended: { first: ({ endedAt }) => -(endedAt ?? NEVER), second: byAge },
};

export const placeIn = (task: Ordered, ordering: Ordering): InboxPlace => {
  const { first, second } = ORDERS[ordering.sort];
  return { at: ordering.at, rank: [first(task, ordering), second(task)], taskId: task.taskId };
};

/** Below zero: the first comes first. */
export const comparePlaces = (a: InboxPlace, b: InboxPlace): number => {
  const byRank = a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1];
  if (byRank !== 0) return byRank;
  return a.taskId === b.taskId ? 0 : a.taskId > b.taskId ? -1 : 1;
};

const BINDING_LENGTH = 11;

/** APR-81: a cursor goes on with the question it was given for, and with no other. */
const bindingOf = ({ cursor: _cursor, limit: _limit, sort = 'created', ...filter }: InboxQuery): string => {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const asked = given.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify([sort, asked]));
  return hash.digest('base64url').slice(0, BINDING_LENGTH);
};

export const inboxCursor = (query: InboxQuery, { at, rank, taskId }: InboxPlace): string =>
  Buffer.from([bindingOf(query), at, ...rank, taskId].join(' ')).toString('base64url');

/** undefined: from the beginning. */
export const readInboxCursor = (query: InboxQuery): Result<InboxPlace | undefined> => {
  if (query.cursor === undefined) return ok(undefined);
  const [binding, ...rest] = Buffer.from(query.cursor, 'base64url').toString().split(' ');
  const [at, first, second] = rest.slice(0, 3).map(Number);
  const taskId = rest[3] ?? '';
  if (binding !== bindingOf(query) || !parseTaskId(taskId)) return refuseCursor();
  if (at === undefined || first === undefined || second === undefined) return refuseCursor();
  return [at, first, second].every(Number.isFinite)
    ? ok({ at, rank: [first, second], taskId })
    : refuseCursor();
};
