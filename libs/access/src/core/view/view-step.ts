/** Turns the log of a thread into what one surface sees of it, event by event. */
import type { Surface } from '@triptych/protocol';
import { namesOnce } from '../names-once.js';
import type { Policy } from '../policy.js';
import { showActivity, showActivityDelta, showCustom } from './extras.js';
import { trim } from './fields.js';
import { reportsWork, showMessages } from './messages.js';
import { showReasoningContent, showReasoningEnd, showReasoningStart } from './reasoning.js';
import { showRunError } from './run-error.js';
import { showRunFinished, showRunStarted } from './run.js';
import { showStateDelta, showStateSnapshot } from './state.js';
import { showStepEnd, showStepStart } from './steps.js';
import { showSubagentEnd, showSubagentError, showSubagentStart } from './subagents.js';
import { showTextContent, showTextEnd, showTextStart } from './text.js';
import { showCallArguments, showCallEnd, showCallResult, showCallStart } from './tools.js';
import { hidden, newView, shownAs } from './view.js';
import type { EntryToShow, ProjectedView, Show, View, ViewedThread, ViewStep } from './view.js';

const showSnapshot: Show = (view, { event, source }) => {
  const { view: learnt, messages } = showMessages(view, event['messages'], source);
  const touched = view.run.touched || (source === 'agent' && reportsWork(view, event['messages']));
  const next = { ...learnt, run: { ...learnt.run, touched } };
  return shownAs(next, event, trim(event, { messages }));
};

/** ACC-18: what is not in this table (raw and unknown events, encrypted values) reaches the operator only. */
const SHOWN: ReadonlyMap<string, Show> = new Map([
  ['RUN_STARTED', showRunStarted],
  ['RUN_FINISHED', showRunFinished],
  ['RUN_ERROR', showRunError],
  ['STEP_STARTED', showStepStart],
  ['STEP_FINISHED', showStepEnd],
  ['TEXT_MESSAGE_START', showTextStart],
  ['TEXT_MESSAGE_CONTENT', showTextContent],
  ['TEXT_MESSAGE_END', showTextEnd],
  ['TOOL_CALL_START', showCallStart],
  ['TOOL_CALL_ARGS', showCallArguments],
  ['TOOL_CALL_END', showCallEnd],
  ['TOOL_CALL_RESULT', showCallResult],
  ['STATE_SNAPSHOT', showStateSnapshot],
  ['STATE_DELTA', showStateDelta],
  ['MESSAGES_SNAPSHOT', showSnapshot],
  ['ACTIVITY_SNAPSHOT', showActivity],
  ['ACTIVITY_DELTA', showActivityDelta],
  ['REASONING_START', showReasoningStart],
  ['REASONING_MESSAGE_START', showReasoningStart],
  ['REASONING_MESSAGE_CONTENT', showReasoningContent],
  ['REASONING_MESSAGE_END', showReasoningEnd],
  ['REASONING_END', showReasoningEnd],
  ['SUBAGENT_STARTED', showSubagentStart],
  ['SUBAGENT_FINISHED', showSubagentEnd],
  ['SUBAGENT_ERROR', showSubagentError],
  ['CUSTOM', showCustom],
]);

/** The view of a thread before its first event. */
export const beginView = (policy: Policy, surface: Surface, thread: ViewedThread): View =>
  surface === 'operator' ? { surface } : newView(policy, surface, thread);

/** The text also says what reading it loses: of two members of one name the first is in no event. */
const saysMore = ({ json, event }: EntryToShow): boolean =>
  json !== undefined && json !== JSON.stringify(event) && !namesOnce(json);

/** ACC-57: what leaves as its stored text must say no more than what was judged. */
const asJudged = (step: ViewStep<ProjectedView>, entry: EntryToShow): ViewStep<ProjectedView> =>
  step.shown.includes(entry.event) && saysMore(entry)
    ? { ...step, shown: step.shown.map((event) => ({ ...event })), seen: 'redacted' }
    : step;

/** The same view and entry give the same step everywhere; the view given stays as it was. */
export const viewStep = (view: View, entry: EntryToShow): ViewStep => {
  if (view.surface === 'operator') return { view, shown: [entry.event], seen: 'full' };
  const show = SHOWN.get(entry.event.type);
  return show ? asJudged(show(view, entry), entry) : hidden(view);
};
