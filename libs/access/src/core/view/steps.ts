/** Shows steps under their labels; a step without a label is hidden, both its start and its end. */
import { trim } from './fields.js';
import { closed, hidden, isForeign, opened, shownAs, withOpen } from './view.js';
import type { OpenStep, ProjectedView, Show } from './view.js';

interface StepEvent {
  readonly stepName: string;
  readonly subagentRunId?: string;
}

const keyOf = ({ stepName, subagentRunId }: StepEvent): string =>
  JSON.stringify([subagentRunId ?? null, stepName]);

/** Two steps of one owner may not be open under one name: the second stays hidden. */
const labelFor = (view: ProjectedView, step: StepEvent): string | undefined => {
  if (isForeign(view, step)) return undefined;
  const { steps, otherSteps } = view.allowed;
  const label = steps.get(step.stepName) ?? (otherSteps ? step.stepName : undefined);
  const taken = [...view.open.steps.values()].some(
    (open) => open.owner === step.subagentRunId && open.label === label,
  );
  return taken ? undefined : label;
};

export const showStepStart: Show = (view, { event }) => {
  const step = event as unknown as StepEvent;
  const label = labelFor(view, step);
  const open: OpenStep = { owner: step.subagentRunId, ...(label === undefined ? {} : { label }) };
  const next = withOpen(view, { steps: opened(view.open.steps, keyOf(step), open) });
  if (label === undefined) return hidden(next);
  return shownAs(next, event, trim(event, { stepName: label }));
};

export const showStepEnd: Show = (view, { event }) => {
  const step = event as unknown as StepEvent;
  const label = view.open.steps.get(keyOf(step))?.label;
  const next = withOpen(view, { steps: closed(view.open.steps, keyOf(step)) });
  if (label === undefined) return hidden(next);
  return shownAs(next, event, trim(event, { stepName: label }));
};
