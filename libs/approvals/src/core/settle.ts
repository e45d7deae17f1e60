/** Closes a task with a decision; nothing of its open life but votes and history goes along. */
import type { DecisionKind } from '@triptych/protocol';
import { hashOf, shortNameOf } from './canonical.js';
import { HUB, remember, type Decision, type SettledTask, type Task } from './task.js';

export interface Verdict {
  readonly kind: DecisionKind;
  readonly by: readonly string[];
  readonly at: number;
  readonly payload?: unknown;
  readonly reason?: string;
}

const ACTION_OF: Readonly<Record<DecisionKind, string>> = {
  approved: 'approve',
  rejected: 'reject',
  responded: 'respond',
  cancelled: 'cancel',
  expired: 'expire',
};

/** An abandoned question has no payload; its hash is that of `null`. */
export const payloadHashOf = (payload: unknown): string => hashOf(payload ?? null);

const decisionOf = (task: Task, { kind, by, at, payload, reason }: Verdict): Decision => {
  const edited = kind === 'approved' && task.edit ? { editedArgs: task.edit.args } : {};
  return {
    // The same decision has the same name on every attempt to deliver it.
    id: shortNameOf([task.taskId, task.rev, kind, by, at]),
    kind,
    by,
    at,
    proposalHash: task.proposalHash,
    payloadHash: payloadHashOf(payload),
    ...(payload === undefined ? {} : { payload }),
    ...edited,
    ...(reason === undefined ? {} : { reason }),
  };
};

export const settled = (task: Task, verdict: Verdict): SettledTask => {
  const { claim: _claim, ...rest } = task;
  const { kind, by, at, reason } = verdict;
  const line = {
    at,
    by: by.at(-1) ?? HUB,
    action: ACTION_OF[kind],
    ...(reason === undefined ? {} : { text: reason }),
  };
  return { ...rest, status: 'settled', decision: decisionOf(task, verdict), history: remember(task, line) };
};
