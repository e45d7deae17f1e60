/** Judges the answers of a batch once more before they are sent: by what was revoked since, and by what the policy asks now. */
import { NO_RULE, stricterOf, type Actor, type Ruling } from '@triptych/access';
import type { Result } from '@triptych/protocol';
import type { Batch } from './batch.js';
import type { Change } from './change.js';
import { widenedBy } from './escalate.js';
import { permits, votingGroups } from './matter.js';
import { isCarried } from './quorum.js';
import { reopened, reopening } from './reopen.js';
import { HUB, type SettledTask, type Task, type Vote } from './task.js';

export interface Recheck {
  /** Unix milliseconds. */
  readonly now: number;
  /** The same person, with fewer roles, or refused. */
  readonly standing: (actor: Actor) => Result<Actor>;
  /** The rule that arguments of a task fall under, as the policy stands now. */
  readonly ruleOn: (task: Task, args: unknown) => Ruling;
}

/** `revoked`: the voter has a say no more. `ruled-out`: the policy of now does not ask them. */
type Found =
  | { readonly is: 'kept'; readonly vote: Vote }
  | { readonly is: 'revoked' | 'ruled-out'; readonly vote: Vote };

const VERB_OF = {
  approved: 'approve',
  rejected: 'reject',
  responded: 'respond',
  cancelled: 'cancel',
  expired: 'cancel',
} as const;

/** Where no rule has people answer a client's call any more, they were asked more than need be. */
const isLoose = ({ source }: Task, { rule }: Ruling): boolean =>
  source === 'frontend_tool' && rule === NO_RULE;

const tightened = (was: Ruling, task: Task, is: Ruling): Ruling =>
  isLoose(task, is) ? was : stricterOf(was, is);

/** The task under what its own rule and the policy of now ask together; the same where that is no more than its own rule asks. */
const underNow = (task: SettledTask, { ruleOn, now }: Recheck): SettledTask => {
  const ruling = tightened(task.ruling, task, ruleOn(task, task.proposal.args));
  const { edit } = task;
  const own = edit?.ruling ?? task.ruling;
  const onEdit = edit ? tightened(own, task, ruleOn(task, edit.args)) : own;
  const edited = edit && onEdit !== own ? { edit: { ...edit, ruling: onEdit } } : {};
  if (ruling === task.ruling) return { ...task, ...edited };
  const { escalated: _escalated, widened: _widened, ...rest } = task;
  return { ...rest, ...edited, ruling, ...widenedBy(task, ruling, now) };
};

/** APR-79: what an older version stored does not say who its voters were; it stands. */
const findOf = (batch: Batch, task: SettledTask, { standing, now }: Recheck) => {
  const { tenant } = batch.facts;
  return (vote: Vote): Found => {
    if (!vote.voter) return { is: 'kept', vote };
    const was: Actor = { ...vote.voter, subject: vote.by, tenant };
    const judged = standing(was);
    if (!judged.ok) return { is: 'revoked', vote };
    const matter = { batch, task, actor: judged.value, now };
    if (permits(matter, vote.verb)) return { is: 'kept', vote: { ...vote, groups: votingGroups(matter) } };
    return { is: judged.value === was ? 'ruled-out' : 'revoked', vote };
  };
};

const stands = ({ decision, ...task }: SettledTask, votes: readonly Vote[]): boolean => {
  const verb = VERB_OF[decision.kind];
  const hasVoted = (by: string, among: readonly Vote[]): boolean =>
    among.some((vote) => vote.by === by && vote.verb === verb);
  if (!decision.by.every((by) => hasVoted(by, task.votes))) return true;
  if (verb === 'reject') return decision.by.every((by) => hasVoted(by, votes));
  return isCarried({ ...task, decision, votes }, { verb, payloadHash: decision.payloadHash });
};

const namesOf = (found: readonly Found[], is: Found['is']): string =>
  found.flatMap((one) => (one.is === is ? [one.vote.by] : [])).join(', ');

const whyVoid = (found: readonly Found[]): string => {
  const [revoked, ruledOut] = [namesOf(found, 'revoked'), namesOf(found, 'ruled-out')];
  const why = [
    ...(revoked === '' ? [] : [`The role or token of ${revoked} was revoked.`]),
    ...(ruledOut === '' ? [] : [`By the policy in force this is not for ${ruledOut} to answer.`]),
  ];
  return why.length === 0 ? 'The policy in force asks for more answers.' : why.join(' ');
};

/** undefined: its answer stands, or it is none that anybody would act on. */
const voided = (batch: Batch, task: Task, recheck: Recheck): Task | undefined => {
  if (task.status !== 'settled' || task.decision.payload === undefined) return undefined;
  const ruled = underNow(task, recheck);
  const found = task.votes.map(findOf(batch, ruled, recheck));
  const votes = found.flatMap((one) => (one.is === 'kept' ? [one.vote] : []));
  if (stands({ ...ruled, votes: task.votes }, votes)) return undefined;
  const why = { by: HUB, now: recheck.now, action: 'void', text: whyVoid(found) } as const;
  return reopened(ruled, why, votes);
};

/** APR-62, APR-63: the questions whose answers count no more are put to people again; undefined: all of them count. */
export const voidAnswers = (batch: Batch, recheck: Recheck): Change | undefined => {
  const tasks = batch.tasks.map((task) => voided(batch, task, recheck) ?? task);
  if (tasks.every((task, i) => task === batch.tasks[i])) return undefined;
  return reopening(batch, tasks, { by: HUB, now: recheck.now, action: 'void' });
};
