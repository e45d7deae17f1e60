/** The run grammar: takes one event further, or says which rule it breaks. One small function for each event. */
import type { KnownEvent } from '../agui.js';
import { phaseFault, runError, runFinished, runStarted } from './lifecycle-rules.js';
import {
  encryptedValue,
  reasoningContent,
  reasoningEnd,
  reasoningStart,
  spanEnd,
  spanStart,
  textContent,
  textEnd,
  textStart,
} from './message-rules.js';
import {
  activityDelta,
  activitySnapshot,
  stepFinished,
  stepStarted,
  subagentEnded,
  subagentStarted,
} from './part-rules.js';
import { ownMessages, takeOver } from './owners.js';
import type { RunGrammar } from './run-grammar.js';
import { toolCallArgs, toolCallEnd, toolCallResult, toolCallStart } from './tool-rules.js';
import type { Violation } from './violations.js';

const lifecycle = (run: RunGrammar, event: KnownEvent): Violation | undefined => {
  switch (event.type) {
    case 'RUN_STARTED':
      return runStarted(run, event);
    case 'RUN_FINISHED':
      return runFinished(run, event);
    case 'RUN_ERROR':
      return runError(run, event);
    case 'STATE_SNAPSHOT':
      run.snapshots.add(event.type);
      return undefined;
    case 'MESSAGES_SNAPSHOT':
      run.snapshots.add(event.type);
      ownMessages(run.owners, event.messages, takeOver);
      return undefined;
    case 'SUBAGENT_STARTED':
      return subagentStarted(run, event);
    case 'SUBAGENT_FINISHED':
    case 'SUBAGENT_ERROR':
      return subagentEnded(run, event);
    case 'STEP_STARTED':
      return stepStarted(run, event);
    case 'STEP_FINISHED':
      return stepFinished(run, event);
    default:
      return undefined;
  }
};

const streamed = (run: RunGrammar, event: KnownEvent): Violation | undefined => {
  switch (event.type) {
    case 'TEXT_MESSAGE_CONTENT':
      return textContent(run, event);
    case 'TOOL_CALL_ARGS':
      return toolCallArgs(run, event);
    case 'REASONING_MESSAGE_CONTENT':
      return reasoningContent(run, event);
    case 'TEXT_MESSAGE_START':
      return textStart(run, event);
    case 'TEXT_MESSAGE_END':
      return textEnd(run, event);
    case 'TOOL_CALL_START':
      return toolCallStart(run, event);
    case 'TOOL_CALL_END':
      return toolCallEnd(run, event);
    case 'TOOL_CALL_RESULT':
      return toolCallResult(run, event);
    case 'REASONING_START':
      return spanStart(run, event);
    case 'REASONING_END':
      return spanEnd(run, event);
    case 'REASONING_MESSAGE_START':
      return reasoningStart(run, event);
    case 'REASONING_MESSAGE_END':
      return reasoningEnd(run, event);
    case 'REASONING_ENCRYPTED_VALUE':
      return encryptedValue(run, event);
    case 'ACTIVITY_SNAPSHOT':
      return activitySnapshot(run, event);
    case 'ACTIVITY_DELTA':
      return activityDelta(run, event);
    default:
      return lifecycle(run, event);
  }
};

export const stepGrammar = (run: RunGrammar, event: KnownEvent): Violation | undefined =>
  phaseFault(run, event.type) ?? streamed(run, event);
