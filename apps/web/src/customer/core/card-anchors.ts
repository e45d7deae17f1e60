/** Remembers after which message a card came, because the kept cards of a join no longer say. */
import type { AguiEvent } from '@triptych/protocol';
import { CARD_NAME, readCard } from './cards.js';

export type CardAnchors = ReadonlyMap<string, string>;

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The message an event begins or belongs to, where it can be the last one so far. */
const messageOf = (event: AguiEvent): string | undefined => {
  switch (event.type) {
    case 'TEXT_MESSAGE_START':
    case 'ACTIVITY_SNAPSHOT':
    case 'TOOL_CALL_RESULT':
      return text(event.messageId);
    case 'TOOL_CALL_START':
      return text(event.parentMessageId) ?? text(event.toolCallId);
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

export const anchorsFrom = (stored: unknown): CardAnchors =>
  new Map(Array.isArray(stored) ? stored.filter(isPair) : []);

const isPair = (pair: unknown): pair is [string, string] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((id) => typeof id === 'string');
