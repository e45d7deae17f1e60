/** The desk's list: follows what it asked the hub for, keeps its order, lays it out anew when the reader asks. */
import type { InboxView } from '@triptych/client';
import type { TaskCounts, TaskView } from '@triptych/protocol';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { useSurface } from '../shared/surface-context.js';
import { useMe } from '../shared/who-am-i.js';
import { compareFor, filterOf, isClosed, type DeskQuestion } from './core/desk-question.js';
import { isRead, movedOn, type Queue } from './core/queue.js';
import {
  NOTHING_SHOWN,
  shownAnew,
  shownAnswer,
  shownNews,
  type Asked,
  type Shown,
} from './core/shown-list.js';
import { useDeskText } from './texts.js';

/** Tasks asked for at first, and by how many more at a time. */
const STEP = 100;
/** What the hub shows at once. */
const MOST = 500;

export interface DeskQueue {
  readonly queue: Queue;
  readonly phase: 'joining' | 'live' | 'catching-up' | 'ended';
  /** What is shown answers another question than the one that is asked now. */
  readonly asking: boolean;
  readonly laidOutAt: number;
  /** All that fit; undefined: as many as are shown. */
  readonly total: number | undefined;
  readonly counts: TaskCounts;
  readonly showFresh: () => void;
  /** Asks anew: the order of the hub, now. */
  readonly sortAgain: () => void;
  /** undefined: there is no more, or none that would be shown. */
  readonly showMore: (() => void) | undefined;
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

/** How much of it is asked for, and how often it was asked anew. */
const useReach = (key: string) => {
  const [reach, setReach] = useState({ key, limit: STEP, turn: 0 });
  const { limit, turn } = reach.key === key ? reach : { limit: STEP, turn: 0 };
  return {
    limit,
    turn,
    again: useCallback(
      (more: number) => setReach({ key, limit: Math.min(limit + more, MOST), turn: turn + 1 }),
      [key, limit, turn],
    ),
  };
};

interface Inbox {
  readonly question: DeskQuestion;
  readonly inHand: InHand;
  readonly list: RefObject<HTMLElement | null>;
}

/** What is asked, and who is at the list, at the moment it is called. */
const useAsked = ({ question, inHand, list }: Inbox, key: string): (() => Asked) => {
  const latest = useRef({ question, inHand });
  latest.current = { question, inHand };
  return useCallback(() => {
    const { question: asked, inHand: hand } = latest.current;
    const lay = { compare: compareFor(asked), closed: isClosed(asked.queue) };
    const held = isRead(readerOf(list.current, hand));
    return { key, lay, now: Date.now(), reading: idsIn(hand), picked: hand.picked, held };
  }, [key, list]);
};

/** Asks, and asks again whenever the question, its reach or the reader is another. */
const useShown = (inbox: Inbox) => {
  const { client } = useSurface();
  const me = useMe();
  const key = JSON.stringify([inbox.question, me]);
  const { limit, turn, again } = useReach(key);
  const [shown, setShown] = useState<Shown>(NOTHING_SHOWN);
  const [phase, setPhase] = useState<DeskQueue['phase']>('joining');
  const asked = useAsked(inbox, key);
  const question = useRef(inbox.question);
  question.current = inbox.question;
  useEffect(() => {
    let isAnswer = true;
    const told = (view: InboxView): void => {
      setPhase(view.phase);
      if (view.phase === 'joining') return;
      const now = asked();
      const step = isAnswer ? shownAnswer : shownNews;
      isAnswer = false;
      setShown((old) => step(old, view, now));
    };
    return client.inbox(filterOf(question.current, { me, now: Date.now() }), told, limit);
  }, [client, asked, me, limit, turn]);
  return { shown, setShown, phase, asked, limit, again, asking: shown.key !== key };
};

/** `list` holds the rows: whether someone is at them decides if new ones wait. */
export const useQueue = (inbox: Inbox): DeskQueue => {
  const { shown, setShown, phase, asked, limit, again, asking } = useShown(inbox);
  const change = useCallback(
    (step: (queue: Queue) => Queue) => setShown((old) => ({ ...old, queue: step(old.queue) })),
    [setShown],
  );
  useSpokenNews(shown.arrived);
  return {
    queue: shown.queue,
    ...{ phase, asking },
    laidOutAt: shown.laidOutAt ?? 0,
    total: shown.partial ? shown.total : undefined,
    counts: shown.counts,
    showFresh: useCallback(() => {
      const now = asked();
      setShown((old) => shownAnew(old, now));
    }, [asked, setShown]),
    sortAgain: () => again(0),
    showMore: shown.partial && limit < MOST ? () => again(STEP) : undefined,
    leave: useCallback((taskId) => change((old) => movedOn(old, taskId)), [change]),
    put: useCallback(
      (task) => change((old) => ({ ...old, known: new Map(old.known).set(task.taskId, task) })),
      [change],
    ),
  };
};
