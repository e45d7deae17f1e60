/** The desk's list: follows the inbox, keeps its order, lays it out anew when the reader asks. */
import type { TaskView } from '@triptych/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { useSurface } from '../shared/surface-context.js';
import { EMPTY_QUEUE, laidOut, movedOn, queueStep, type Queue } from './core/queue.js';
import { useDeskText } from './texts.js';

export interface DeskQueue {
  readonly queue: Queue;
  readonly phase: 'joining' | 'live' | 'catching-up' | 'ended';
  readonly laidOutAt: number;
  readonly showFresh: () => void;
  readonly leave: (taskId: string | undefined) => void;
  /** What an act answered, before the inbox says so too. */
  readonly put: (task: TaskView) => void;
}

/** New tasks are spoken at most this often. */
const SPOKEN_EVERY_MS = 10_000;

const useSpokenFresh = (count: number): void => {
  const t = useDeskText();
  const announce = useAnnounce();
  const last = useRef({ at: 0, count: 0 });
  useEffect(() => {
    const now = Date.now();
    if (count > last.current.count && now - last.current.at > SPOKEN_EVERY_MS) {
      announce(t('r.new.spoken', { n: count }));
      last.current = { at: now, count };
    } else if (count < last.current.count) last.current = { ...last.current, count };
  }, [count, announce, t]);
};

export const useQueue = (reading: string | undefined): DeskQueue => {
  const { client } = useSurface();
  const [queue, setQueue] = useState<Queue>(EMPTY_QUEUE);
  const [phase, setPhase] = useState<DeskQueue['phase']>('joining');
  const [laidOutAt, setLaidOutAt] = useState(0);
  const first = useRef(true);
  const read = useRef(reading);
  read.current = reading;
  const layOut = useCallback(() => {
    setQueue((old) => laidOut(old, read.current));
    setLaidOutAt(Date.now());
  }, []);
  useEffect(
    () =>
      client.inbox(undefined, (view) => {
        setPhase(view.phase);
        if (view.phase === 'joining') return;
        setQueue((old) => queueStep(old, view.items));
        if (!first.current) return;
        first.current = false;
        layOut();
      }),
    [client, layOut],
  );
  useSpokenFresh(queue.fresh.length);
  return {
    queue,
    phase,
    laidOutAt,
    showFresh: layOut,
    leave: useCallback((taskId) => setQueue((old) => movedOn(old, taskId)), []),
    put: useCallback(
      (task) => setQueue((old) => ({ ...old, known: new Map(old.known).set(task.taskId, task) })),
      [],
    ),
  };
};
