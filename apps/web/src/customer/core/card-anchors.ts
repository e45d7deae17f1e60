/** Remembers after which message a card came, because the kept cards of a join no longer say. */

export type CardAnchors = ReadonlyMap<string, string>;

/** A card seen for the first time, live, belongs after the last message there is. */
export const anchored = (
  anchors: CardAnchors,
  cardIds: readonly string[],
  lastMessageId: string | undefined,
): CardAnchors => {
  const fresh = cardIds.filter((id) => !anchors.has(id));
  if (fresh.length === 0 || lastMessageId === undefined) return anchors;
  return new Map([...anchors, ...fresh.map((id) => [id, lastMessageId] as const)]);
};

export const anchorsFrom = (stored: unknown): CardAnchors =>
  Array.isArray(stored)
    ? new Map(
        stored.filter(
          (pair): pair is [string, string] =>
            Array.isArray(pair) && pair.every((id) => typeof id === 'string'),
        ),
      )
    : new Map();
