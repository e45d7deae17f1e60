/** One table of what falls due in a batch, when, and what it does then. Nothing is ever approved by time. */
import { openTasks, type Batch } from './batch.js';
import { changeTo, NO_CHANGE, type Change, type News } from './change.js';
import { lapsed } from './claim.js';
import { escalated, nextEscalation } from './escalate.js';
import { expired } from './expire.js';
import { frontendDeadline, lapseCalls } from './frontend-calls.js';
import { stood } from './hold.js';
import { isRefused, reopenRefused } from './reopen.js';
import { nextBreach, nextReminder, overdue, reminded } from './reminders.js';
import { HUB, type HeldTask, type OpenTask, type Task } from './task.js';

export type DueKind = 'expire' | 'undoEnd' | 'leaseEnd' | 'remind' | 'slaBreach' | 'escalate' | 'frontendTtl';

/** What a person has not settled yet. */
type Waiting = OpenTask | HeldTask;

interface Row {
  readonly kind: DueKind;
  /** Unix milliseconds; undefined: nothing of this kind is to come. */
  readonly at: (task: Waiting) => number | undefined;
  /** Leaves nothing of this kind that is due at `now`. */
  readonly apply: (task: Waiting, now: number) => Task;
  /** As the outbox calls it. */
  readonly action: string;
}

const onOpen = (row: {
  readonly kind: DueKind;
  readonly at: (task: OpenTask) => number | undefined;
  readonly apply: (task: OpenTask, now: number) => Task;
  readonly action: string;
}): Row => ({
  ...row,
  at: (task) => (task.status === 'open' ? row.at(task) : undefined),
  apply: (task, now) => (task.status === 'open' ? row.apply(task, now) : task),
});

/** An answer is held for less than its task has left, so that its end comes before that of the task. */
const UNDO_END: Row = {
  kind: 'undoEnd',
  at: (task) => (task.status === 'held' ? task.heldUntil : undefined),
  apply: (task) => (task.status === 'held' ? stood(task) : task),
  action: 'decided',
};

/** Of what falls due in the same moment the upper comes first. */
const ROWS: readonly Row[] = [
  onOpen({ kind: 'expire', at: ({ expiresAt }) => expiresAt, apply: expired, action: 'expired' }),
  UNDO_END,
  onOpen({ kind: 'leaseEnd', at: ({ claim }) => claim?.until, apply: lapsed, action: 'lapsed' }),
  onOpen({ kind: 'remind', at: nextReminder, apply: reminded, action: 'reminded' }),
  onOpen({ kind: 'slaBreach', at: nextBreach, apply: overdue, action: 'overdue' }),
  onOpen({ kind: 'escalate', at: nextEscalation, apply: escalated, action: 'escalated' }),
];

export interface Due {
  /** Absent: the whole batch is meant. */
  readonly taskId?: string;
  readonly kind: DueKind;
  readonly at: number;
}

const duesOfTask = (task: Waiting): readonly Due[] =>
  ROWS.flatMap(({ kind, at }) => {
    const time = at(task);
    return time === undefined ? [] : [{ taskId: task.taskId, kind, at: time }];
  });

/** All that is to come, in no order. */
export const duesOf = (batch: Batch): readonly Due[] => {
  const calls = frontendDeadline(batch);
  const ofBatch: readonly Due[] = calls === undefined ? [] : [{ kind: 'frontendTtl', at: calls }];
  return [...openTasks(batch).flatMap(duesOfTask), ...ofBatch];
};

/** undefined: nothing is to come. */
export const nextDue = (batch: Batch): number | undefined => {
  const times = duesOf(batch).map(({ at }) => at);
  return times.length === 0 ? undefined : Math.min(...times);
};

const earliest = (task: Waiting, rows: readonly Row[], now: number): Row | undefined =>
  rows
    .flatMap((row) => {
      const at = row.at(task);
      return at === undefined || at > now ? [] : [{ row, at }];
    })
    .reduce<{ row: Row; at: number } | undefined>(
      (first, one) => (first && first.at <= one.at ? first : one),
      undefined,
    )?.row;

interface Ripened {
  readonly task: Task;
  readonly news: readonly News[];
}

/** What fell due first happens first, whenever somebody comes by to see to it. */
const ripened = (task: Task, rows: readonly Row[], now: number): Ripened => {
  const row = task.status === 'settled' ? undefined : earliest(task, rows, now);
  if (task.status === 'settled' || !row) return { task, news: [] };
  const others = rows.filter((other) => other !== row);
  const after = ripened(row.apply(task, now), others, now);
  return { task: after.task, news: [{ action: row.action, by: HUB, taskId: task.taskId }, ...after.news] };
};

/** APR-70: all that fell due, however late and however often it is applied. */
export const applyDue = (batch: Batch, now: number): Change => {
  const again = reopenRefused(batch, now);
  if (again) return again;
  const touched = openTasks(batch)
    .map((task) => ripened(task, ROWS, now))
    .filter(({ news }) => news.length > 0);
  if (touched.length === 0) return lapseCalls(batch, now) ?? NO_CHANGE;
  const tasks = touched.map(({ task }) => task);
  return changeTo(batch, now, { tasks, news: touched.flatMap(({ news }) => news) });
};

/** The queue has this long to begin a resume before the sweep looks after it. Milliseconds. */
export const DISPATCH_GRACE_MS = 5_000;
/** A batch under way is looked at this often, in case its run ended unseen. Milliseconds. */
export const LOOK_MS = 60_000;
/** A batch that waits for a person stays in sight of the sweep, but needs nothing of it. Milliseconds. */
const IDLE_LOOK_MS = 600_000;

/** When a batch wants to be looked at next; undefined: never again. */
export const nextLook = (batch: Batch, now: number): number | undefined => {
  const { status } = batch;
  switch (status.state) {
    case 'open':
      return nextDue(batch) ?? now + IDLE_LOOK_MS;
    case 'ready':
      return Math.max(status.notBefore, now + DISPATCH_GRACE_MS);
    case 'dispatching':
    case 'running':
      return now + LOOK_MS;
    case 'retry_wait':
    case 'unknown':
    case 'blocked':
      return isRefused(batch) ? now : now + IDLE_LOOK_MS;
    case 'done':
      return undefined;
  }
};
