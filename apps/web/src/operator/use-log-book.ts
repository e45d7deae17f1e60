/** Fills the log of one thread: the live frames as they come, the stored pages behind them. */
import type { ThreadChange } from '@triptych/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSurface } from '../shared/surface-context.js';
import {
  emptyBook,
  entriesOf,
  gapsIn,
  readPosition,
  withPage,
  withStored,
  type LogBook,
  type LogPage,
} from './core/log-book.js';

/** What a first look loads; the rest on demand. */
const FIRST_PAGE = 200;

export interface LogTools {
  readonly book: LogBook | undefined;
  readonly live: boolean;
  readonly ended: string | undefined;
  /** Loads the page that ends before the first known event. */
  readonly loadEarlier: () => void;
  readonly loadRange: (from: number, to: number) => void;
}

export const useLogBook = (threadId: string): LogTools => {
  const { client, api } = useSurface();
  const [book, setBook] = useState<LogBook | undefined>(undefined);
  const [state, setState] = useState<{ live: boolean; ended: string | undefined }>({
    live: false,
    ended: undefined,
  });
  const epoch = useRef('');
  const first = useRef<number | undefined>(undefined);
  first.current = book?.stored[0]?.seq;

  const loadRange = useCallback(
    (from: number, to: number) => {
      const asked = epoch.current;
      const path = `/v1/threads/${encodeURIComponent(threadId)}/log?after=${from - 1}&limit=${Math.min(FIRST_PAGE, to - from + 1)}`;
      void api.get<LogPage>(path).then((answer) => {
        if (answer.ok && asked === epoch.current)
          setBook((old) => withPage(old ?? emptyBook(asked), answer.value));
      });
    },
    [api, threadId],
  );

  useEffect(() => {
    let frame: number | undefined;
    let waiting: ((book: LogBook) => LogBook)[] = [];
    const show = () => {
      frame = undefined;
      const steps = waiting;
      waiting = [];
      setBook((old) => steps.reduce((next, step) => step(next), old ?? emptyBook(epoch.current)));
    };
    const later = (step: (book: LogBook) => LogBook) => {
      waiting.push(step);
      frame ??= requestAnimationFrame(show);
    };
    const joined = (pos: string) => {
      const head = readPosition(pos);
      const known = epoch.current === head.epoch;
      epoch.current = head.epoch;
      if (!known) {
        waiting = [];
        setBook(emptyBook(head.epoch));
      }
      if (head.seq > 0) loadRange(Math.max(1, head.seq - FIRST_PAGE + 1), head.seq);
    };
    const changed = (change: ThreadChange) => {
      if (change.kind === 'snapshot') joined(change.data.pos);
      if (change.kind === 'events') {
        const entries = entriesOf(change.data);
        later((old) => withStored(old, entries));
      }
    };
    const stop = client.subscribe(threadId, (view, change) => {
      setState({
        live: view.phase === 'live',
        ended: view.phase === 'ended' ? (view.ended ?? '') : undefined,
      });
      changed(change);
    });
    return () => {
      stop();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, [client, threadId, loadRange]);

  const gap = book === undefined ? undefined : gapsIn(book)[0];
  const gapKey = gap === undefined ? undefined : `${gap.from}/${gap.to}`;
  const triedGap = useRef<string | undefined>(undefined);
  useEffect(() => {
    // One try a gap: a small one heals by itself, what the hub no longer has stays told.
    if (gap === undefined || gapKey === triedGap.current) return;
    triedGap.current = gapKey;
    loadRange(gap.from, gap.to);
  }, [gap, gapKey, loadRange]);

  return {
    book,
    ...state,
    loadRange,
    loadEarlier: () => {
      if (first.current !== undefined && first.current > 1)
        loadRange(Math.max(1, first.current - FIRST_PAGE), first.current - 1);
    },
  };
};
