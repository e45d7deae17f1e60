/** Shows what the assistant and the user say; what is said in any other role is hidden whole. */
import { lookUp, withEntry } from './long-map.js';
import { closed, hidden, isForeign, opened, shownAs, withOpen } from './view.js';
import type { ProjectedView, Show } from './view.js';
import { trim } from './fields.js';

/** ACC-24: what an agent puts in a user's mouth carries this name, so that it is never taken for their own words. */
export const AGENT_VOICE = 'agent';

interface TextEvent {
  readonly messageId: string;
  readonly role?: string;
  readonly subagentRunId?: string;
}

const isShown = (view: ProjectedView, event: TextEvent): boolean => {
  const { messageId, role = 'assistant' } = event;
  if (role !== 'assistant' && role !== 'user') return false;
  // Opening a person's own message again would add words to theirs.
  if (lookUp(view.said, messageId) !== undefined) return false;
  return !isForeign(view, event) && lookUp(view.messages, messageId) !== false;
};

export const showTextStart: Show = (view, { event, source }) => {
  const text = event as unknown as TextEvent;
  const shown = isShown(view, text);
  const known = lookUp(view.messages, text.messageId) !== undefined;
  const next: ProjectedView = {
    ...withOpen(view, { texts: opened(view.open.texts, text.messageId, shown) }),
    messages: known ? view.messages : withEntry(view.messages, text.messageId, shown),
  };
  if (!shown) return hidden(next);
  const name = text.role === 'user' && source === 'agent' ? AGENT_VOICE : undefined;
  return shownAs(next, event, trim(event, { name }));
};

export const showTextContent: Show = (view, { event }) =>
  view.open.texts.get(event['messageId'] as string) ? shownAs(view, event, trim(event)) : hidden(view);

export const showTextEnd: Show = (view, { event }) => {
  const messageId = event['messageId'] as string;
  const next = withOpen(view, { texts: closed(view.open.texts, messageId) });
  return view.open.texts.get(messageId) ? shownAs(next, event, trim(event)) : hidden(next);
};
