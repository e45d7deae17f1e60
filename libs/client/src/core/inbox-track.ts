/** Keeps the tasks an inbox shows, as replies and frames change them. */
import type { ServerFrames, TaskCounts, TaskView } from '@triptych/protocol';

export interface InboxView {
  readonly phase: 'joining' | 'live' | 'catching-up' | 'ended';
  readonly items: readonly TaskView[];
  readonly counts: TaskCounts;
  /** How many fitted when it was answered last, shown or not. */
  readonly total?: number;
  readonly nextCursor?: string;
  readonly ended?: string;
}

export interface InboxReply {
  readonly items: readonly TaskView[];
  readonly counts: TaskCounts;
  readonly total?: number;
  readonly nextCursor?: string;
}

export const EMPTY_INBOX: InboxView = { phase: 'joining', items: [], counts: {} };

export const inboxAnswered = (reply: InboxReply): InboxView => ({ ...reply, phase: 'live' });

export const inboxAway = (inbox: InboxView): InboxView =>
  inbox.phase === 'live' ? { ...inbox, phase: 'catching-up' } : inbox;

/** A new value replaces the old one in its place; new tasks come last, order is the reader's business. */
export const inboxTask = (inbox: InboxView, task: ServerFrames['task']): InboxView => {
  const at = inbox.items.findIndex((item) => item.taskId === task.taskId);
  if ('gone' in task)
    return at < 0 ? inbox : { ...inbox, items: inbox.items.filter((_, index) => index !== at) };
  if (at < 0) return { ...inbox, items: [...inbox.items, task] };
  return { ...inbox, items: inbox.items.with(at, task) };
};

export const inboxCounts = (inbox: InboxView, counts: TaskCounts): InboxView => ({ ...inbox, counts });
