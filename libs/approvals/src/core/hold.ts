/** Holds an answer back for a while, so that whoever gave it can take it back before anything is sent. */
import { forbidden } from '@triptych/access';
import { ok, refuse, type Result } from '@triptych/protocol';
import { barrierTo, refusalOf } from './barrier.js';
import { openTasks, type Batch } from './batch.js';
import { joined, NO_CHANGE, withChange, type Change } from './change.js';
import { CLAIM_MS, MAX_CLAIM_MS } from './claim.js';
import type { Matter } from './matter.js';
import {
  HUB,
  remember,
  rulingsOf,
  unheld,
  type HeldTask,
  type OpenTask,
  type SettledTask,
  type Task,
} from './task.js';

/** What a resume needs to leave in time: an answer is not held until there is none left to send it in. Milliseconds. */
const SENDING_MS = 1_000;

const undoMsOf = (task: Task): number => Math.max(...rulingsOf(task).map(({ undoMs }) => undoMs));

/** APR-35: the answer as it waits, if its rules leave time to take it back. `before`: the task that was answered. */
export const heldBack = (answered: SettledTask, before: OpenTask): HeldTask | SettledTask => {
  const { at } = answered.decision;
  const heldUntil = Math.min(at + undoMsOf(answered), answered.expiresAt - SENDING_MS);
  if (heldUntil <= at) return answered;
  const { proposalHash, edit, votes } = before;
  return {
    ...answered,
    status: 'held',
    heldUntil,
    before: { proposalHash, votes, ...(edit ? { edit } : {}) },
  };
};

/** The answer stands; it is the same decision, of the time when it was given. */
export const stood = (held: HeldTask): SettledTask => {
  const history = remember(held, { at: held.heldUntil, by: HUB, action: 'stand' });
  return { ...unheld(held), status: 'settled', history };
};

/** APR-38: the answers that complete a batch name its run, also while they can still be taken back. */
export const awaitedAs = (batch: Batch, change: Change, runId: string | undefined): Change => {
  if (runId === undefined || change.tasks.length === 0) return change;
  const { status } = change;
  if (status?.state === 'ready') return { ...change, status: { ...status, runId } };
  const open = openTasks(withChange(batch, change));
  const held = open.flatMap((task) => (task.status === 'held' ? [{ ...task, runId }] : []));
  return held.length < open.length ? change : joined(change, { tasks: held, news: [] });
};

/** The task as it was before the answer. Of its votes those that made the answer are void. */
const takenBack = ({ task, actor, now }: Matter & { readonly task: HeldTask }): OpenTask => {
  const { decision, before } = task;
  const { decision: _decision, edit: _edit, ...rest } = unheld(task);
  return {
    ...rest,
    ...before,
    status: 'open',
    rev: task.rev + 1,
    votes: before.votes.filter(({ by }) => !decision.by.includes(by)),
    history: remember(task, { at: now, by: actor.subject, action: 'undo' }),
  };
};

/** Whoever takes an answer back goes on working on the task, where it can be held. */
const claimed = (matter: Matter & { readonly task: OpenTask }): OpenTask => {
  const { task, actor, now } = matter;
  if (barrierTo(matter, 'claim')) return task;
  return { ...task, claim: { by: actor.subject, until: now + CLAIM_MS, maxUntil: now + MAX_CLAIM_MS } };
};

/** Lines that say nothing about how the task stands. */
const SAYINGS: ReadonlySet<string> = new Set([
  'comment',
  'reveal',
  'late',
  'lapse',
  'remind',
  'overdue',
  'escalate',
]);

const isUndone = ({ task, actor }: Matter): boolean => {
  const last = task.history.findLast(({ action }) => !SAYINGS.has(action));
  return task.status === 'open' && last?.action === 'undo' && last.by === actor.subject;
};

/** APR-36: by the store's clock, until the hold ends; then the answer stands. `claims`: they may hold one task more. */
export const undo = (matter: Matter, rev: number, claims = true): Result<Change> => {
  if (isUndone(matter)) return ok(NO_CHANGE);
  const barrier = barrierTo(matter, 'undo');
  if (barrier) return refusalOf(barrier);
  const { task, actor } = matter;
  if (task.status !== 'held') return forbidden('there is no answer that can be taken back');
  if (rev !== task.rev) return refuse('STALE_REVISION');
  const anew = takenBack({ ...matter, task });
  const open = claims ? claimed({ ...matter, task: anew }) : anew;
  const news = [{ action: 'undone', by: actor.subject, taskId: task.taskId }];
  return ok({ tasks: [open], news, notAfter: task.heldUntil });
};
