/** Decides what a person's answer does to a task. */
import type { Ruling } from '@triptych/access';
import { ok, refuse, sameJson, type Result } from '@triptych/protocol';
import { answerFor, isArguments, type Answer } from './answer.js';
import { barrierTo, refusalOf, stillOpen, type Barrier } from './barrier.js';
import { changeTo, NO_CHANGE, type Change } from './change.js';
import type { DecideCommand } from './command.js';
import { votingGroups, type Matter } from './matter.js';
import { proposalHashOf } from './proposal-hash.js';
import { agreeing, isCarried } from './quorum.js';
import { heldBack } from './hold.js';
import { isRepeat } from './repeat.js';
import { payloadHashOf, settled } from './settle.js';
import { argsOf, remember, type Edit, type OpenTask, type Task, type Vote, type Voter } from './task.js';

/** The rule that arguments fall under, as the policy stands now. */
export type RuleOn = (args: unknown) => Ruling;

/** A command as it would be carried out. */
interface Plan {
  /** The task with this command's edit, where there is one. */
  readonly task: OpenTask;
  readonly edits: boolean;
  /** False: under `forbid: editor` an edit stands without its author's vote. */
  readonly votes: boolean;
  readonly barrier?: Barrier;
}

/** A matter whose task is known to be open. */
interface OpenMatter extends Matter {
  readonly task: OpenTask;
}

const changesArgs = ({ task }: OpenMatter, { verb, editedArgs }: DecideCommand): boolean =>
  verb === 'approve' && isArguments(editedArgs) && !sameJson(editedArgs, argsOf(task));

/** APR-9: edited arguments must satisfy the rule they fall under beside the rule of the question. */
const draftOf = ({ task, actor, now }: OpenMatter, args: unknown, ruleOn: RuleOn): OpenTask => {
  const ruling = ruleOn(args);
  const other = ruling.rule === task.ruling.rule ? {} : { ruling };
  const edit: Edit = { by: actor.subject, at: now, args, ...other };
  return { ...task, edit, votes: [] };
};

const ELSEWHERE: Barrier = { code: 'FORBIDDEN', because: 'so edited it is for others to decide' };

const planOf = (matter: OpenMatter, command: DecideCommand, ruleOn: RuleOn): Plan => {
  const { task } = matter;
  if (!changesArgs(matter, command)) {
    const barrier = barrierTo(matter, command.verb);
    return { task, edits: false, votes: true, ...(barrier ? { barrier } : {}) };
  }
  const draft = draftOf(matter, command.editedArgs, ruleOn);
  const onEdit = barrierTo(matter, 'edit');
  if (onEdit) return { task, edits: true, votes: false, barrier: onEdit };
  if (draft.edit?.ruling && draft.edit.ruling.audience !== task.ruling.audience)
    return { task, edits: true, votes: false, barrier: ELSEWHERE };
  const onVote = barrierTo({ ...matter, task: draft }, 'approve');
  if (!onVote) return { task: draft, edits: true, votes: true };
  const stands = onVote.code === 'FORBIDDEN' && onVote.why === 'editor';
  return { task: draft, edits: true, votes: false, ...(stands ? {} : { barrier: onVote }) };
};

const isStale = (task: Task, { rev, proposalHash }: DecideCommand): boolean => {
  if (rev !== undefined && rev !== task.rev) return true;
  if (proposalHash !== undefined) return proposalHash !== task.proposalHash;
  // Whoever names neither has seen the proposal, not somebody's edit of it.
  return rev === undefined && task.edit !== undefined;
};

const edited = (task: OpenTask, { actor, now }: Matter): OpenTask => ({
  ...task,
  rev: task.rev + 1,
  proposalHash: proposalHashOf(task, task.edit),
  history: remember(task, { at: now, by: actor.subject, action: 'edit' }),
});

const withoutClaimOf = (task: OpenTask, subject: string): OpenTask => {
  if (task.claim?.by !== subject) return task;
  const { claim: _claim, ...rest } = task;
  return rest;
};

/** A vote ends its voter's claim, so that the next voter need not wait for it to lapse; `rev` stays. */
const withVote = (task: OpenTask, vote: Vote): OpenTask => ({
  ...withoutClaimOf(task, vote.by),
  votes: [...task.votes.filter(({ by }) => by !== vote.by), vote],
});

const voterOf = ({ actor }: Matter): Voter => {
  const { roles, groups, tokenId, issuedAt, expiresAt } = actor;
  return { roles, groups, issuedAt, expiresAt, ...(tokenId === undefined ? {} : { tokenId }) };
};

const voteOf = (
  matter: Matter,
  task: Task,
  { verb, payload }: Pick<DecideCommand, 'verb' | 'payload'>,
): Vote => ({
  by: matter.actor.subject,
  verb,
  at: matter.now,
  groups: votingGroups({ ...matter, task }),
  proposalHash: task.proposalHash,
  payloadHash: payloadHashOf(payload),
  voter: voterOf(matter),
});

/** One reject or cancel settles, a cancel at once; approve and respond need their quorum. */
const afterAnswer = (
  matter: OpenMatter,
  plan: Plan,
  { verb, answer }: { verb: DecideCommand['verb']; answer: Answer },
): Task => {
  const { actor, now } = matter;
  const task = plan.edits ? edited(plan.task, matter) : plan.task;
  if (!plan.votes) return withoutClaimOf(task, actor.subject);
  const vote = voteOf(matter, task, { verb, payload: answer.payload });
  const voted = withVote(task, vote);
  const said = { at: now, payload: answer.payload, reason: answer.reason };
  if (verb === 'cancel') return settled(task, { ...said, kind: 'cancelled', by: [actor.subject] });
  if (verb === 'reject')
    return heldBack(settled(voted, { ...said, kind: 'rejected', by: [actor.subject] }), matter.task);
  if (!isCarried(voted, vote)) {
    const text = answer.reason === undefined ? {} : { text: answer.reason };
    return { ...voted, history: remember(voted, { at: now, by: actor.subject, action: verb, ...text }) };
  }
  const kind = verb === 'approve' ? 'approved' : 'responded';
  const by = agreeing(voted, vote).map((agreed) => agreed.by);
  return heldBack(settled(voted, { ...said, kind, by }), matter.task);
};

const newsOf = (task: Task, plan: Plan): string => {
  if (task.status === 'open') return plan.edits ? 'edited' : 'voted';
  return task.status === 'held' ? 'held' : 'decided';
};

/** The checks come in the contract's order (§5): own repeat, over, forbidden, claimed, stale, payload. */
export const decide = (matter: Matter, command: DecideCommand, ruleOn: RuleOn): Result<Change> => {
  if (isRepeat(matter, command)) return ok(NO_CHANGE);
  const open = stillOpen(matter);
  if (!open.ok) return open;
  const plan = planOf({ ...matter, task: open.value }, command, ruleOn);
  if (plan.barrier) return refusalOf(plan.barrier);
  if (isStale(open.value, command)) return refuse('STALE_REVISION');
  const answer = answerFor(plan.task, command, plan.task.edit?.args);
  if (!answer.ok) return answer;
  const { batch, actor, now } = matter;
  const task = afterAnswer({ ...matter, task: open.value }, plan, {
    verb: command.verb,
    answer: answer.value,
  });
  const news = [{ action: newsOf(task, plan), by: actor.subject, taskId: task.taskId }];
  return ok(changeTo(batch, now, { tasks: [task], news, notAfter: open.value.expiresAt }));
};
