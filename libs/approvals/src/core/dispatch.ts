/** Plans the resume of a batch that is ready. */
import type { RunErrorCode } from '@triptych/protocol';
import type { Batch, BatchStatus } from './batch.js';
import { withChange, type Change } from './change.js';
import { expired } from './expire.js';
import { MAX_MESSAGE } from './settlement.js';
import { HUB, type Task } from './task.js';

/** An expired interrupt can only be abandoned, even where it was answered in time (AG-UI 1.0). */
const isTooLate = (task: Task, now: number): boolean =>
  task.status === 'settled' &&
  task.decision.payload !== undefined &&
  task.agentDeadline !== undefined &&
  task.agentDeadline <= now;

/** Some answer can only be abandoned by now. */
export const hasLateAnswer = ({ tasks }: Batch, now: number): boolean =>
  tasks.some((task) => isTooLate(task, now));

const isHeld = ({ tasks }: Batch): boolean =>
  tasks.every((task) => task.status === 'settled' && task.decision.kind === 'expired') &&
  tasks.some(({ ruling }) => ruling.onAllExpired === 'hold');

/** A name that was asked for but could not be had for this long is given up: the answer matters more. Milliseconds. */
const NAME_PATIENCE_MS = 30_000;

/** undefined: the batch does not wait to be sent, or not yet. */
export const planDispatch = (batch: Batch, now: number, freshRunId: string): Change | undefined => {
  const { status } = batch;
  if (status.state !== 'ready' || now < status.notBefore) return undefined;
  const tasks = batch.tasks.filter((task) => isTooLate(task, now)).map((task) => expired(task, now));
  const lapsed = tasks.map(({ taskId }) => ({ action: 'expired', by: HUB, taskId }));
  if (tasks.length > 0 && isHeld(withChange(batch, { tasks, news: [] })))
    return {
      tasks,
      status: { state: 'blocked', why: 'all-expired' },
      news: [...lapsed, { action: 'blocked', by: HUB }],
    };
  const named = now - status.notBefore < NAME_PATIENCE_MS ? status.runId : undefined;
  const next: BatchStatus = { state: 'dispatching', attempt: status.attempt + 1, runId: named ?? freshRunId };
  return { tasks, status: next, news: [...lapsed, { action: next.state, by: HUB }] };
};

type ToOperators = (attempt: number) => Extract<BatchStatus, { readonly state: 'retry_wait' | 'blocked' }>;

/** undefined: it does not wait to be sent, or not yet. */
const leftToOperators = ({ status }: Batch, now: number, how: ToOperators): Change | undefined => {
  if (status.state !== 'ready' || now < status.notBefore) return undefined;
  const waits = how(status.attempt);
  return { tasks: [], status: waits, news: [{ action: waits.state, by: HUB }] };
};

/** APR-57: a batch whose agent this deployment does not know waits for an operator. */
export const agentGone = (batch: Batch, now: number): Change | undefined => {
  const code: RunErrorCode = 'hub/agent-unavailable';
  const message = `No agent is called ${batch.facts.agentId} here.`;
  return leftToOperators(batch, now, (attempt) => ({ state: 'retry_wait', attempt, code, message }));
};

/** APR-87: nothing was sent, and trying again would come to the same; in the words of what went wrong. */
export const undeliverable = (batch: Batch, now: number, why: string): Change | undefined => {
  const message = why.slice(0, MAX_MESSAGE);
  return leftToOperators(batch, now, (attempt) => ({
    state: 'blocked',
    why: 'undeliverable',
    attempt,
    message,
  }));
};
