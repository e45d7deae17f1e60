/** Counts votes: one person is one vote, and where the rule says so, each stands for another group. */
import { quorumOf, rulingsOf, type Task, type Vote } from './task.js';

/** Gives every vote a group of its own where possible (augmenting paths); answers how many found one. */
const distinctGroupsAmong = (votes: readonly Vote[]): number => {
  const holder = new Map<string, Vote>();
  const place = (vote: Vote, tried: Set<string>): boolean =>
    vote.groups.some((group) => {
      if (tried.has(group)) return false;
      tried.add(group);
      const holding = holder.get(group);
      if (holding && !place(holding, tried)) return false;
      holder.set(group, vote);
      return true;
    });
  return votes.filter((vote) => place(vote, new Set())).length;
};

const weigh = (task: Task, votes: readonly Vote[]): number =>
  rulingsOf(task).some((ruling) => ruling.distinctGroups) ? distinctGroupsAmong(votes) : votes.length;

/** Votes for the same answer to the same proposal. */
export const agreeing = (task: Task, vote: Pick<Vote, 'verb' | 'payloadHash'>): readonly Vote[] =>
  task.votes.filter(
    (other) =>
      other.verb === vote.verb &&
      other.payloadHash === vote.payloadHash &&
      other.proposalHash === task.proposalHash,
  );

export const isCarried = (task: Task, vote: Pick<Vote, 'verb' | 'payloadHash'>): boolean =>
  weigh(task, agreeing(task, vote)) >= quorumOf(task);

/** How far the leading answer has come. */
export const quorumHave = (task: Task): number => {
  const counted = task.votes.filter(({ verb }) => verb === 'approve' || verb === 'respond');
  return Math.max(0, ...counted.map((vote) => weigh(task, agreeing(task, vote))));
};

/** False: this person's groups are spoken for, so that their vote would change nothing. */
export const addsWeight = (
  task: Task,
  voter: { readonly by: string; readonly groups: readonly string[] },
): boolean => {
  if (!rulingsOf(task).some((ruling) => ruling.distinctGroups)) return true;
  const others = task.votes.filter(
    ({ by, verb }) => by !== voter.by && (verb === 'approve' || verb === 'respond'),
  );
  const mine: Vote = { ...voter, verb: 'approve', at: 0, proposalHash: '', payloadHash: '' };
  return distinctGroupsAmong([...others, mine]) > distinctGroupsAmong(others);
};
