/** By how much a task's time may be moved: never past the time at which it ends. */
import type { TaskView } from '@triptych/protocol';

const HOUR = 60 * 60 * 1_000;
/** What a desk gives: a little, the rest of the day, until tomorrow. */
const STEPS = [HOUR, 4 * HOUR, 24 * HOUR];

export interface MoreTime {
  readonly ms: number;
  readonly dueAt: number;
}

/** Counted from the time it is due, or from now where that is over or was never set. */
export const moreTime = (
  { dueAt, expiresAt }: Pick<TaskView, 'dueAt' | 'expiresAt'>,
  now: number,
): readonly MoreTime[] =>
  STEPS.map((ms) => ({ ms, dueAt: Math.max(dueAt ?? now, now) + ms })).filter(
    (more) => more.dueAt <= expiresAt,
  );
