/** Reads what screens and the hub ask of a model. */
import type { Interrupt, RunFinishedOutcome } from '../agui.js';
import { jsonBytes } from '../json/json-size.js';
import type { RunStatus } from '../thread.js';
import type { Model, ModelStep } from './model.js';

const outcomeOf = (event: object | undefined): RunFinishedOutcome | undefined =>
  (event as { outcome?: RunFinishedOutcome } | undefined)?.outcome;

/** How the last run stands; undefined when there was none. */
export const runStatusOf = ({ run }: Model): RunStatus | undefined => {
  if (!run) return undefined;
  if (run.error) return 'failed';
  if (!run.finished) return 'running';
  const type = outcomeOf(run.finished)?.type;
  return type === 'interrupt' || type === 'cancelled' ? type : 'success';
};

/** The questions that wait for an answer. */
export const pendingInterruptsOf = ({ pending }: Model): readonly Interrupt[] => {
  const outcome = outcomeOf(pending?.finished);
  return outcome?.type === 'interrupt' ? outcome.interrupts : [];
};

/** Whether a call has no result: of a client's own tools it waits for an answer. */
export const hasOpenCalls = ({ messages }: Model): boolean => {
  const answered = new Set(messages.flatMap((one) => (one.role === 'tool' ? [one.toolCallId] : [])));
  return messages.some(
    (one) => one.role === 'assistant' && one.toolCalls?.some(({ id }) => !answered.has(id)) === true,
  );
};

export interface StepStanding extends ModelStep {
  readonly done: boolean;
}

/** Finished steps, then those under way. */
export const stepsOf = ({ steps, open }: Model): readonly StepStanding[] => [
  ...steps.map((step) => ({ ...step, done: true })),
  ...open
    .filter(({ kind }) => kind === 'step')
    .map(({ opener }) => {
      const { stepName, subagentRunId } = opener as unknown as ModelStep;
      return { stepName, ...(subagentRunId === undefined ? {} : { subagentRunId }), done: false };
    }),
];

/** JSON bytes of messages, activities and state: what a thread may not outgrow. Walks the whole model. */
export const modelBytes = ({ messages, state }: Model): number => jsonBytes(messages) + jsonBytes(state);
