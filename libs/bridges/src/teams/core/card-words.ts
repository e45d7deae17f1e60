/** Says in words where a task stands. */
import type { DecisionKind, TaskView } from '@triptych/protocol';
import { nameIn, type Names } from '../../core/names.js';
import { timeText } from '../../core/time-text.js';

const DECIDED: Readonly<Record<DecisionKind, string>> = {
  approved: 'Approved',
  rejected: 'Rejected',
  responded: 'Answered',
  cancelled: 'Cancelled',
  expired: 'Expired',
};

const figures = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });
/** As the arguments have it: what is shown is what runs. */
export const valueText = (value: unknown): string => {
  if (typeof value === 'number') return figures.format(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
};

export const titleOf = (task: TaskView): string => {
  const { decision, state } = task;
  if (decision)
    return state === 'held' ? `${DECIDED[decision.kind]}, can still be taken back` : DECIDED[decision.kind];
  if (state === 'expired') return DECIDED.expired;
  if (state === 'superseded') return 'No longer asked';
  return task.proposal.toolName === undefined ? 'A question is waiting' : 'A decision is waiting';
};

/** One line: who has it, or who decided. */
export const standingOf = (task: TaskView, names: Names): string | undefined => {
  const { decision, claim, votes, quorum, batch } = task;
  const named = (subject: string): string => nameIn(names, subject);
  if (decision) {
    const by = decision.by.length === 0 ? '' : ` by ${decision.by.map(named).join(', ')}`;
    const held = batch.open > 0 ? ` · waits for ${batch.open} more of ${batch.total}` : '';
    return `${DECIDED[decision.kind]}${by} · ${timeText(decision.at)}${held}`;
  }
  if (votes.length > 0) {
    const voters = votes.map(({ by, verb }) => `${named(by)} (${verb})`).join(', ');
    return `${quorum.have} of ${quorum.needed} votes: ${voters}`;
  }
  return claim ? `Claimed by ${named(claim.by)} until ${timeText(claim.until)}` : undefined;
};
