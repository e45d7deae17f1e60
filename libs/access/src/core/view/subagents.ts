/** Shows the beginning and end of delegated work to surfaces that see subagents. */
import type { AguiEvent } from '@triptych/protocol';
import { trim, without } from './fields.js';
import { lookUp } from './long-map.js';
import { errorWords } from './run-error.js';
import { hidden, shownAs } from './view.js';
import type { ProjectedView, Show } from './view.js';

/** What began it may itself be hidden; then it is not named. */
const withoutHiddenParents = (view: ProjectedView, event: AguiEvent): AguiEvent => {
  const call = event['parentToolCallId'];
  const message = event['parentMessageId'];
  const named =
    typeof call === 'string' && !lookUp(view.calls, call)?.shownAs
      ? without(event, 'parentToolCallId')
      : event;
  return typeof message === 'string' && lookUp(view.messages, message) === false
    ? without(named, 'parentMessageId')
    : named;
};

export const showSubagentStart: Show = (view, { event }) => {
  const next: ProjectedView = { ...view, run: { ...view.run, touched: true } };
  if (!view.allowed.subagents) return hidden(next);
  return shownAs(next, event, withoutHiddenParents(view, trim(event)));
};

/** A customer is not told how many questions were asked of others. */
export const showSubagentEnd: Show = (view, { event }) => {
  if (!view.allowed.subagents) return hidden(view);
  const out = trim(event);
  const outcome = out['outcome'] as { readonly type: string; readonly interruptIds?: unknown } | undefined;
  return view.surface === 'customer' && outcome?.interruptIds !== undefined
    ? shownAs(view, event, { ...out, outcome: { type: outcome.type } })
    : shownAs(view, event, out);
};

export const showSubagentError: Show = (view, { event }) =>
  view.allowed.subagents
    ? shownAs(view, event, { ...trim(event), ...errorWords(view, event['code']) })
    : hidden(view);
