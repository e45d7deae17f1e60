/** Remembers after which message a card came, because the kept cards of a join no longer say. */
import type { AguiEvent } from '@triptych/protocol';
import { CARD_NAME, readCard } from './cards.js';

export type CardAnchors = ReadonlyMap<string, string>;

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const lastIdOf = (messages: unknown): string | undefined => {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return text((last as { id?: unknown } | undefined)?.id);
};

/** The message an event begins or belongs to, where it can be the last one so far. */
const messageOf = (event: AguiEvent): string | undefined => {
  switch (event.type) {
    case 'TEXT_MESSAGE_START':
    case 'ACTIVITY_SNAPSHOT':
    case 'TOOL_CALL_RESULT':
      return text(event.messageId);
    case 'TOOL_CALL_START':
      return text(event.parentMessageId) ?? text(event.toolCallId);
    case 'MESSAGES_SNAPSHOT':
      return lastIdOf(event.messages);
    default:
      return undefined;
  }
};

const cardIn = (event: AguiEvent): string | undefined =>
  event.type === 'CUSTOM' && event.name === CARD_NAME ? readCard(event.value)?.id : undefined;

/** A card seen for the first time, live, belongs after the last message before it. */
export const anchoredLive = (
  anchors: CardAnchors,
  events: readonly AguiEvent[],
  lastMessageId: string | undefined,
): CardAnchors => {
  const fresh = new Map<string, string>();
  let last = lastMessageId;
  for (const event of events) {
    last = messageOf(event) ?? last;
    const card = cardIn(event);
    if (card !== undefined && last !== undefined && !anchors.has(card) && !fresh.has(card))
      fresh.set(card, last);
  }
  return fresh.size === 0 ? anchors : new Map([...anchors, ...fresh]);
};

/** Cards that were there before us stay where the conversation stood when we came. */
export const anchoredAt = (
  anchors: CardAnchors,
  cardIds: readonly string[],
  lastMessageId: string | undefined,
): CardAnchors => {
  const fresh = cardIds.filter((id) => !anchors.has(id));
  if (fresh.length === 0 || lastMessageId === undefined) return anchors;
  return new Map([...anchors, ...fresh.map((id) => [id, lastMessageId] as const)]);
};

/** Where the cards of one conversation came, as this device keeps it. */
type ShelfEntry = readonly [threadId: string, pairs: readonly (readonly [card: string, message: string])[]];
/** The conversation last seen stands first. */
export type CardShelf = readonly ShelfEntry[];

/** Conversations a device remembers the cards of; older ones show theirs at the end. */
const MAX_THREADS = 50;
/** Cards remembered of one conversation: more than the hub keeps for a join. */
const MAX_CARDS = 300;

const isPair = (pair: unknown): pair is readonly [string, string] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((id) => typeof id === 'string');

const isEntry = (entry: unknown): entry is readonly [string, readonly unknown[]] =>
  Array.isArray(entry) && typeof entry[0] === 'string' && Array.isArray(entry[1]);

/** What does not read as a shelf is as if nothing had been kept. */
export const shelfFrom = (stored: unknown): CardShelf =>
  Array.isArray(stored)
    ? stored.filter(isEntry).map(([threadId, pairs]) => [threadId, pairs.filter(isPair)])
    : [];

export const anchorsOf = (shelf: CardShelf, threadId: string): CardAnchors =>
  new Map(shelf.find(([id]) => id === threadId)?.[1]);

export const shelved = (shelf: CardShelf, threadId: string, anchors: CardAnchors): CardShelf => {
  const others = shelf.filter(([id]) => id !== threadId);
  return [[threadId, [...anchors].slice(-MAX_CARDS)] as const, ...others].slice(0, MAX_THREADS);
};
