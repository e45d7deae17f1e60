/** What of the log is on screen: filter, pause, following, selection. */
import { useCallback, useMemo, useState } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { goTo, useUrlParam } from '../shared/url-state.js';
import type { Family } from './core/families.js';
import { parseFilter, type Filter } from './core/filter.js';
import type { LogBook } from './core/log-book.js';
import { foldRows, spanOf } from './core/fold-rows.js';
import { layRows, type EventRow, type FoldRow, type Laid, type Row } from './core/rows.js';
import { useConsoleText } from './texts.js';

export interface LogView extends Selection, Filtering, Pausing, Folding {
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
  /** Among the rows that are shown. */
  readonly step: (by: number) => void;
  /** Among the events, also those that are folded. */
  readonly stepEvent: (by: number) => void;
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

interface Folding {
  /** Every event is a row of its own. */
  readonly unfolded: boolean;
  readonly setUnfolded: (unfolded: boolean) => void;
  /** Selects a row; a fold is also opened or shut. */
  readonly pick: (row: Row) => void;
  /** Into the fold that is selected, or out of the one that is looked into. */
  readonly turnFold: (inwards: boolean) => void;
}

const isAt = (seq: string | undefined, fold: FoldRow): boolean => {
  const { from, to } = spanOf(fold);
  return seq !== undefined && Number(seq) >= from && Number(seq) <= to;
};

/** A stored event is named in the address, a fold by its first one; a refused event has no number to be named by. */
const usePlace = () => {
  const seq = useUrlParam('seq');
  const [own, setOwn] = useState<string | undefined>(undefined);
  const select = useCallback((row: Row | undefined) => {
    const entry = row?.kind === 'event' ? row.entry : row?.kind === 'fold' ? row.entries[0] : undefined;
    goTo({ seq: entry?.kind === 'stored' ? String(entry.seq) : undefined }, 'replace');
    setOwn(row?.kind === 'fold' || entry?.kind === 'refused' ? row?.key : undefined);
  }, []);
  const onFold = own === `f${seq}`;
  return { seq, onFold, key: seq === undefined || onFold ? own : `e${seq}`, select };
};

const isStop = (row: Row): row is EventRow | FoldRow => row.kind === 'event' || row.kind === 'fold';

/** The next row of those one can be at; from nowhere it is the last. */
const stopBeside = (rows: readonly Row[], key: string | undefined, by: number): Row | undefined => {
  const stops = rows.filter(isStop);
  const at = stops.findIndex((row) => row.key === key);
  return at < 0 ? stops.at(-1) : stops[Math.min(stops.length - 1, Math.max(0, at + by))];
};

/** Folds what is laid out, and keeps the place in it. */
const useFolding = (laid: Laid, filter: Filter): Selection & Folding & { readonly laid: Laid } => {
  const { seq, onFold, key, select } = usePlace();
  const [unfolded, setUnfolded] = useState(false);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  // Words are looked for in each event; so each is there to be found.
  const whole = unfolded || filter.tests.length > 0;
  const rows = useMemo(
    () =>
      whole ? laid.rows : foldRows(laid.rows, (fold) => opened.has(fold.key) || (!onFold && isAt(seq, fold))),
    [laid.rows, whole, opened, seq, onFold],
  );
  const setOpen = useCallback(
    (fold: FoldRow, open: boolean) => {
      setOpened((old) => new Set(open ? [...old, fold.key] : [...old].filter((each) => each !== fold.key)));
      select(fold);
    },
    [select],
  );
  const pick = useCallback(
    (row: Row) => (row.kind === 'fold' ? setOpen(row, !row.isOpen) : select(row)),
    [setOpen, select],
  );
  const selected = rows.find((row) => row.key === key) ?? rows.find((row) => row.key === `e${seq}`);
  const to = (row: Row | undefined) => row && select(row);
  const around = rows.find((row) => row.kind === 'fold' && isAt(seq, row));
  return {
    ...{ laid: { ...laid, rows }, selected, select, pick, unfolded, setUnfolded },
    turnFold: (inwards) => {
      if (around?.kind !== 'fold') return;
      if (!inwards && !onFold) select(around);
      else if (onFold && around.isOpen !== inwards) setOpen(around, inwards);
    },
    step: (by) => to(stopBeside(rows, selected?.key, by)),
    stepEvent: (by) => to(stopBeside(laid.rows, onFold ? `e${seq}` : key, by)),
  };
};

export const useLogView = (book: LogBook): LogView => {
  const filtering = useFiltering();
  const { shown, ...pausing } = usePausing(book);
  const laid = useMemo(() => layRows(shown, filtering.filter), [shown, filtering.filter]);
  return { ...filtering, ...pausing, ...useFolding(laid, filtering.filter) };
};
