/** What lies before the judge: one task of a batch, one person, one moment of the store's clock. */
import {
  can,
  denial,
  limitsKept,
  roleFor,
  type Action,
  type Actor,
  type Denial,
  type Ruling,
  type TaskFacts,
} from '@triptych/access';
import type { TaskEvent } from '@triptych/protocol';
import type { Batch, BatchFacts } from './batch.js';
import type { Cause } from './cause.js';
import { argsOf, groupsIn, HUB, rulingsOf, type Task } from './task.js';

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
  | 'undo'
  | 'assign'
  | 'extend'
  | 'reveal';

const factsOf = (facts: BatchFacts, task: Task, ruling: Ruling): TaskFacts => ({
  tenant: facts.tenant,
  owner: facts.owner,
  requesters: facts.requesters,
  audience: ruling.audience,
  groups: groupsIn(task, ruling),
  approvable: ruling.approvable,
  forbid: ruling.forbid,
  chat: ruling.chat,
  withinLimits: limitsKept(ruling.limits, argsOf(task)),
  ...(task.edit ? { editor: task.edit.by } : {}),
  ...(task.status === 'held' ? { deciders: task.decision.by } : {}),
});

/** What decides who may read a task: tasks alike in it are read by the same people. */
export type Readers = Pick<TaskFacts, 'tenant' | 'owner' | 'audience' | 'groups' | 'approvable'>;

export const readersOf = (facts: BatchFacts, task: Task): Readers => {
  const { tenant, owner, audience, groups, approvable } = factsOf(facts, task, task.ruling);
  // Owners read the questions that are put to them; to reviewers it is all one whose thread it is.
  return { tenant, audience, groups, approvable, owner: audience === 'customer' ? owner : '' };
};

export const areReaders = (readers: Readers, actor: Actor): boolean =>
  can(actor, 'task.read', { ...readers, requesters: [], forbid: [] });

/** False: to this person the task does not exist. */
export const mayRead = ({ batch, task, actor }: Pick<Matter, 'batch' | 'task' | 'actor'>): boolean =>
  areReaders(readersOf(batch.facts, task), actor);

/** APR-33: the history of a customer's question is the customer's to read, so nothing of it is revealed. */
export const mayBeRevealed = ({ task }: Pick<Matter, 'task'>): boolean => task.ruling.audience === 'reviewer';

/** What forbids it, one that the task's `mayNot` has a word for first. An edit may bring a second rule into play; then both must permit. */
export const denialTo = ({ batch, task, actor }: Matter, action: Guarded): Denial | undefined => {
  const denials = rulingsOf(task)
    .map((ruling) => denial(actor, `task.${action}`, factsOf(batch.facts, task, ruling)))
    .filter((one) => one !== undefined);
  return denials.find(({ mayNot }) => mayNot !== undefined) ?? denials[0];
};

export const permits = (matter: Matter, action: Guarded): boolean => denialTo(matter, action) === undefined;

/** They see to what nobody else can see to. */
export const mends = ({ batch, actor }: Pick<Matter, 'batch' | 'actor'>): boolean =>
  can(actor, 'batch.mend', { tenant: batch.facts.tenant });

/** The groups this person may stand for in a vote. */
export const votingGroups = ({ task, actor }: Matter): readonly string[] => {
  const asked = rulingsOf(task).flatMap((ruling) => groupsIn(task, ruling));
  return asked.length === 0 ? actor.groups : actor.groups.filter((group) => asked.includes(group));
};

interface Done {
  readonly batch: Batch;
  readonly cause: Cause;
  /** As it was; at its opening, as it is. */
  readonly before?: Task;
}

const onTask = (actor: Actor, { batch, before }: Done, name: string): string | undefined =>
  before && roleFor(actor, `task.${name}` as Action, factsOf(batch.facts, before, before.ruling));

/** The role in which somebody did what a line tells of; what is done to a whole batch is mending. */
export const roleIn = (done: Done, line?: TaskEvent): string | undefined => {
  const { cause: actor } = done;
  if (actor === HUB) return undefined;
  const verb = line?.action === 'late' ? line.text : line?.action;
  const asked = verb === undefined ? undefined : onTask(actor, done, verb);
  return asked ?? roleFor(actor, 'batch.mend', { tenant: actor.tenant }) ?? onlyOf(actor.roles);
};

const onlyOf = (roles: Actor['roles']): string | undefined => (roles.length === 1 ? roles[0] : undefined);
