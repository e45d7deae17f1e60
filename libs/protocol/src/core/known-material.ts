/** Leaves out what a later version of the protocol may add to a known event: the rest stays what it was. */
import type { AguiEvent } from './agui.js';
import { known } from './event-types.js';
import { isPatchOperation } from './json/apply-patch.js';

type Plain = Readonly<Record<string, unknown>>;

export const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where unknown material was left out, as JSON Pointers into the event. */
export interface Trimmed {
  readonly event: AguiEvent;
  readonly dropped: readonly string[];
}

const ROLES: ReadonlySet<unknown> = new Set([
  'developer',
  'system',
  'assistant',
  'user',
  'tool',
  'activity',
  'reasoning',
]);
const SOURCES: ReadonlySet<unknown> = new Set(['data', 'url', 'file']);
const MEDIA: ReadonlySet<unknown> = new Set(['image', 'audio', 'video', 'document']);
const RUN_OUTCOMES: ReadonlySet<unknown> = new Set(['success', 'interrupt', 'cancelled']);
const SUBAGENT_OUTCOMES: ReadonlySet<unknown> = new Set(['success', 'suspended']);

/** A malformed value is not unknown material: it stays, to be refused. */
const isKnownPart = (part: unknown): boolean => {
  if (!isPlain(part) || part.type === 'text') return true;
  if (!MEDIA.has(part.type)) return false;
  return !isPlain(part.source) || SOURCES.has(part.source.type);
};
const isKnownOperation = (operation: unknown): boolean =>
  !isPlain(operation) || isPatchOperation(operation.op);
const isKnownMessage = (message: unknown): boolean => !isPlain(message) || ROLES.has(message.role);

interface Sieve {
  readonly at: string;
  readonly dropped: string[];
}

/** The list without what `keep` refuses; the same list when that is nothing. */
const sift = (list: readonly unknown[], keep: (item: unknown) => boolean, { at, dropped }: Sieve) => {
  if (list.every(keep)) return list;
  return list.filter((item, index) => {
    const kept = keep(item);
    if (!kept) dropped.push(`${at}/${index}`);
    return kept;
  });
};

/** A list among the members of an object, and what may stay in it. */
interface Listed {
  readonly key: string;
  readonly keep: (item: unknown) => boolean;
}

const siftMember = (holder: Plain, { key, keep }: Listed, sieve: Sieve): Plain => {
  const list = holder[key];
  if (!Array.isArray(list)) return holder;
  const kept = sift(list, keep, { ...sieve, at: `${sieve.at}/${key}` });
  return kept === list ? holder : { ...holder, [key]: kept };
};

const PARTS: Listed = { key: 'content', keep: isKnownPart };

const siftMessages = (holder: Plain, sieve: Sieve): Plain => {
  const list = holder.messages;
  if (!Array.isArray(list)) return holder;
  const at = `${sieve.at}/messages`;
  const trimmed: readonly unknown[] = list.map((message: unknown, index) =>
    isPlain(message) && isKnownMessage(message)
      ? siftMember(message, PARTS, { ...sieve, at: `${at}/${index}` })
      : message,
  );
  const kept = sift(trimmed, isKnownMessage, { ...sieve, at });
  return kept.length === list.length && kept.every((message, index) => message === list[index])
    ? holder
    : { ...holder, messages: kept };
};

const dropOutcome = (event: Plain, outcomes: ReadonlySet<unknown>, { dropped }: Sieve): Plain => {
  if (!isPlain(event.outcome) || outcomes.has(event.outcome.type)) return event;
  dropped.push('/outcome');
  const { outcome: _outcome, ...rest } = event;
  return rest;
};

const siftInput = (event: Plain, sieve: Sieve): Plain => {
  if (!isPlain(event.input)) return event;
  const input = siftMessages(event.input, { ...sieve, at: '/input' });
  return input === event.input ? event : { ...event, input };
};

const SIEVES: ReadonlyMap<string, (event: Plain, sieve: Sieve) => Plain> = new Map([
  ['STATE_DELTA', (event, sieve) => siftMember(event, { key: 'delta', keep: isKnownOperation }, sieve)],
  ['ACTIVITY_DELTA', (event, sieve) => siftMember(event, { key: 'patch', keep: isKnownOperation }, sieve)],
  ['TOOL_CALL_RESULT', (event, sieve) => siftMember(event, PARTS, sieve)],
  ['MESSAGES_SNAPSHOT', siftMessages],
  ['RUN_STARTED', siftInput],
  ['RUN_FINISHED', (event, sieve) => dropOutcome(event, RUN_OUTCOMES, sieve)],
  ['SUBAGENT_FINISHED', (event, sieve) => dropOutcome(event, SUBAGENT_OUTCOMES, sieve)],
]);

/** The event as a reader of AG-UI 1.0 takes it; the same event when it holds nothing unknown. */
export const withoutUnknown = (event: AguiEvent): Trimmed => {
  const sieve: Sieve = { at: '', dropped: [] };
  const sifted = SIEVES.get(event.type)?.(event, sieve) ?? event;
  return { event: sifted as AguiEvent, dropped: sieve.dropped };
};

/** What AG-UI 1.0 knows of the event; undefined when that is nothing. */
export const knownOnly = (event: AguiEvent): AguiEvent | undefined =>
  known(event) ? withoutUnknown(event).event : undefined;
