/** Recognises a person's own answer given again: a double click or a retry is a success, not a conflict. */
import { canonicalOf } from '@triptych/access';
import { sameJson } from '@triptych/protocol';
import { hashOf } from './canonical.js';
import { reasonOf } from './answer.js';
import type { DecideCommand } from './command.js';
import type { Matter } from './matter.js';
import { argsOf, type HeldTask, type OpenTask, type SettledTask } from './task.js';

const KIND_OF = {
  approve: 'approved',
  reject: 'rejected',
  respond: 'responded',
  cancel: 'cancelled',
} as const;

const samePayload = (payload: unknown, hash: string): boolean =>
  payload !== undefined && canonicalOf(payload) !== undefined && hashOf(payload) === hash;

/** Approving what was seen, by name or by writing the same arguments again. */
const sameApproval = (command: DecideCommand, hash: string, args: unknown): boolean =>
  command.editedArgs === undefined
    ? command.proposalHash === undefined || command.proposalHash === hash
    : sameJson(command.editedArgs, args);

const repeatsDecision = (
  { decision, ...task }: HeldTask | SettledTask,
  by: string,
  command: DecideCommand,
): boolean => {
  if (decision.kind !== KIND_OF[command.verb] || !decision.by.includes(by)) return false;
  switch (command.verb) {
    case 'approve':
      return sameApproval(command, decision.proposalHash, decision.editedArgs ?? task.proposal.args);
    case 'respond':
      return samePayload(command.payload, decision.payloadHash);
    case 'reject':
    case 'cancel':
      return decision.reason === reasonOf(command);
  }
};

const repeatsVote = (task: OpenTask, by: string, command: DecideCommand): boolean => {
  const vote = task.votes.find((cast) => cast.by === by && cast.verb === command.verb);
  if (command.verb === 'respond') return vote !== undefined && samePayload(command.payload, vote.payloadHash);
  if (command.verb !== 'approve') return false;
  if (vote) return sameApproval(command, vote.proposalHash, argsOf(task));
  // Under `forbid: editor` an edit leaves no vote of its author; the edit itself is what is repeated.
  return (
    task.edit?.by === by && command.editedArgs !== undefined && sameJson(command.editedArgs, task.edit.args)
  );
};

export const isRepeat = ({ task, actor }: Matter, command: DecideCommand): boolean =>
  task.status === 'open'
    ? repeatsVote(task, actor.subject, command)
    : repeatsDecision(task, actor.subject, command);
