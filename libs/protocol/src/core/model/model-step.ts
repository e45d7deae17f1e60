/** Takes a model one event further; what an event brings and how it applies follows the reference client. */
import type { AguiEvent, KnownEvent } from '../agui.js';
import { known } from '../event-types.js';
import { withoutUnknown } from '../known-material.js';
import {
  beginRun,
  beginStep,
  beginSubagent,
  endSubagent,
  failRun,
  finishRun,
  finishStep,
} from './fold-run.js';
import { reconcile } from './fold-snapshot.js';
import { patchActivity, patchState, setActivity } from './fold-state.js';
import { appendText, endText, startText } from './fold-text.js';
import { addResult, appendArgs, endCall, keepEncrypted, startCall } from './fold-tools.js';
import { keepCustom } from './kept-custom.js';
import { warned, type Model } from './model.js';
import { closed, opened } from './open-items.js';

const course = (model: Model, event: KnownEvent): Model => {
  switch (event.type) {
    case 'RUN_STARTED':
      return beginRun(model, event);
    case 'RUN_FINISHED':
      return finishRun(model, event);
    case 'RUN_ERROR':
      return failRun(model, event);
    case 'STEP_STARTED':
      return beginStep(model, event);
    case 'STEP_FINISHED':
      return finishStep(model, event);
    case 'SUBAGENT_STARTED':
      return beginSubagent(model, event);
    case 'SUBAGENT_FINISHED':
    case 'SUBAGENT_ERROR':
      return endSubagent(model, event);
    case 'CUSTOM':
      return keepCustom(model, event);
    default:
      return model;
  }
};

const content = (model: Model, event: KnownEvent): Model => {
  switch (event.type) {
    case 'STATE_SNAPSHOT':
      return { ...model, state: event.snapshot };
    case 'STATE_DELTA':
      return patchState(model, event.delta);
    case 'MESSAGES_SNAPSHOT':
      return reconcile(model, event);
    case 'ACTIVITY_SNAPSHOT':
      return setActivity(model, event);
    case 'ACTIVITY_DELTA':
      return patchActivity(model, event);
    case 'TOOL_CALL_RESULT':
      return addResult(model, event);
    case 'REASONING_ENCRYPTED_VALUE':
      return keepEncrypted(model, event);
    default:
      return course(model, event);
  }
};

const fold = (model: Model, event: KnownEvent): Model => {
  switch (event.type) {
    case 'TEXT_MESSAGE_CONTENT':
    case 'REASONING_MESSAGE_CONTENT':
      return appendText(model, event);
    case 'TOOL_CALL_ARGS':
      return appendArgs(model, event);
    case 'TEXT_MESSAGE_START':
      return opened(startText(model, event), { kind: 'text', id: event.messageId }, event);
    case 'TEXT_MESSAGE_END':
      return closed(endText(model, event), { kind: 'text', id: event.messageId });
    case 'REASONING_MESSAGE_START':
      return opened(startText(model, event), { kind: 'reasoning', id: event.messageId }, event);
    case 'REASONING_MESSAGE_END':
      return closed(endText(model, event), { kind: 'reasoning', id: event.messageId });
    case 'REASONING_START':
      return opened(model, { kind: 'span', id: event.messageId }, event);
    case 'REASONING_END':
      return closed(model, { kind: 'span', id: event.messageId });
    case 'TOOL_CALL_START':
      return opened(startCall(model, event), { kind: 'tool', id: event.toolCallId }, event);
    case 'TOOL_CALL_END':
      return closed(endCall(model, event), { kind: 'tool', id: event.toolCallId });
    default:
      return content(model, event);
  }
};

const withoutWarning = (model: Model): Model => {
  if (model.warning === undefined) return model;
  const { warning: _old, ...rest } = model;
  return rest;
};

/** These are kept as they came, so that whoever joins later and knows more can read more in them. */
const KEPT_WHOLE: ReadonlySet<string> = new Set(['RUN_FINISHED', 'SUBAGENT_FINISHED']);

/** The model after a legal event. Unknown types pass it by; chunks must have been written out before. */
export const modelStep = (model: Model, event: AguiEvent): Model => {
  const before = withoutWarning(model);
  const whole = known(event);
  if (!whole) return before;
  if (KEPT_WHOLE.has(event.type)) return fold(before, whole);
  const { event: trimmed, dropped } = withoutUnknown(event);
  const after = fold(before, trimmed as unknown as KnownEvent);
  return dropped.length === 0 || after.warning !== undefined
    ? after
    : warned(after, `${event.type}: ${dropped.join(', ')} left out, not of this version`);
};
