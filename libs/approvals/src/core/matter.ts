/** What lies before the judge: one task of a batch, one person, one moment of the store's clock. */
import { can, limitsKept, mayNot, type Actor, type Ruling, type TaskFacts } from '@triptych/access';
import type { MayNotReason } from '@triptych/protocol';
import type { Batch, BatchFacts } from './batch.js';
import { argsOf, rulingsOf, type Task } from './task.js';

export interface Matter {
  readonly batch: Batch;
  readonly task: Task;
  readonly actor: Actor;
  /** Unix milliseconds. */
  readonly now: number;
}

export type Guarded =
  | 'claim'
  | 'release'
  | 'heartbeat'
  | 'takeover'
  | 'comment'
  | 'approve'
  | 'reject'
  | 'respond'
  | 'edit'
  | 'cancel'
  | 'reveal';

const factsOf = (facts: BatchFacts, task: Task, ruling: Ruling): TaskFacts => ({
  tenant: facts.tenant,
  owner: facts.owner,
  requesters: facts.requesters,
  audience: ruling.audience,
  groups: ruling.groups,
  approvable: ruling.approvable,
  forbid: ruling.forbid,
  withinLimits: limitsKept(ruling.limits, argsOf(task)),
  ...(task.edit ? { editor: task.edit.by } : {}),
});

/** False: to this person the task does not exist. */
export const mayRead = ({ batch, task, actor }: Pick<Matter, 'batch' | 'task' | 'actor'>): boolean =>
  can(actor, 'task.read', factsOf(batch.facts, task, task.ruling));

/** APR-33: the history of a customer's question is the customer's to read, so nothing of it is revealed. */
export const mayBeRevealed = ({ task }: Pick<Matter, 'task'>): boolean => task.ruling.audience === 'reviewer';

/** An edit may bring a second rule into play; then both must permit. */
export const permits = ({ batch, task, actor }: Matter, action: Guarded): boolean =>
  rulingsOf(task).every((ruling) => can(actor, `task.${action}`, factsOf(batch.facts, task, ruling)));

export const whyNot = ({ batch, task, actor }: Matter, action: Guarded): MayNotReason | undefined =>
  rulingsOf(task)
    .map((ruling) => mayNot(actor, `task.${action}`, factsOf(batch.facts, task, ruling)))
    .find((reason) => reason !== undefined);

/** The groups this person may stand for in a vote. */
export const votingGroups = ({ task, actor }: Matter): readonly string[] => {
  const asked = rulingsOf(task).flatMap((ruling) => ruling.groups);
  return asked.length === 0 ? actor.groups : actor.groups.filter((group) => asked.includes(group));
};
