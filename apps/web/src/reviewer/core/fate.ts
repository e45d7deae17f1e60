/** Says what became of a task: approved is not done, and unknown is a fate of its own. */
import { OPEN_TASK_STATES, type TaskView } from '@triptych/protocol';

export type Fate =
  | { readonly kind: 'open' }
  | { readonly kind: 'held'; readonly until: number }
  | { readonly kind: 'waiting'; readonly others: number }
  | { readonly kind: 'going' | 'done'; readonly decided: 'approved' | 'rejected' | 'responded' }
  | { readonly kind: 'cancelled' | 'expired' | 'superseded' | 'unknown' | 'failed' };

type Fated = Pick<TaskView, 'state' | 'decision' | 'batch' | 'heldUntil'>;

const ofDecided = ({ batch, state }: Fated, decided: 'approved' | 'rejected' | 'responded'): Fate => {
  if (batch.state === 'done' || state === 'closed') return { kind: 'done', decided };
  if (batch.state === 'unknown') return { kind: 'unknown' };
  // Nothing is repeated by itself: an operator is asked.
  if (batch.state === 'blocked' || batch.state === 'retry_wait') return { kind: 'failed' };
  if (batch.state === 'open' && batch.open > 0) return { kind: 'waiting', others: batch.open };
  return { kind: 'going', decided };
};

export const fateOf = (task: Fated): Fate => {
  if (task.state === 'held' && task.heldUntil !== undefined) return { kind: 'held', until: task.heldUntil };
  if (OPEN_TASK_STATES.includes(task.state)) return { kind: 'open' };
  if (task.state === 'superseded') return { kind: 'superseded' };
  const decided = task.decision?.kind;
  if (task.state === 'expired' || decided === 'expired') return { kind: 'expired' };
  if (decided === undefined || decided === 'cancelled') return { kind: 'cancelled' };
  return ofDecided(task, decided);
};

/** Nothing about it will change any more. */
export const isSettled = (fate: Fate): boolean =>
  fate.kind === 'done' || fate.kind === 'cancelled' || fate.kind === 'expired' || fate.kind === 'superseded';
