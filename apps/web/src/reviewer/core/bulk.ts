/** Several tasks looked at together: what may be done with each, what they add up to, what they share, what came of an act. */
import { sameJson, type BulkReply, type Refusal, type TaskView } from '@triptych/protocol';
import { currentArgs, rowsOf } from './current.js';
import { isWeighty, LARGE_AMOUNT, stakeOf, type Money } from './stake.js';
import type { ValueRow } from './values.js';

/** As many as the hub takes in one request. */
export const MAX_PICKED = 100;

export type BulkVerb = 'approve' | 'reject';

/** Picks one more or one less; beyond what the hub takes at once nothing is added. */
export const withPick = (picks: ReadonlySet<string>, taskId: string): ReadonlySet<string> => {
  const next = new Set(picks);
  if (!next.delete(taskId) && next.size < MAX_PICKED) next.add(taskId);
  return next;
};

/** From one to the other, whichever comes first; without a first one the last alone. */
export const between = (ids: readonly string[], from: string | undefined, to: string): readonly string[] => {
  const [first, last] = [from === undefined ? -1 : ids.indexOf(from), ids.indexOf(to)];
  return first < 0 ? [to] : ids.slice(Math.min(first, last), Math.max(first, last) + 1);
};

export const able = (tasks: readonly TaskView[], verb: BulkVerb): readonly TaskView[] =>
  tasks.filter((task) => task.may.includes(verb));

/** Their money, one sum a currency; what has no amount adds nothing and hides nothing. */
export const sumsOf = (tasks: readonly TaskView[]): readonly Money[] => {
  const sums = new Map<string, Money>();
  for (const stake of tasks.map((task) => stakeOf(currentArgs(task)))) {
    if (stake === undefined) continue;
    const before = sums.get(stake.currency)?.value ?? 0;
    sums.set(stake.currency, { ...stake, value: before + stake.value });
  }
  return [...sums.values()];
};

/** Whether an approval asks once more: one of those it reaches would, or all of them together. */
export const weighTogether = (tasks: readonly TaskView[]): boolean => {
  const those = able(tasks, 'approve');
  return (
    those.some((task) => isWeighty(task, currentArgs(task))) ||
    sumsOf(those).some(({ value }) => value >= LARGE_AMOUNT)
  );
};

/** What is the same in each of several; what is hidden may differ, so it is not said to be shared. */
export const sharedRows = (tasks: readonly TaskView[]): readonly ValueRow[] => {
  const [first, ...others] = tasks.map((task) => rowsOf(task, currentArgs(task)) ?? []);
  if (first === undefined || others.length === 0) return [];
  const isIn = (rows: readonly ValueRow[], row: ValueRow): boolean =>
    rows.some((other) => other.key === row.key && sameJson(other.value, row.value));
  return first.filter((row) => row.value.kind !== 'redacted' && others.every((rows) => isIn(rows, row)));
};

/** What the bar of acts is for: a look, the last question, the note of a rejection. */
export type BulkMode = 'look' | 'confirm' | 'reject';

/** A question or a note for what nobody here may do any more gives way. */
export const modeFor = (wanted: BulkMode, tasks: readonly TaskView[]): BulkMode => {
  if (wanted === 'look') return 'look';
  return able(tasks, wanted === 'confirm' ? 'approve' : 'reject').length === 0 ? 'look' : wanted;
};

/** One decision for each that this person may decide so. */
export const decisionsOn = (tasks: readonly TaskView[], verb: BulkVerb, reason: string) =>
  able(tasks, verb).map(({ taskId, rev, proposalHash }) => ({
    taskId,
    rev,
    verb,
    proposalHash,
    ...(reason === '' ? {} : { reason }),
  }));

export interface BulkOutcome {
  readonly verb: BulkVerb;
  /** As they are now. */
  readonly done: readonly TaskView[];
  readonly refused: ReadonlyMap<string, Refusal>;
}

export const outcomeOf = (verb: BulkVerb, { results }: BulkReply): BulkOutcome => ({
  verb,
  done: results.flatMap((result) => ('task' in result ? [result.task] : [])),
  refused: new Map(
    results.flatMap((result) => ('error' in result ? [[result.taskId, result.error] as const] : [])),
  ),
});

/** Those of an act that can still be taken back, and until when the first of them can. */
export const heldOf = ({ done }: BulkOutcome): { tasks: readonly TaskView[]; until: number } | undefined => {
  const tasks = done.filter((task) => task.state === 'held' && task.may.includes('undo'));
  if (tasks.length === 0) return undefined;
  return { tasks, until: Math.min(...tasks.map((task) => task.heldUntil ?? 0)) };
};

/** What is left of an act when some of it was taken back; undefined where nothing is. */
export const without = (outcome: BulkOutcome, undone: ReadonlySet<string>): BulkOutcome | undefined => {
  const done = outcome.done.filter(({ taskId }) => !undone.has(taskId));
  return done.length === 0 ? undefined : { ...outcome, done };
};
