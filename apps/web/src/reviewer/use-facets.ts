/** What is open for this person, by what it is looked for by: over all tasks, not those that are loaded. */
import type { TaskCounts } from '@triptych/protocol';
import { useEffect, useRef } from 'react';
import { useFetched } from '../shared/use-fetched.js';
import { useNow } from '../shared/use-now.js';

export interface Facets {
  readonly open: number;
  readonly mine: number;
  readonly over: number;
  readonly soon: number;
  readonly groups: Readonly<Record<string, number>>;
  readonly agents: Readonly<Record<string, number>>;
  readonly tools: Readonly<Record<string, number>>;
  readonly holders: Readonly<Record<string, number>>;
}

/** However much changes, they are asked for at most this often. */
const EVERY_MS = 2_000;
/** Time alone makes tasks due. */
const MINUTE = 60_000;

export const useFacets = (counts: TaskCounts): Facets | undefined => {
  const { fetched, again } = useFetched<Facets>('/v1/approvals/facets');
  const minute = Math.floor(useNow(MINUTE) / MINUTE);
  const asked = useRef(Date.now());
  useEffect(() => {
    const wait = Math.max(0, asked.current + EVERY_MS - Date.now());
    const timer = setTimeout(() => {
      asked.current = Date.now();
      again();
    }, wait);
    return () => clearTimeout(timer);
  }, [again, counts, minute]);
  return fetched.state === 'there' ? fetched.value : undefined;
};
