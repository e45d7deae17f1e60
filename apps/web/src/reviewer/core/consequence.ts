/** What an approval sets going, and what it still waits for; only what is known before it is given. */
import type { TaskView } from '@triptych/protocol';
import { currentArgs } from './current.js';
import { fateOf } from './fate.js';
import { stakeOf, type Money } from './stake.js';

export interface Consequence {
  readonly tool: string;
  readonly stake?: Money;
  /** Approvals that are needed besides the reader's own. */
  readonly votes: number;
  /** Other decisions of the same run. */
  readonly others: number;
}

/** Nothing where there is nothing left to approve, or where no tool is asked for. */
export const consequenceOf = (task: TaskView): Consequence | undefined => {
  const { toolName } = task.proposal;
  if (toolName === undefined || fateOf(task).kind !== 'open') return undefined;
  const stake = stakeOf(currentArgs(task));
  const own = task.may.includes('approve') ? 1 : 0;
  return {
    tool: toolName,
    ...(stake === undefined ? {} : { stake }),
    votes: Math.max(0, task.quorum.needed - task.quorum.have - own),
    others: Math.max(0, task.batch.open - 1),
  };
};
