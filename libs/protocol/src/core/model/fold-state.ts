/** Folds state and activities: snapshots replace, patches apply whole or not at all. */
import type { JsonPatch, Message } from '../agui.js';
import type { EventOf } from '../event-types.js';
import { applyPatch } from '../json/apply-patch.js';
import { isPlain } from '../known-material.js';
import { appendMessage, indexOfMessage, putMessage, withMetadata } from './messages.js';
import { warned, type Model } from './model.js';

type Activity = Extract<Message, { role: 'activity' }>;

const UNAPPLIED = 'STATE_DELTA was not applied';

/** Said of a model whose last event was a patch of the state that did not apply: until the next snapshot it is behind. */
export const missedPatch = ({ warning }: Model): string | undefined =>
  warning?.startsWith(UNAPPLIED) ? warning : undefined;

/** A patch that does not apply keeps the value there was; the next snapshot puts it right. */
export const patchState = (model: Model, patch: JsonPatch): Model => {
  const patched = applyPatch(model.state, patch);
  return patched.ok ? { ...model, state: patched.value } : warned(model, `${UNAPPLIED}: ${patched.why}`);
};

const newActivity = (event: EventOf<'ACTIVITY_SNAPSHOT'>): Activity => ({
  id: event.messageId,
  role: 'activity',
  activityType: event.activityType,
  content: event.content,
  ...(event.subagentRunId === undefined ? {} : { subagentRunId: event.subagentRunId }),
});

/** What replaces an activity brings its own owner, and keeps the metadata gathered so far. */
const replacing = (found: Message, event: EventOf<'ACTIVITY_SNAPSHOT'>): Activity => {
  const kept = found.role === 'activity' && found.metadata ? { metadata: found.metadata } : {};
  return { ...newActivity(event), ...kept };
};

export const setActivity = (model: Model, event: EventOf<'ACTIVITY_SNAPSHOT'>): Model => {
  const index = indexOfMessage(model, event.messageId);
  const found = model.messages[index];
  if (!found) return appendMessage(model, withMetadata(newActivity(event), event.metadata));
  if (event.replace !== false)
    return putMessage(model, index, withMetadata(replacing(found, event), event.metadata));
  return found.role === 'activity' ? putMessage(model, index, withMetadata(found, event.metadata)) : model;
};

export const patchActivity = (model: Model, event: EventOf<'ACTIVITY_DELTA'>): Model => {
  const index = indexOfMessage(model, event.messageId);
  const found = model.messages[index];
  if (!found) return warned(model, `ACTIVITY_DELTA: there is no activity '${event.messageId}'`);
  if (found.role !== 'activity')
    return warned(model, `ACTIVITY_DELTA: '${event.messageId}' is a message, not an activity`);
  // The note on the event holds whether or not its patch applies.
  const noted = withMetadata<Activity>(found, event.metadata);
  const patched = applyPatch(noted.content, event.patch);
  if (!patched.ok || !isPlain(patched.value)) {
    const why = patched.ok ? 'an activity is an object' : patched.why;
    return warned(putMessage(model, index, noted), `ACTIVITY_DELTA was not applied: ${why}`);
  }
  return putMessage(model, index, { ...noted, activityType: event.activityType, content: patched.value });
};
