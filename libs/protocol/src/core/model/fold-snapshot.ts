/** Reconciles a MESSAGES_SNAPSHOT with the messages there are, as the reference client does. */
import type { Message } from '../agui.js';
import type { EventOf } from '../event-types.js';
import { isPlain } from '../known-material.js';
import { doIdsRepeat } from './messages.js';
import type { Model } from './model.js';

/** The reference client's own convention: which activity types a snapshot speaks for. */
const SCOPE_KEY = '@ag-ui/client';
const SCOPE_TYPES = 'authoritativeActivityTypes';

/** All types, some, or nothing said. A scope that cannot be read speaks for none. */
type Scope = 'all' | 'unsaid' | readonly unknown[];

const scopeOf = ({ metadata }: EventOf<'MESSAGES_SNAPSHOT'>): Scope => {
  if (!metadata || !Object.hasOwn(metadata, SCOPE_KEY)) return 'unsaid';
  const told: unknown = metadata[SCOPE_KEY];
  if (!isPlain(told)) return [];
  if (!Object.hasOwn(told, SCOPE_TYPES)) return 'unsaid';
  const types = told[SCOPE_TYPES];
  if (types === null) return 'all';
  return Array.isArray(types) && types.every((type) => typeof type === 'string') ? types : [];
};

/**
 * Activities and reasoning are often the reader's own: a snapshot that has none of them says nothing about them, one
 * that has any is taken to have them all.
 */
const isKept = (event: EventOf<'MESSAGES_SNAPSHOT'>): ((message: Message) => boolean) => {
  const has = (role: string): boolean => event.messages.some((message) => message.role === role);
  const [scope, hasActivity, hasReasoning] = [scopeOf(event), has('activity'), has('reasoning')];
  return (message) => {
    if (message.role === 'reasoning') return !hasReasoning;
    if (message.role !== 'activity' || scope === 'all') return false;
    return scope === 'unsaid' ? !hasActivity : !scope.includes(message.activityType);
  };
};

/** In place by id; what the snapshot leaves out goes, what it adds comes last. */
export const reconcile = (model: Model, event: EventOf<'MESSAGES_SNAPSHOT'>): Model => {
  const told = new Map(event.messages.map((message) => [message.id, message]));
  const keeps = isKept(event);
  const kept = model.messages
    .filter((message) => told.has(message.id) || keeps(message))
    .map((message) => told.get(message.id) ?? message);
  const there = new Set(kept.map(({ id }) => id));
  const messages = [...kept, ...event.messages.filter(({ id }) => !there.has(id))];
  return { ...model, messages, idsRepeat: doIdsRepeat(messages) };
};
