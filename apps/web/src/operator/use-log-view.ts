/** What of the log is on screen: filter, pause, following, selection. */
import { useCallback, useMemo, useRef, useState } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { goTo, useUrlParam } from '../shared/url-state.js';
import type { Family } from './core/families.js';
import { parseFilter, type Filter } from './core/filter.js';
import type { LogBook } from './core/log-book.js';
import { layRows, type Laid, type Row } from './core/rows.js';
import { useConsoleText } from './texts.js';

export interface LogView extends Selection, Filtering, Pausing {
  readonly laid: Laid;
}

interface Filtering {
  readonly filter: Filter;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly families: ReadonlySet<Family>;
  /** Without a family: all of them again. */
  readonly toggleFamily: (family: Family | undefined) => void;
}

interface Pausing {
  readonly paused: boolean;
  /** Events that came since. */
  readonly waiting: number;
  readonly setPaused: (paused: boolean) => void;
}

interface Selection {
  readonly selected: Row | undefined;
  readonly select: (row: Row | undefined) => void;
  readonly step: (by: number) => void;
}

const useFiltering = (): Filtering => {
  const [text, setText] = useState('');
  const [families, setFamilies] = useState<ReadonlySet<Family>>(new Set());
  const filter = useMemo(() => parseFilter(text, families), [text, families]);
  const toggleFamily = useCallback((family: Family | undefined) => {
    setFamilies((old) => {
      if (family === undefined) return new Set();
      const next = new Set(old);
      if (!next.delete(family)) next.add(family);
      return next;
    });
  }, []);
  return { filter, text, setText, families, toggleFamily };
};

/** Paused: what is new waits, what is loaded from before still comes in. */
const usePausing = (book: LogBook): Pausing & { readonly shown: LogBook } => {
  const t = useConsoleText();
  const announce = useAnnounce();
  const [last, setLast] = useState<number | undefined>(undefined);
  const shown = useMemo(
    () => (last === undefined ? book : { ...book, stored: book.stored.filter((entry) => entry.seq <= last) }),
    [book, last],
  );
  const setPaused = (paused: boolean) => {
    setLast(paused ? (book.stored.at(-1)?.seq ?? 0) : undefined);
    announce(t(paused ? 'a.paused' : 'a.following'));
  };
  return { shown, paused: last !== undefined, waiting: book.stored.length - shown.stored.length, setPaused };
};

/** A stored event is named in the address; a refused one has no number to be named by. */
const useSelection = (laid: Laid): Selection => {
  const seq = useUrlParam('seq');
  const [refusedKey, setRefusedKey] = useState<string | undefined>(undefined);
  const key = seq === undefined ? refusedKey : `e${seq}`;
  const latest = useRef(laid);
  latest.current = laid;
  const select = useCallback((row: Row | undefined) => {
    const entry = row?.kind === 'event' ? row.entry : undefined;
    goTo({ seq: entry?.kind === 'stored' ? String(entry.seq) : undefined }, 'replace');
    setRefusedKey(entry?.kind === 'refused' ? row?.key : undefined);
  }, []);
  const step = useCallback(
    (by: number) => {
      const events = latest.current.rows.filter((row) => row.kind === 'event');
      const at = events.findIndex((row) => row.key === key);
      const next = at < 0 ? events.at(-1) : events[Math.min(events.length - 1, Math.max(0, at + by))];
      if (next) select(next);
    },
    [select, key],
  );
  return { selected: laid.rows.find((row) => row.key === key), select, step };
};

export const useLogView = (book: LogBook): LogView => {
  const filtering = useFiltering();
  const { shown, ...pausing } = usePausing(book);
  const laid = useMemo(() => layRows(shown, filtering.filter), [shown, filtering.filter]);
  return { laid, ...filtering, ...pausing, ...useSelection(laid) };
};
