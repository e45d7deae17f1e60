/** What the console's palette asks the hub for, and what the answers lead to. */
import type { TaskView, ThreadSummary } from '@triptych/protocol';

/** As many as are read at once. */
const FEW = 10;

/** A task's id is three words of the hub's own. */
const TASK_ID = /^[\w-]{8,64}\.[\w-]{4,64}\.[\w-]{4,64}$/u;

export type Ask =
  | { readonly of: 'threads' | 'tasks'; readonly path: string }
  /** Known to nobody, or it is there. */
  | { readonly of: 'task'; readonly path: string };

export const asksFor = (text: string): readonly Ask[] => {
  const q = encodeURIComponent(text);
  if (TASK_ID.test(text)) return [{ of: 'task', path: `/v1/approvals/${q}` }];
  return [
    { of: 'threads', path: `/v1/threads?q=${q}&limit=${FEW}` },
    { of: 'tasks', path: `/v1/approvals?q=${q}&limit=${FEW}` },
  ];
};

type Place = Readonly<Record<string, string | undefined>>;

const FRESH: Place = {
  view: undefined,
  look: undefined,
  seq: undefined,
  at: undefined,
  record: undefined,
  node: undefined,
};

export const placeOfThread = ({ threadId }: Pick<ThreadSummary, 'threadId'>): Place => ({
  ...FRESH,
  thread: threadId,
});

/** Where a task is looked at from here: the runs of its conversation. */
export const placeOfTask = ({ threadId }: Pick<TaskView, 'threadId'>): Place => ({
  ...FRESH,
  thread: threadId,
  look: 'runs',
});

/** The number of an event, however it is written: `1284`, `#1,284`, `9f2c41aa:1284`. */
export const eventNamed = (text: string): number | undefined => {
  const digits = /^(?:#|[\w-]{4,64}:)?(\d{1,3}(?:[,. ’]\d{3})*|\d{1,15})$/u.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Number(digits.replaceAll(/\D/gu, ''));
};
