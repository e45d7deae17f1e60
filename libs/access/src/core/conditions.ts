/** The named conditions of the capability table, each one question about an actor and a thing. */
import type { MayNotReason } from '@triptych/protocol';
import type { Actor, Principal } from './actor.js';
import type { Candidacy, Facts } from './facts.js';

/** No, in words for the one who asked. */
export interface Denial {
  readonly allowed: false;
  readonly because: string;
  readonly mayNot?: MayNotReason;
}

/** Yes, or no with the words that explain it. */
export type Verdict = { readonly allowed: true; readonly because: string } | Denial;

export type Condition = (actor: Actor, facts: Facts, principal: Principal) => Verdict;

/** How long a reviewer may look back at a thread after their task on it closed. */
export const REVIEW_MEMORY_MS = 30 * 24 * 60 * 60 * 1000;

const yes = (because: string): Verdict => ({ allowed: true, because });
const no = (because: string, mayNot?: MayNotReason): Denial => ({
  allowed: false,
  because,
  ...(mayNot ? { mayNot } : {}),
});
const when = (held: boolean, because: string, otherwise: string): Verdict =>
  held ? yes(because) : no(otherwise);

/** ACC-6: a task is for the reviewers of its groups; without groups for every reviewer; a customer's task for none. */
export const isCandidate = (actor: Pick<Actor, 'tenant' | 'roles' | 'groups'>, task: Candidacy): boolean =>
  task.tenant === actor.tenant &&
  task.audience === 'reviewer' &&
  task.approvable &&
  (actor.roles.includes('reviewer') || actor.roles.includes('supervisor')) &&
  (task.groups.length === 0 || task.groups.some((group) => actor.groups.includes(group)));

const asCandidacy = ({ tenant, audience, groups, approvable }: Facts): Candidacy | undefined =>
  audience === undefined || groups === undefined || approvable === undefined
    ? undefined
    : { tenant, audience, groups, approvable };

const always: Condition = () => yes('the role allows it');
const owns = (actor: Actor, { owner }: Facts): boolean => owner !== undefined && owner === actor.subject;

const ownThread: Condition = (actor, facts) =>
  when(
    owns(actor, facts) && (facts.surface ?? 'customer') === 'customer',
    'the thread is yours',
    'the thread is not yours',
  );

const startsRuns: Condition = (_actor, { starters }, role) =>
  when(
    starters?.some((starter) => starter === role) ?? false,
    `a ${role} may start this agent`,
    `no ${role} may start this agent`,
  );

/** HUB-110: on the surface of a customer, where it is asked on one. */
const startsOwn: Condition = (actor, facts, role) => {
  if ((facts.surface ?? 'customer') !== 'customer') return no('runs are started as a customer');
  if (!owns(actor, facts)) return no('the thread is not yours');
  return startsRuns(actor, facts, role);
};

/** HUB-110: and not beside a view of theirs that is narrower. */
const startsForOthers: Condition = (actor, facts, role) => {
  if ((facts.surface ?? 'operator') !== 'operator') return no('runs of others are started as an operator');
  return startsRuns(actor, facts, role);
};

const withinMemory = (task: Candidacy, now: number | undefined): boolean =>
  task.closedAt === undefined || (now !== undefined && now - task.closedAt <= REVIEW_MEMORY_MS);

const reviewsThread: Condition = (actor, { surface, tasks, now }) =>
  when(
    (surface ?? 'reviewer') === 'reviewer' &&
      (tasks ?? []).some((task) => isCandidate(actor, task) && withinMemory(task, now)),
    'the thread has, or lately had, a task for you',
    'the thread has no task for you',
  );

const boundAgent: Condition = (actor, { agentId }) =>
  when(agentId === actor.subject, 'the thread is bound to this agent', 'the thread belongs to another agent');

const candidate: Condition = (actor, facts) => {
  const task = asCandidacy(facts);
  if (!task || task.audience !== 'reviewer') return no('the task is not for reviewers');
  if (!task.approvable) return no('no rule covers the task, so it is for operators only');
  return isCandidate(actor, task)
    ? yes('you are a candidate for the task')
    : no('you are in none of the task’s groups', 'group');
};

/** ACC-7: whoever asked for a thing, or edited it where the rule says so, does not decide it. */
const askedForIt = (actor: Actor, { forbid, requesters, owner }: Facts): Verdict | undefined =>
  forbid?.includes('requester') && (requesters?.includes(actor.subject) || owner === actor.subject)
    ? no('you asked for it yourself', 'requester')
    : undefined;

const editedIt = (actor: Actor, { forbid, editor }: Facts): Verdict | undefined =>
  forbid?.includes('editor') && editor === actor.subject ? no('you edited it yourself', 'editor') : undefined;

/** Not the one who asked: enough to take a task up, or to edit it. */
const notRequester: Condition = (actor, facts, role) => {
  const first = candidate(actor, facts, role);
  return first.allowed ? (askedForIt(actor, facts) ?? first) : first;
};

const voter: Condition = (actor, facts, role) => {
  const first = notRequester(actor, facts, role);
  if (!first.allowed) return first;
  if (facts.withinLimits?.[role] === false) return no(`it is beyond what a ${role} may decide`, 'limit');
  return editedIt(actor, facts) ?? first;
};

/** APR-36: whoever gave the answer takes it back, as long as the task is for them. */
const decider: Condition = (actor, facts, role) => {
  const first = candidate(actor, facts, role);
  if (!first.allowed) return first;
  return when(
    facts.deciders?.includes(actor.subject) ?? false,
    'the answer is yours',
    'the answer is not yours',
  );
};

/** `forbid` is never applied here: the one who asks is the one who answers. */
const ownQuestion: Condition = (actor, facts) =>
  when(
    facts.audience === 'customer' && facts.approvable === true && owns(actor, facts),
    'the question is put to you',
    'the question is not put to you',
  );

/** ACC-70: a rule says that it is decided in chat; one that says nothing is decided where all of it is shown. */
const decidedInChat: Condition = (_actor, { chat }) =>
  when(chat === true, 'its rule has it decided in chat too', 'its rule does not have it decided in chat');

/** Conditions by name; the table says which role needs which for what. */
export const CONDITIONS = {
  always,
  ownThread,
  startsOwn,
  startsForOthers,
  startsRuns,
  reviewsThread,
  boundAgent,
  candidate,
  notRequester,
  voter,
  decider,
  ownQuestion,
  decidedInChat,
  customerSurface: (_actor, { surface }) =>
    when(surface === 'customer', 'customers have this surface', 'customers have the customer surface only'),
  reviewerSurface: (_actor, { surface }) =>
    when(surface === 'reviewer', 'reviewers have this surface', 'reviewers have the reviewer surface only'),
  operatorSurface: (_actor, { surface }) =>
    when(surface === 'operator', 'operators have this surface', 'operators have the operator surface only'),
} satisfies Record<string, Condition>;

export type ConditionName = keyof typeof CONDITIONS;
