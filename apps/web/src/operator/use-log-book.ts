/** Fills the log of one thread: the live frames as they come, the stored pages behind them. */
import type { ThreadChange } from '@triptych/client';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSurface } from '../shared/surface-context.js';
import { goTo } from '../shared/url-state.js';
import {
  emptyBook,
  entriesOf,
  readPosition,
  smallGap,
  withPage,
  withStored,
  type LogBook,
  type LogPage,
} from './core/log-book.js';
import { frameQueue } from './frame-queue.js';

/** What a first look loads; the rest on demand. */
const FIRST_PAGE = 200;

type LoadRange = (from: number, to: number) => void;

export interface LogTools {
  readonly book: LogBook | undefined;
  readonly ended: string | undefined;
  /** Loads the page that ends before the first known event. */
  readonly loadEarlier: () => void;
  readonly loadRange: LoadRange;
  /** Picks an event, and loads what is around it where it is not here. */
  readonly goToEvent: (seq: number) => void;
}

type Change = (step: (book: LogBook) => LogBook) => void;

/** One try a gap: a small one heals by itself, a large one and what the hub no longer has stay told. */
const useHealedGaps = (book: LogBook | undefined, loadRange: LoadRange): void => {
  const tried = useRef<string | undefined>(undefined);
  const gap = useMemo(() => book && smallGap(book, FIRST_PAGE), [book]);
  useEffect(() => {
    const key = gap === undefined ? undefined : `${gap.from}/${gap.to}`;
    if (gap === undefined || key === tried.current) return;
    tried.current = key;
    loadRange(gap.from, gap.to);
  }, [gap, loadRange]);
};

export const useLogBook = (threadId: string): LogTools => {
  const { client, api } = useSurface();
  const [book, setBook] = useState<LogBook | undefined>(undefined);
  const [ended, setEnded] = useState<string | undefined>(undefined);
  const epoch = useRef('');

  const change = useCallback<Change>((step) => setBook((old) => step(old ?? emptyBook(epoch.current))), []);
  const loadRange = useCallback<LoadRange>(
    (from, to) => {
      const asked = epoch.current;
      const limit = Math.min(FIRST_PAGE, to - from + 1);
      const path = `/v1/threads/${encodeURIComponent(threadId)}/log?after=${from - 1}&limit=${limit}`;
      void api.get<LogPage>(path).then((answer) => {
        if (answer.ok && asked === epoch.current) change((old) => withPage(old, answer.value));
      });
    },
    [api, threadId, change],
  );

  useEffect(() => {
    const queue = frameQueue(change);
    const joined = (pos: string) => {
      const head = readPosition(pos);
      if (epoch.current !== head.epoch) {
        epoch.current = head.epoch;
        queue.clear();
        setBook(emptyBook(head.epoch));
      }
      if (head.seq > 0) loadRange(Math.max(1, head.seq - FIRST_PAGE + 1), head.seq);
    };
    const take = (news: ThreadChange) => {
      if (news.kind === 'snapshot') joined(news.data.pos);
      if (news.kind === 'events') queue.add((old) => withStored(old, entriesOf(news.data)));
    };
    const stop = client.subscribe(threadId, (view, news) => {
      setEnded(view.phase === 'ended' ? (view.ended ?? '') : undefined);
      take(news);
    });
    return () => {
      stop();
      queue.clear();
    };
  }, [client, threadId, change, loadRange]);
  useHealedGaps(book, loadRange);

  const first = book?.stored[0]?.seq ?? 1;
  const loadEarlier = () => {
    if (first > 1) loadRange(Math.max(1, first - FIRST_PAGE), first - 1);
  };
  const goToEvent = (seq: number) => {
    if (!book?.stored.some((entry) => entry.seq === seq))
      loadRange(Math.max(1, seq - FIRST_PAGE / 2), seq + FIRST_PAGE / 2);
    goTo({ seq: String(seq) }, 'replace');
  };
  return { book, ended, loadRange, loadEarlier, goToEvent };
};
