/** Remembers on this device what waited for an adviser: once it is answered, nothing else tells it from other work. */
import { useState } from 'react';
import { readStored, writeStored } from '../shared/stored.js';
import type { Reading } from './core/read-conversation.js';
import type { HeldBefore } from './core/turns.js';

const KEY = 'triptych.held';
/** The oldest go first; their work is then a step like any other. */
const MAX_HELD = 200;

type Held = ReadonlyMap<string, HeldBefore>;
type Entry = readonly [callId: string, held: HeldBefore];

const all = (): Record<string, HeldBefore> =>
  (readStored(KEY) as Record<string, HeldBefore> | undefined) ?? {};

const keptOf = (threadId: string): Held =>
  new Map(
    Object.entries(all()).flatMap(([key, held]): readonly Entry[] =>
      key.startsWith(`${threadId}/`) ? [[key.slice(threadId.length + 1), held]] : [],
    ),
  );

const keep = (threadId: string, fresh: readonly Entry[]): void => {
  const added = fresh.map(([id, held]) => [`${threadId}/${id}`, held] as const);
  writeStored(KEY, Object.fromEntries([...Object.entries(all()), ...added].slice(-MAX_HELD)));
};

export const useHeldCalls = (threadId: string) => {
  const [known, setKnown] = useState(() => keptOf(threadId));
  const note = ({ waiting, held }: Pick<Reading, 'waiting' | 'held'>): void => {
    const ref = waiting.hold?.ref;
    const fresh = held
      .filter(({ id }) => !known.has(id))
      .map(({ id }): Entry => [id, ref === undefined ? {} : { ref }]);
    if (fresh.length === 0) return;
    keep(threadId, fresh);
    // Also where nothing can be kept: this page remembers.
    setKnown(new Map([...known, ...fresh]));
  };
  return { known, note };
};
