/** Shows the agent's reasoning to surfaces that may see it; its encrypted values never leave. */
import { trim } from './fields.js';
import { lookUp, withEntry } from './long-map.js';
import { closed, hidden, isForeign, opened, shownAs, withOpen } from './view.js';
import type { Show } from './view.js';

/** A span and the message in it may share an id. */
const keyOf = (type: string, messageId: unknown): string =>
  `${type.startsWith('REASONING_MESSAGE') ? 'message' : 'span'} ${String(messageId)}`;

export const showReasoningStart: Show = (view, { event }) => {
  if (!view.allowed.reasoning) return hidden(view);
  const messageId = String(event['messageId']);
  const shown = !isForeign(view, event) && lookUp(view.reasoning, messageId) !== false;
  const next = {
    ...withOpen(view, { reasoning: opened(view.open.reasoning, keyOf(event.type, messageId), shown) }),
    reasoning: withEntry(view.reasoning, messageId, shown),
  };
  return shown ? shownAs(next, event, trim(event)) : hidden(next);
};

export const showReasoningContent: Show = (view, { event }) =>
  view.open.reasoning.get(keyOf(event.type, event['messageId']))
    ? shownAs(view, event, trim(event))
    : hidden(view);

export const showReasoningEnd: Show = (view, { event }) => {
  const key = keyOf(event.type, event['messageId']);
  const next = withOpen(view, { reasoning: closed(view.open.reasoning, key) });
  return view.open.reasoning.get(key) ? shownAs(next, event, trim(event)) : hidden(next);
};
