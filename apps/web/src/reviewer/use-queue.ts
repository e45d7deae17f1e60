/** The desk's list: follows the inbox, keeps its order, lays it out anew when the reader asks. */
import type { TaskView } from '@triptych/protocol';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { useSurface } from '../shared/surface-context.js';
import { deskStep, EMPTY_DESK, isRead, laidOut, movedOn, type Desk, type Queue } from './core/queue.js';
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

/** `arrived` counts all that came since the first look, shown or waiting. */
const useSpokenNews = (arrived: number): void => {
  const t = useDeskText();
  const announce = useAnnounce();
  const last = useRef({ at: 0, arrived: 0 });
  useEffect(() => {
    const now = Date.now();
    if (arrived <= last.current.arrived || now - last.current.at <= SPOKEN_EVERY_MS) return;
    announce(t('r.new.spoken', { n: arrived - last.current.arrived }));
    last.current = { at: now, arrived };
  }, [arrived, announce, t]);
};

/** What its reader has in hand. */
export interface InHand {
  readonly selected: string | undefined;
  readonly picked: ReadonlySet<string>;
  readonly picking: boolean;
}

const idsIn = ({ selected, picked }: InHand): ReadonlySet<string> =>
  selected === undefined ? picked : new Set([...picked, selected]);

const readerOf = (list: HTMLElement | null, { selected, picking }: InHand) => ({
  rows: list?.querySelectorAll('[role=option]').length ?? 0,
  focused: list?.contains(document.activeElement) ?? false,
  pointed: list?.matches(':hover') ?? false,
  scrolled: list?.scrollTop ?? 0,
  selected: selected !== undefined,
  picking,
});

/** `list` holds the rows: whether someone is at them decides if new ones wait. */
export const useQueue = (inHand: InHand, list: RefObject<HTMLElement | null>): DeskQueue => {
  const { client } = useSurface();
  const [shown, setShown] = useState<Desk>(EMPTY_DESK);
  const [phase, setPhase] = useState<DeskQueue['phase']>('joining');
  const read = useRef(inHand);
  read.current = inHand;
  const change = useCallback(
    (step: (queue: Queue) => Queue) => setShown((old) => ({ ...old, queue: step(old.queue) })),
    [],
  );
  const layOut = useCallback(() => {
    const now = Date.now();
    setShown((old) => ({ ...old, queue: laidOut(old.queue, idsIn(read.current)), laidOutAt: now }));
  }, []);
  useEffect(
    () =>
      client.inbox(undefined, (view) => {
        setPhase(view.phase);
        if (view.phase === 'joining') return;
        const held = isRead(readerOf(list.current, read.current));
        const look = { now: Date.now(), reading: idsIn(read.current), held };
        setShown((old) => deskStep(old, view.items, look));
      }),
    [client, list],
  );
  useSpokenNews(shown.arrived);
  return {
    queue: shown.queue,
    phase,
    laidOutAt: shown.laidOutAt ?? 0,
    showFresh: layOut,
    leave: useCallback((taskId) => change((old) => movedOn(old, taskId)), [change]),
    put: useCallback(
      (task) => change((old) => ({ ...old, known: new Map(old.known).set(task.taskId, task) })),
      [change],
    ),
  };
};
