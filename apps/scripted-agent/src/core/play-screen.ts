/** Plays what is meant for a screen or for a log rather than for the conversation. */
import { BREATH_MS } from './pace.js';
import type { Activity, Card, Custom, PatchActivity, Raw } from './scenario.js';
import { emit, filled, wait } from './stage.js';
import type { Performer } from './stage.js';

/** The name that surfaces know generative cards by. */
const CARDS = 'GENERATIVE_UI';

export const playCard: Performer<Card> = ({ card, as }, stage) => {
  wait(stage, BREATH_MS);
  const content = { ...(filled(stage, card) as object), id: stage.ids.ofThread('card', card.id) };
  if (as === 'activity')
    emit(stage, {
      type: 'ACTIVITY_SNAPSHOT',
      messageId: stage.ids.ofThread('activity', card.id),
      activityType: CARDS,
      content,
    });
  else emit(stage, { type: 'CUSTOM', name: CARDS, value: content });
  return 'on';
};

export const playActivity: Performer<Activity> = (step, stage) => {
  wait(stage, BREATH_MS);
  emit(stage, {
    type: 'ACTIVITY_SNAPSHOT',
    messageId: stage.ids.ofThread('activity', step.activity),
    activityType: step.type,
    content: filled(stage, step.content),
  });
  return 'on';
};

export const playPatch: Performer<PatchActivity> = (step, stage) => {
  emit(stage, {
    type: 'ACTIVITY_DELTA',
    messageId: stage.ids.ofThread('activity', step.patch),
    activityType: step.type,
    patch: filled(stage, step.ops),
  });
  return 'on';
};

export const playCustom: Performer<Custom> = (step, stage) => {
  emit(stage, { type: 'CUSTOM', name: step.custom, value: filled(stage, step.value) ?? null });
  return 'on';
};

export const playRaw: Performer<Raw> = ({ raw, source }, stage) => {
  emit(stage, {
    type: 'RAW',
    event: filled(stage, raw) ?? null,
    ...(source === undefined ? {} : { source }),
  });
  return 'on';
};
