/** Follows a thread to remember where its cards came. */
import type { ThreadChange, ThreadView } from '@triptych/client';
import { useEffect, useState } from 'react';
import { readStored, writeStored } from '../shared/stored.js';
import { useSurface } from '../shared/surface-context.js';
import {
  anchoredAt,
  anchoredLive,
  anchorsOf,
  shelfFrom,
  shelved,
  type CardAnchors,
  type CardShelf,
} from './core/card-anchors.js';
import { keptCards } from './core/read-conversation.js';

const KEY = 'triptych.cards';

/** Read anew each time: other tabs of this device keep theirs in the same place. */
const shelfNow = (): CardShelf => shelfFrom(readStored(KEY));

interface News {
  readonly before: ThreadView | undefined;
  readonly view: ThreadView;
  readonly change: ThreadChange;
}

const step = (anchors: CardAnchors, { before, view, change }: News): CardAnchors => {
  const last = before?.model.messages.at(-1)?.id;
  if (change.kind === 'events') return anchoredLive(anchors, change.data.events, last);
  if (change.kind !== 'snapshot') return anchors;
  const ids = keptCards(view.model).map((card) => card.id);
  return anchoredAt(anchors, ids, view.model.messages.at(-1)?.id);
};

export const useCardAnchors = (threadId: string, known: boolean): CardAnchors => {
  const { client } = useSurface();
  const [anchors, setAnchors] = useState<CardAnchors>(() => anchorsOf(shelfNow(), threadId));
  useEffect(() => {
    if (!known) return undefined;
    let current = anchorsOf(shelfNow(), threadId);
    let before: ThreadView | undefined;
    return client.subscribe(threadId, (view, change) => {
      const next = step(current, { before, view, change });
      before = view;
      if (next === current) return;
      current = next;
      writeStored(KEY, shelved(shelfNow(), threadId, next));
      setAnchors(next);
    });
  }, [client, threadId, known]);
  return anchors;
};
