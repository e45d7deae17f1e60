/** Shows the beginning and end of delegated work to surfaces that see subagents. */
import type { AguiEvent } from '@triptych/protocol';
import { trim } from './fields.js';
import { byKind, objectOf, text } from './gates.js';
import { lookUp } from './long-map.js';
import { errorWords } from './run-error.js';
import { hidden, shownAs } from './view.js';
import type { ProjectedView, Show } from './view.js';

/** What began it may itself be hidden; then it is not named. */
const shownParents = (view: ProjectedView, event: AguiEvent) => {
  const { parentToolCallId: call, parentMessageId: message } = event;
  return {
    parentToolCallId: typeof call === 'string' && lookUp(view.calls, call)?.shownAs ? call : undefined,
    parentMessageId:
      typeof message === 'string' && lookUp(view.messages, message) !== false ? message : undefined,
  };
};

export const showSubagentStart: Show = (view, { event }) => {
  const next: ProjectedView = { ...view, run: { ...view.run, touched: true } };
  if (!view.allowed.subagents) return hidden(next);
  return shownAs(next, event, trim(event, shownParents(view, event)));
};

/** How it ended, not which questions it asked: who may see them is known only when the run asks them. */
const ENDS = byKind('type', { success: objectOf({ type: text }), suspended: objectOf({ type: text }) });

export const showSubagentEnd: Show = (view, { event }) =>
  view.allowed.subagents
    ? shownAs(view, event, trim(event, { outcome: ENDS(event['outcome']) }))
    : hidden(view);

export const showSubagentError: Show = (view, { event, source }) =>
  view.allowed.subagents
    ? shownAs(view, event, trim(event, errorWords(view, { event, source })))
    : hidden(view);
