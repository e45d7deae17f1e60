/** Fetches one thing from the hub, again when asked and when only the moment was wrong; keeps the old value meanwhile. */
import type { Refusal } from '@triptych/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSurface } from './surface-context.js';

export type Fetched<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'there'; readonly value: T }
  | { readonly state: 'refused'; readonly refusal: Refusal };

/** Frames come in bursts; one look after the burst is enough. */
const SETTLE_MS = 150;
/** A hub that is away says no better time itself. */
const TRY_AGAIN_MS = 2_000;

export const useFetched = <T>(path: string | undefined): { fetched: Fetched<T>; again: () => void } => {
  const { api } = useSurface();
  const [fetched, setFetched] = useState<Fetched<T>>({ state: 'loading' });
  const [turn, setTurn] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setFetched({ state: 'loading' }), [path]);
  useEffect(() => {
    if (path === undefined) return undefined;
    let wanted = true;
    let retry: ReturnType<typeof setTimeout> | undefined;
    void api.get<T>(path).then((answer) => {
      if (!wanted) return;
      if (answer.ok) setFetched({ state: 'there', value: answer.value });
      else {
        const { refusal } = answer;
        const passing = refusal.next === 'retry';
        if (passing)
          retry = setTimeout(() => setTurn((old) => old + 1), refusal.retryAfterMs ?? TRY_AGAIN_MS);
        setFetched((old) => (old.state === 'there' && passing ? old : { state: 'refused', refusal }));
      }
    });
    return () => {
      wanted = false;
      clearTimeout(retry);
    };
  }, [api, path, turn]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const again = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTurn((old) => old + 1), SETTLE_MS);
  }, []);
  return { fetched, again };
};
