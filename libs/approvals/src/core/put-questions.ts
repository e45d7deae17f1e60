/** Sorts what a run left open into questions to people and calls that are their client's to answer. */
import { NO_RULE, type TaskSource } from '@triptych/access';
import type { Interrupt } from '@triptych/protocol';
import type { BatchFacts, FrontendCall } from './batch.js';
import type { OpenTask } from './task.js';

interface Left {
  readonly interrupts: readonly Interrupt[];
  readonly calls?: readonly string[];
}

/** A question to people, and where it comes from. */
export interface Put {
  readonly interrupt: Interrupt;
  readonly source: TaskSource;
}

/** APR-47: a call that a rule has people answer is asked as an agent would ask about it. */
export const putBy = ({ interrupts, calls = [] }: Left): readonly Put[] => [
  ...interrupts.map((interrupt) => ({ interrupt, source: 'interrupt' as const })),
  ...calls.map((id) => ({
    interrupt: { id, reason: 'tool_call', toolCallId: id },
    source: 'frontend_tool' as const,
  })),
];

/** What no rule speaks of is its client's to answer, and no task. */
export const isForPeople = ({ source, ruling }: OpenTask): boolean =>
  source === 'interrupt' || ruling.rule !== NO_RULE;

export const frontendOf = (
  { calls = [] }: Pick<Left, 'calls'>,
  tasks: readonly OpenTask[],
  until: number,
): Pick<BatchFacts, 'frontend'> => {
  if (calls.length === 0) return {};
  const taskOf = new Map(tasks.map(({ interruptId, taskId }) => [interruptId, { taskId }]));
  const named = calls.map((toolCallId): FrontendCall => ({ toolCallId, ...taskOf.get(toolCallId) }));
  return { frontend: { calls: named, until } };
};
