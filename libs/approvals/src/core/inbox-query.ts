/** Says which tasks a question to the inbox means, and where its next page begins. */
import { OPEN_TASK_STATES, refuse, ok, type Result, type TaskState, type TaskView } from '@triptych/protocol';
import type { IndexPlace } from './approval-store.js';

export interface InboxQuery {
  /** Default: the open states. */
  readonly states?: readonly TaskState[];
  readonly group?: string;
  readonly assignee?: string;
  readonly reason?: string;
  readonly tool?: string;
  readonly threadId?: string;
  /** Text anywhere in what the caller is shown of the question. */
  readonly q?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

export const DEFAULT_PAGE = 50;
export const MAX_PAGE = 200;

const textOf = ({ message, reason, threadId, requester, proposal }: TaskView): string =>
  [
    message,
    reason,
    threadId,
    requester,
    proposal.toolName,
    JSON.stringify(proposal.args),
    proposal.argsText,
  ].join(' ');

const asks = (wanted: string | undefined, holds: (wanted: string) => boolean): boolean =>
  wanted === undefined || holds(wanted);

export const matchesInbox = (task: TaskView, query: InboxQuery): boolean =>
  (query.states ?? OPEN_TASK_STATES).includes(task.state) &&
  asks(query.group, (group) => task.groups.includes(group)) &&
  asks(query.assignee, (assignee) => task.assignee === assignee) &&
  asks(query.reason, (reason) => task.reason === reason) &&
  asks(query.tool, (tool) => task.proposal.toolName === tool) &&
  asks(query.threadId, (threadId) => task.threadId === threadId) &&
  asks(query.q, (q) => textOf(task).toLowerCase().includes(q.toLowerCase()));

export const indexesFor = ({ states = OPEN_TASK_STATES }: InboxQuery): readonly ('open' | 'past')[] => [
  ...(states.some((state) => OPEN_TASK_STATES.includes(state)) ? (['open'] as const) : []),
  ...(states.some((state) => !OPEN_TASK_STATES.includes(state)) ? (['past'] as const) : []),
];

export const cursorOf = ({ score, member }: IndexPlace): string =>
  Buffer.from(`${score} ${member}`).toString('base64url');

export const parseCursor = (cursor: string | undefined): Result<IndexPlace | undefined> => {
  if (cursor === undefined) return ok(undefined);
  const [, score, member] = /^(\d+) ([\w.-]+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (score === undefined || member === undefined)
    return refuse('INVALID_INPUT', {
      message: 'This is no cursor of ours.',
      details: { pointer: '/cursor' },
    });
  return ok({ score: Number(score), member });
};
