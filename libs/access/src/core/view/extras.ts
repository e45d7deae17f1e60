/** Shows activities and custom events whose type or name the policy lists. */
import { anyGlobMatches } from '../glob.js';
import { trim } from './fields.js';
import { lookUp, withEntry } from './long-map.js';
import { hidden, isForeign, shownAs } from './view.js';
import type { ProjectedView, Show } from './view.js';

interface ActivityEvent {
  readonly messageId: string;
  readonly activityType: string;
  readonly replace?: boolean;
  readonly subagentRunId?: string;
}

const isListed = (view: ProjectedView, activity: ActivityEvent): boolean =>
  anyGlobMatches(view.allowed.activities, activity.activityType) && !isForeign(view, activity);

export const showActivity: Show = (view, { event }) => {
  const activity = event as unknown as ActivityEvent;
  const { messageId, replace = true } = activity;
  const known = lookUp(view.activities, messageId);
  // It leaves an existing one as it is, and a hidden one exists too.
  const keepsHidden = !replace && known === false;
  const shown = isListed(view, activity) && !keepsHidden;
  const changes = replace || known === undefined;
  const next = changes ? { ...view, activities: withEntry(view.activities, messageId, shown) } : view;
  return shown ? shownAs(next, event, trim(event)) : hidden(next);
};

/** A change shows only where the thing it changes is shown, whatever type it claims. */
export const showActivityDelta: Show = (view, { event }) => {
  const activity = event as unknown as ActivityEvent;
  const shown = isListed(view, activity) && lookUp(view.activities, activity.messageId) === true;
  return shown ? shownAs(view, event, trim(event)) : hidden(view);
};

export const showCustom: Show = (view, { event }) =>
  anyGlobMatches(view.allowed.custom, String(event['name'])) && !isForeign(view, event)
    ? shownAs(view, event, trim(event))
    : hidden(view);
