/** Finds in a task's history who answered when it was over: recorded, and not counted. */
import type { DecisionVerb, TaskView } from '@triptych/protocol';

export interface LateVote {
  readonly by: string;
  readonly verb: DecisionVerb;
  readonly at: number;
}

const VERBS: readonly DecisionVerb[] = ['approve', 'reject', 'respond', 'cancel'];

export const verbNamed = (text: string | undefined): DecisionVerb | undefined =>
  VERBS.find((verb) => verb === text);

export const lateVotes = ({ history = [] }: Pick<TaskView, 'history'>): readonly LateVote[] =>
  history.flatMap(({ action, by, at, text }) => {
    const verb = action === 'late' ? verbNamed(text) : undefined;
    return verb === undefined ? [] : [{ by, verb, at }];
  });
