/** Says in a line where a task stands: who has it, who has voted, what was decided by whom and what came of it. */
import type { DecisionKind, DecisionVerb, TaskView } from '@triptych/protocol';

export type NameOf = (subject: string) => string;

const DECIDED: Readonly<Record<DecisionKind, string>> = {
  approved: 'Approved',
  rejected: 'Rejected',
  responded: 'Answered',
  cancelled: 'Cancelled',
  expired: 'Expired: nobody decided in time',
};

const VOTED: Readonly<Record<DecisionVerb, string>> = {
  approve: 'approved',
  reject: 'rejected',
  respond: 'answered',
  cancel: 'cancelled',
};

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

const votesOf = ({ votes, quorum }: TaskView, nameOf: NameOf): string => {
  const said = votes.map(({ by, verb }) => `${nameOf(by)} ${VOTED[verb]}`);
  return `${quorum.have} of ${quorum.needed} votes${said.length === 0 ? '' : `: ${listed(said)}`}.`;
};

const openLine = (task: TaskView, nameOf: NameOf): string => {
  const { claim, quorum, votes, assignee } = task;
  const waits = claim ? `Claimed by ${nameOf(claim.by)}.` : 'Waiting for a decision.';
  const given = assignee === undefined ? '' : ` Given to ${nameOf(assignee)}.`;
  const counted = quorum.needed > 1 || votes.length > 0 ? ` ${votesOf(task, nameOf)}` : '';
  return waits + given + counted;
};

const decidedLine = ({ decision }: TaskView, nameOf: NameOf): string => {
  if (!decision) return 'Decided.';
  const by = decision.by.map(nameOf);
  return `${DECIDED[decision.kind]}${by.length === 0 ? '' : ` by ${listed(by)}`}.`;
};

/** How far the answer has come. */
const fateLine = ({ state, batch }: TaskView): string => {
  switch (batch.state) {
    case 'open':
      return state === 'decided'
        ? ` ${batch.open} of ${batch.total} questions of this run are still open.`
        : '';
    case 'ready':
    case 'dispatching':
    case 'running':
      return ' The agent is being told.';
    case 'done':
      return ' The agent was told.';
    case 'retry_wait':
      return ' The agent could not be reached; it is tried again.';
    case 'unknown':
    case 'blocked':
      return ' It needs an operator.';
  }
};

export const standingOf = (task: TaskView, nameOf: NameOf): string => {
  switch (task.state) {
    case 'pending':
    case 'claimed':
    case 'voting':
      return openLine(task, nameOf);
    case 'held':
      return `${decidedLine(task, nameOf)} It can still be taken back.`;
    case 'expired':
      return `${DECIDED.expired}.`;
    case 'superseded':
      return `${decidedLine(task, nameOf)} The conversation went on without it.`;
    case 'decided':
    case 'dispatched':
    case 'closed':
      return decidedLine(task, nameOf) + fateLine(task);
  }
};
