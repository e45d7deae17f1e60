/** Says which tasks a question to the inbox means. */
import { OPEN_TASK_STATES, type TaskState, type TaskView } from '@triptych/protocol';

export const INBOX_SORTS = ['created', 'due', 'priority', 'expires'] as const;
export type InboxSort = (typeof INBOX_SORTS)[number];

export interface InboxFilter {
  /** Default: the open states. */
  readonly states?: readonly TaskState[];
  readonly group?: string;
  readonly assignee?: string;
  readonly reason?: string;
  readonly tool?: string;
  readonly threadId?: string;
  /** Text in what the caller is shown of the question. */
  readonly q?: string;
}

export interface InboxQuery extends InboxFilter {
  /** Default: `created`. */
  readonly sort?: InboxSort;
  readonly cursor?: string;
  readonly limit?: number;
}

export const DEFAULT_PAGE = 50;
export const MAX_PAGE = 200;

/** Characters of a question that are searched: every hub has them in memory for every task. */
const MAX_SEARCHED = 4_000;

interface Searched extends Pick<TaskView, 'reason' | 'threadId' | 'requester' | 'proposal'> {
  readonly message?: string | undefined;
}

export const searchedText = ({ message, reason, threadId, requester, proposal }: Searched): string => {
  const { toolName, args, argsText } = proposal;
  const text = [message, reason, threadId, requester, toolName, JSON.stringify(args), argsText].join(' ');
  // A slice would keep the whole text in memory; a copy does not.
  const kept = text.length > MAX_SEARCHED ? Buffer.from(text.slice(0, MAX_SEARCHED)).toString() : text;
  return kept.toLowerCase();
};

/** What of a task a question looks at, beside its state and text. */
export interface Sought {
  readonly groups: readonly string[];
  readonly assignee?: string | undefined;
  readonly reason: string;
  readonly tool?: string | undefined;
  readonly threadId: string;
}

/** `text`: what whoever asks is shown of it, in lower case. */
export type Asks = (task: Sought, state: TaskState, text: string) => boolean;

/** undefined: the question does not ask. */
const isAsked = (wanted: string | undefined, found: string | undefined): boolean =>
  wanted === undefined || wanted === found;

export const asks = (filter: InboxFilter): Asks => {
  const { states = OPEN_TASK_STATES, group, assignee, reason, tool, threadId } = filter;
  const q = filter.q?.toLowerCase();
  return (task, state, text) =>
    states.includes(state) &&
    (group === undefined || task.groups.includes(group)) &&
    isAsked(assignee, task.assignee) &&
    isAsked(reason, task.reason) &&
    isAsked(tool, task.tool) &&
    isAsked(threadId, task.threadId) &&
    (q === undefined || text.includes(q));
};

export const matchesInbox = (view: TaskView, filter: InboxFilter): boolean => {
  const { state, groups, assignee, reason, threadId, proposal } = view;
  const text = filter.q === undefined ? '' : searchedText(view);
  return asks(filter)({ groups, assignee, reason, threadId, tool: proposal.toolName }, state, text);
};

const isPast = (state: TaskState): boolean => !OPEN_TASK_STATES.includes(state);

/** Whether tasks that are over are meant too. */
export const wantsPast = ({ states = OPEN_TASK_STATES }: InboxFilter): boolean => states.some(isPast);
