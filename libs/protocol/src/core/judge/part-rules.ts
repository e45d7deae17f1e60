/** Activities, steps and subagents: the parts of a run that are neither text nor tool calls. */
import type { EventOf } from '../event-types.js';
import { own, ownerFault, ownerName, takeOver, type Entity, type Owner } from './owners.js';
import { stepKey, type RunGrammar } from './run-grammar.js';
import { violation, type Violation } from './violations.js';

const activityOf = (id: string): Entity => ({ kind: 'activity', id });

export const activitySnapshot = (
  run: RunGrammar,
  { messageId, replace, subagentRunId }: EventOf<'ACTIVITY_SNAPSHOT'>,
): Violation | undefined => {
  if (run.text.has(messageId) || run.reasoning.has(messageId))
    return violation('id-clash', `'${messageId}' is a message still being written.`, '/messageId');
  // One that replaces makes the activity anew, and so takes it over.
  const claim = replace === false ? own : takeOver;
  claim(run.owners, activityOf(messageId), subagentRunId);
  return undefined;
};

export const activityDelta = (
  run: RunGrammar,
  { messageId, subagentRunId }: EventOf<'ACTIVITY_DELTA'>,
): Violation | undefined => ownerFault(run.owners, activityOf(messageId), subagentRunId);

/** A step name is unique within one agent only: parent and subagent may each have the same step open. */
export const stepStarted = (
  run: RunGrammar,
  { stepName, subagentRunId: owner }: EventOf<'STEP_STARTED'>,
): Violation | undefined => {
  const key = stepKey(owner, stepName);
  if (run.steps.has(key))
    return violation('already-open', `STEP_STARTED: the step '${stepName}' is open already.`);
  run.steps.set(key, { stepName, owner });
  return undefined;
};

const heldByAnother = (run: RunGrammar, stepName: string, owner: Owner): Violation | undefined => {
  const other = [...run.steps.values()].find((step) => step.stepName === stepName);
  return (
    other &&
    violation(
      'wrong-owner',
      `The step '${stepName}' is open under ${ownerName(other.owner)}, not ${ownerName(owner)}.`,
      '/subagentRunId',
    )
  );
};

export const stepFinished = (
  run: RunGrammar,
  { stepName, subagentRunId: owner }: EventOf<'STEP_FINISHED'>,
): Violation | undefined => {
  if (run.steps.delete(stepKey(owner, stepName))) return undefined;
  return (
    heldByAnother(run, stepName, owner) ??
    violation('not-open', `STEP_FINISHED: no step '${stepName}' is open.`)
  );
};

export const subagentStarted = (
  run: RunGrammar,
  { subagentRunId: id, parentSubagentRunId: parent }: EventOf<'SUBAGENT_STARTED'>,
): Violation | undefined => {
  const state = run.subagents.get(id);
  if (state === 'active') return violation('already-open', `The subagent '${id}' is active already.`);
  if (state === 'ended')
    return violation('subagent-reused', `The subagent '${id}' has ended in this run.`, '/subagentRunId');
  if (parent !== undefined && !run.subagents.has(parent))
    return violation(
      'unknown-parent',
      `The subagent '${parent}' was not started in this run.`,
      '/parentSubagentRunId',
    );
  run.subagents.set(id, 'active');
  return undefined;
};

export const subagentEnded = (
  run: RunGrammar,
  { type, subagentRunId: id }: EventOf<'SUBAGENT_FINISHED'> | EventOf<'SUBAGENT_ERROR'>,
): Violation | undefined => {
  if (run.subagents.get(id) !== 'active')
    return violation('not-open', `${type}: no subagent '${id}' is active.`);
  run.subagents.set(id, 'ended');
  return undefined;
};
