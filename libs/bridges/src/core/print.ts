/** Tells whether what a destination shows of a task is still true, and what has happened since. */
import { createHash } from 'node:crypto';
import { OPEN_TASK_STATES, type TaskView } from '@triptych/protocol';
import type { What } from './bridge.js';

/** What was shown, as far as the next notice is told from it. */
export interface Was {
  readonly state: TaskView['state'];
  readonly holder?: string | undefined;
  readonly groups: number;
  readonly trouble: boolean;
}

const PRINT_LENGTH = 22;
const TROUBLE: readonly TaskView['batch']['state'][] = ['retry_wait', 'unknown', 'blocked'];

export const hashOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, PRINT_LENGTH);

export const wasOf = ({ state, claim, groups, batch }: TaskView): Was => ({
  state,
  ...(claim ? { holder: claim.by } : {}),
  groups: groups.length,
  trouble: TROUBLE.includes(batch.state),
});

const comments = ({ history = [] }: TaskView): number =>
  history.filter(({ action }) => action === 'comment').length;

/** How far the answer has come: what its siblings and the agent do shows once this one is answered. */
const fateOf = ({ decision, batch }: TaskView): readonly unknown[] =>
  decision === undefined ? [] : [batch.state, batch.open];

/** Alike for views that look alike: renewed claims and the hour of the day are no news. */
export const printOf = (view: TaskView): string =>
  hashOf(
    wasOf(view),
    [view.rev, view.proposalHash, view.policy.version, view.proposal, view.edit],
    [view.votes, view.quorum, view.decision, view.heldUntil, view.assignee, view.groups],
    [view.dueAt, view.expiresAt, comments(view)],
    fateOf(view),
  );

export const isOpen = (state: TaskView['state']): boolean => OPEN_TASK_STATES.includes(state);
const HAS_RUN: readonly TaskView['state'][] = ['dispatched', 'closed'];
export const hasRun = (state: TaskView['state']): boolean => HAS_RUN.includes(state);

const closedBy = (was: Was, is: Was): What | undefined => {
  if (is.state === 'expired') return was.state === 'expired' ? undefined : 'expired';
  if (isOpen(was.state)) return 'decided';
  return hasRun(is.state) && !hasRun(was.state) ? 'resumed' : undefined;
};

export const movedBy = (was: Was, is: Was): What | undefined => {
  if (is.groups > was.groups) return 'escalated';
  return is.holder !== undefined && is.holder !== was.holder ? 'claimed' : undefined;
};

/** The most telling of what has happened; what was never shown is created, whatever has become of it. */
export const whatSince = (was: Was | undefined, view: TaskView): What => {
  if (!was) return 'created';
  const is = wasOf(view);
  if (is.trouble && !was.trouble) return 'failed';
  return (isOpen(is.state) ? movedBy(was, is) : closedBy(was, is)) ?? 'changed';
};
