/** Keeps a claim alive while the reviewer is really there. */
import { useEffect, useRef } from 'react';
import { useSurface } from '../shared/surface-context.js';

/** Several beats fit into the shortest claim. */
const BEAT_MS = 60_000;
/** Without a key or a pointer for this long nobody is working on it. */
const IDLE_MS = 3 * 60_000;
const SIGNS = ['keydown', 'pointermove', 'scroll'] as const;

export const useHeartbeat = (taskId: string, mine: boolean): void => {
  const { client } = useSurface();
  const used = useRef(Date.now());
  useEffect(() => {
    const noticed = () => {
      used.current = Date.now();
    };
    for (const sign of SIGNS) window.addEventListener(sign, noticed, { passive: true, capture: true });
    return () => {
      for (const sign of SIGNS) window.removeEventListener(sign, noticed, { capture: true });
    };
  }, []);
  useEffect(() => {
    if (!mine) return undefined;
    const timer = setInterval(() => {
      const there = document.visibilityState === 'visible' && Date.now() - used.current < IDLE_MS;
      if (there) void client.task('heartbeat', { taskId });
    }, BEAT_MS);
    return () => clearInterval(timer);
  }, [client, taskId, mine]);
};
