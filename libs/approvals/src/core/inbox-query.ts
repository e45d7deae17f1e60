/** Says which tasks a question to the inbox means. */
import {
  moneyIn,
  OPEN_TASK_STATES,
  type DecisionKind,
  type TaskState,
  type TaskView,
} from '@triptych/protocol';

export const INBOX_SORTS = ['created', 'due', 'priority', 'expires', 'amount', 'ended'] as const;
export type InboxSort = (typeof INBOX_SORTS)[number];

/** Times are Unix milliseconds. */
export interface InboxFilter {
  /** Default: the open states. */
  readonly states?: readonly TaskState[];
  readonly group?: string;
  readonly assignee?: string;
  readonly reason?: string;
  readonly tool?: string;
  readonly agent?: string;
  readonly threadId?: string;
  /** Who has claimed it; empty: nobody has. */
  readonly holder?: string;
  readonly dueAfter?: number;
  /** Not at that moment itself. */
  readonly dueBefore?: number;
  /** Of the sum the caller is shown, whatever its currency. */
  readonly minAmount?: number;
  readonly maxAmount?: number;
  readonly minPriority?: number;
  /** How it was decided. */
  readonly decisions?: readonly DecisionKind[];
  readonly endedAfter?: number;
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
/** What a socket may be shown at once: more than anybody reads through. */
export const MAX_SHOWN = 500;

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

/** What of a task a question looks at. */
export interface Sought {
  readonly state: TaskState;
  readonly groups: readonly string[];
  readonly assignee?: string | undefined;
  readonly reason: string;
  readonly tool?: string | undefined;
  readonly agentId: string;
  readonly threadId: string;
  readonly holder?: string | undefined;
  readonly dueAt?: number | undefined;
  readonly priority: number;
  readonly decision?: DecisionKind | undefined;
  readonly endedAt?: number | undefined;
  /** What whoever asks is shown of it: its sum, and its text in lower case. */
  readonly amount?: number | undefined;
  readonly text: string;
}

export type Asks = (task: Sought) => boolean;

/** One test for each member that is asked; the cheap ones first. */
const TESTS: Readonly<{ [Name in keyof InboxFilter]-?: (wanted: NonNullable<InboxFilter[Name]>) => Asks }> = {
  states: (states) => (task) => states.includes(task.state),
  group: (group) => (task) => task.groups.includes(group),
  assignee: (assignee) => (task) => task.assignee === assignee,
  reason: (reason) => (task) => task.reason === reason,
  tool: (tool) => (task) => task.tool === tool,
  agent: (agent) => (task) => task.agentId === agent,
  threadId: (threadId) => (task) => task.threadId === threadId,
  holder: (holder) => (task) => (task.holder ?? '') === holder,
  dueAfter: (moment) => (task) => task.dueAt !== undefined && task.dueAt >= moment,
  dueBefore: (moment) => (task) => task.dueAt !== undefined && task.dueAt < moment,
  minAmount: (sum) => (task) => task.amount !== undefined && task.amount >= sum,
  maxAmount: (sum) => (task) => task.amount !== undefined && task.amount <= sum,
  minPriority: (priority) => (task) => task.priority >= priority,
  decisions: (kinds) => (task) => task.decision !== undefined && kinds.includes(task.decision),
  endedAfter: (moment) => (task) => task.endedAt !== undefined && task.endedAt >= moment,
  q: (text) => {
    const sought = text.toLowerCase();
    return (task) => task.text.includes(sought);
  },
};
const NAMES = Object.keys(TESTS) as readonly (keyof InboxFilter)[];

export const asks = (filter: InboxFilter): Asks => {
  const whole: InboxFilter = { ...filter, states: filter.states ?? OPEN_TASK_STATES };
  const tests = NAMES.flatMap((name) => {
    const wanted = whole[name];
    return wanted === undefined ? [] : [(TESTS[name] as (wanted: unknown) => Asks)(wanted)];
  });
  return (task) => tests.every((test) => test(task));
};

const soughtIn = (view: TaskView, filter: InboxFilter): Sought => {
  const { proposal, edit, decision, claim } = view;
  return {
    ...view,
    tool: proposal.toolName,
    holder: claim?.by,
    decision: decision?.kind,
    endedAt: decision?.at,
    amount: moneyIn(edit ? edit.args : proposal.args)?.value,
    text: filter.q === undefined ? '' : searchedText(view),
  };
};

export const matchesInbox = (view: TaskView, filter: InboxFilter): boolean =>
  asks(filter)(soughtIn(view, filter));

const isPast = (state: TaskState): boolean => !OPEN_TASK_STATES.includes(state);

/** Whether tasks that are over are meant too. */
export const wantsPast = ({ states = OPEN_TASK_STATES }: InboxFilter): boolean => states.some(isPast);
