/** Reads from a task what a row and a heading say. */
import type { TaskView } from '@triptych/protocol';

/** Within this the deadline needs an eye. */
export const SOON_MS = 60 * 60 * 1_000;

export type Due =
  | { readonly kind: 'none' }
  /** `ms` left, or over. */
  | { readonly kind: 'later' | 'soon' | 'over'; readonly ms: number };

export const dueOf = (task: Pick<TaskView, 'dueAt'>, now: number): Due => {
  if (task.dueAt === undefined) return { kind: 'none' };
  const left = task.dueAt - now;
  if (left < 0) return { kind: 'over', ms: -left };
  return { kind: left <= SOON_MS ? 'soon' : 'later', ms: left };
};

/** How an open task stands with its reader; nothing once it is no longer open. */
export type Holder =
  | { readonly kind: 'free' }
  | { readonly kind: 'mine'; readonly until: number; readonly maxUntil: number }
  | { readonly kind: 'other'; readonly by: string };

/** A claim that has run out holds nothing, even if nobody has said so yet. */
export const holderOf = (task: Pick<TaskView, 'claim'>, me: string, now: number): Holder => {
  if (task.claim === undefined || task.claim.until <= now) return { kind: 'free' };
  const { by, until, maxUntil } = task.claim;
  return by === me ? { kind: 'mine', until, maxUntil } : { kind: 'other', by };
};
