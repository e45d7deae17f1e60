/** Follows one thread and redraws at most once a frame. */
import type { HubClient, ThreadView } from '@triptych/client';
import { useMemo, useSyncExternalStore } from 'react';
import { useSurface } from './surface-context.js';

interface ThreadStore {
  readonly subscribe: (changed: () => void) => () => void;
  readonly current: () => ThreadView | undefined;
}

const threadStore = (client: HubClient, threadId: string | undefined): ThreadStore => {
  let view: ThreadView | undefined;
  return {
    current: () => view,
    subscribe: (changed) => {
      if (threadId === undefined) return () => undefined;
      let frame: number | undefined;
      let latest: ThreadView | undefined;
      const show = () => {
        frame = undefined;
        view = latest;
        changed();
      };
      const stop = client.subscribe(threadId, (next) => {
        latest = next;
        frame ??= requestAnimationFrame(show);
      });
      return () => {
        stop();
        if (frame !== undefined) cancelAnimationFrame(frame);
      };
    },
  };
};

export const useThread = (threadId: string | undefined): ThreadView | undefined => {
  const { client } = useSurface();
  const store = useMemo(() => threadStore(client, threadId), [client, threadId]);
  return useSyncExternalStore(store.subscribe, store.current);
};
