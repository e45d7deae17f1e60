/** Folds the course of runs: beginnings and ends, steps, subagents. */
import type { AguiEvent, KnownEvent, Message } from '../agui.js';
import type { EventOf } from '../event-types.js';
import { MAX_KEPT_STEPS } from '../limits.js';
import type { RunErrorCode } from '../run-error-codes.js';
import { doIdsRepeat } from './messages.js';
import type { Model, ModelStep } from './model.js';
import { closed, opened } from './open-items.js';

type StepEvent = EventOf<'STEP_STARTED'> | EventOf<'STEP_FINISHED'>;

const plain = (event: KnownEvent): AguiEvent => event as unknown as AguiEvent;

/** Told again in a join prelude, the messages of `input` would come before the snapshot and disturb its order. */
const withoutMessages = (event: EventOf<'RUN_STARTED'>): AguiEvent =>
  event.input ? ({ ...event, input: { ...event.input, messages: [] } } as AguiEvent) : plain(event);

const addUnseen = (messages: readonly Message[], added: readonly Message[]): readonly Message[] => {
  const seen = new Set(messages.map(({ id }) => id));
  const unseen = added.filter(({ id }) => seen.size !== seen.add(id).size);
  return unseen.length === 0 ? messages : [...messages, ...unseen];
};

export const beginRun = (model: Model, event: EventOf<'RUN_STARTED'>): Model => {
  const messages = addUnseen(model.messages, event.input?.messages ?? []);
  return {
    ...model,
    messages,
    idsRepeat: doIdsRepeat(messages),
    run: { started: withoutMessages(event) },
    subagents: [],
    open: [],
    // A run that answers open questions goes on where the one that asked them stopped.
    steps: model.pending ? model.steps : [],
  };
};

/** Only an interrupt leaves questions open; any other end of a run closes those of the runs before it. */
export const finishRun = (model: Model, event: EventOf<'RUN_FINISHED'>): Model => {
  const { pending: _answered, ...rest } = model;
  const started = model.run?.started;
  const finished = plain(event);
  const asks = event.outcome?.type === 'interrupt' && started !== undefined;
  return {
    ...rest,
    run: { ...model.run, finished },
    open: [],
    ...(asks ? { pending: { started, finished } } : {}),
  };
};

const CLOSED: RunErrorCode = 'hub/closed-by-operator';

/** A failed run answers nothing: the questions it was to answer are still open, unless an operator closed them. */
export const failRun = (model: Model, event: EventOf<'RUN_ERROR'>): Model => {
  const { pending, ...rest } = model;
  const open = pending && event.code !== CLOSED ? { pending } : {};
  return { ...rest, ...open, run: { ...model.run, error: plain(event) }, open: [] };
};

const stepOf = ({ stepName, subagentRunId }: StepEvent): ModelStep => ({
  stepName,
  ...(subagentRunId === undefined ? {} : { subagentRunId }),
});

const withoutStep = (model: Model, event: StepEvent): readonly ModelStep[] =>
  model.steps.filter(
    (step) => step.stepName !== event.stepName || step.subagentRunId !== event.subagentRunId,
  );

const stepItem = ({ stepName, subagentRunId }: StepEvent): { kind: 'step'; id: string } => ({
  kind: 'step',
  id: JSON.stringify([stepName, subagentRunId]),
});

export const beginStep = (model: Model, event: EventOf<'STEP_STARTED'>): Model =>
  opened({ ...model, steps: withoutStep(model, event) }, stepItem(event), event);

export const finishStep = (model: Model, event: EventOf<'STEP_FINISHED'>): Model => ({
  ...closed(model, stepItem(event)),
  steps: [...withoutStep(model, event), stepOf(event)].slice(-MAX_KEPT_STEPS),
});

export const beginSubagent = (model: Model, event: EventOf<'SUBAGENT_STARTED'>): Model => ({
  ...model,
  subagents: [...model.subagents, { started: plain(event) }],
});

export const endSubagent = (
  model: Model,
  event: EventOf<'SUBAGENT_FINISHED'> | EventOf<'SUBAGENT_ERROR'>,
): Model => {
  const index = model.subagents.findLastIndex(({ started }) => started.subagentRunId === event.subagentRunId);
  const found = model.subagents[index];
  if (!found) return model;
  return { ...model, subagents: model.subagents.with(index, { ...found, ended: plain(event) }) };
};
