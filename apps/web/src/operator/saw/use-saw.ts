/** Loads what each surface was shown of the events up to a place, and goes on with what comes. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSurface } from '../../shared/surface-context.js';
import { firstMissing, type SawEntry } from '../core/saw-rows.js';

/** As many as are looked at together; earlier ones on demand. */
const WINDOW = 200;
/** A page that holds more is slow to read and to draw. */
const MAX_WINDOWS = 10;

interface SawPage {
  readonly items: readonly (Omit<SawEntry, 'kind'> & { readonly refused?: true })[];
}

export interface Saw {
  /** Ascending. */
  readonly entries: readonly SawEntry[];
  readonly failed: boolean;
  readonly again: () => void;
  /** Undefined when there is no more, or no room for it. */
  readonly earlier: (() => void) | undefined;
}

type Known = ReadonlyMap<number, SawEntry>;

const withItems = (known: Known, { items }: SawPage): Known => {
  const next = new Map(known);
  for (const item of items) if (!item.refused) next.set(item.seq, { ...item, kind: 'stored' });
  return next;
};

/** `end`: the last seq of interest; `first`: the first one kept. */
export const useSaw = (threadId: string, { end, first }: { end: number; first: number }): Saw => {
  const { api } = useSurface();
  const [known, setKnown] = useState<Known>(new Map());
  const [windows, setWindows] = useState(1);
  const [turn, setTurn] = useState(0);
  const [failed, setFailed] = useState(false);
  const busy = useRef(false);
  const tried = useRef('');
  const from = Math.max(first, end - WINDOW * windows + 1);
  const missing = firstMissing(known, from, end);
  useEffect(() => {
    // One try a need: what the hub no longer has is not asked for again and again.
    const need = `${missing}/${end}/${turn}`;
    if (missing === undefined || busy.current || tried.current === need) return;
    busy.current = true;
    tried.current = need;
    const limit = Math.min(WINDOW, end - missing + 1);
    const path = `/v1/threads/${encodeURIComponent(threadId)}/log?after=${missing - 1}&limit=${limit}&shown=true`;
    void api.get<SawPage>(path).then((answer) => {
      busy.current = false;
      setFailed(!answer.ok);
      if (answer.ok) setKnown((old) => withItems(old, answer.value));
    });
  }, [api, threadId, missing, end, turn, known]);
  const entries = useMemo(
    () => [...known.values()].filter(({ seq }) => seq >= from && seq <= end).sort((a, b) => a.seq - b.seq),
    [known, from, end],
  );
  const earlier = from > first && windows < MAX_WINDOWS ? () => setWindows(windows + 1) : undefined;
  return { entries, failed, again: () => setTurn(turn + 1), earlier };
};
