/** Finds how a question that is asked again was answered before; that answer is never given again. */
import type { DecisionKind } from '@triptych/protocol';
import type { Batch } from './batch.js';

export interface AnsweredBefore {
  readonly kind: DecisionKind;
  /** The run that asked. */
  readonly runId: string;
}

/** By interrupt id; of several answers the last one. `batches`: the newest first. */
export const answeredBefore = (batches: readonly Batch[]): ReadonlyMap<string, AnsweredBefore> => {
  const found = new Map<string, AnsweredBefore>();
  for (const { facts, tasks } of batches)
    for (const { interruptId, status, decision } of tasks)
      if (status === 'settled' && !found.has(interruptId))
        found.set(interruptId, { kind: decision.kind, runId: facts.runId });
  return found;
};

export const wordsOn = ({ kind, runId }: AnsweredBefore): string =>
  `An interrupt of this id was ${kind} in run ${runId}; this is another question, and that answer is not given again.`;
