/** Fetches one thing from the hub and again when asked; keeps the old value meanwhile. */
import type { Refusal } from '@triptych/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSurface } from './surface-context.js';

export type Fetched<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'there'; readonly value: T }
  | { readonly state: 'refused'; readonly refusal: Refusal };

/** Frames come in bursts; one look after the burst is enough. */
const SETTLE_MS = 150;

export const useFetched = <T>(path: string | undefined): { fetched: Fetched<T>; again: () => void } => {
  const { api } = useSurface();
  const [fetched, setFetched] = useState<Fetched<T>>({ state: 'loading' });
  const [turn, setTurn] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setFetched({ state: 'loading' }), [path]);
  useEffect(() => {
    if (path === undefined) return undefined;
    let wanted = true;
    void api.get<T>(path).then((answer) => {
      if (!wanted) return;
      if (answer.ok) setFetched({ state: 'there', value: answer.value });
      else
        setFetched((old) =>
          old.state === 'there' && answer.refusal.next === 'retry'
            ? old
            : { state: 'refused', refusal: answer.refusal },
        );
    });
    return () => {
      wanted = false;
    };
  }, [api, path, turn]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const again = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTurn((old) => old + 1), SETTLE_MS);
  }, []);
  return { fetched, again };
};
