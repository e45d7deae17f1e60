/** Says which tool calls nobody has let be made, though they were asked about. */
import type { DecisionKind } from '@triptych/protocol';
import { runIdOf, type Batch } from './batch.js';
import type { Task } from './task.js';

/** How a task stands whose call may not have been made. */
export type Shut = 'open' | Exclude<DecisionKind, 'approved' | 'responded'>;

export interface ShutCall {
  readonly batch: Batch;
  readonly task: Task;
  readonly why: Shut;
  /** The run that brings the no to its agent. */
  readonly toldIn?: string;
}

/** An answer that can still be taken back lets nothing be made. */
const whyShut = (task: Task): Shut | undefined => {
  if (task.status !== 'settled') return 'open';
  const { kind } = task.decision;
  return kind === 'approved' || kind === 'responded' ? undefined : kind;
};

/** By tool call id. A call that was asked about again stands as its last question does; newest batches come first. */
export const shutCalls = (batches: readonly Batch[]): ReadonlyMap<string, ShutCall> => {
  const seen = new Set<string>();
  const shut = new Map<string, ShutCall>();
  for (const batch of batches)
    for (const task of batch.tasks) {
      const { toolCallId } = task;
      if (toolCallId === undefined || seen.has(toolCallId)) continue;
      seen.add(toolCallId);
      const why = whyShut(task);
      const toldIn = why === 'open' ? undefined : runIdOf(batch.status);
      if (why) shut.set(toolCallId, { batch, task, why, ...(toldIn === undefined ? {} : { toldIn }) });
    }
  return shut;
};
