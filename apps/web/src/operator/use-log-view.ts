/** What of the log is on screen: filter, pause, following, selection. */
import { useCallback, useMemo, useRef, useState } from 'react';
import { useAnnounce } from '../shared/announcer.js';
import { goTo, useUrlParam } from '../shared/url-state.js';
import type { Family } from './core/families.js';
import { parseFilter } from './core/filter.js';
import type { LogBook } from './core/log-book.js';
import { layRows, type Laid, type Row } from './core/rows.js';
import { useConsoleText } from './texts.js';

export interface LogView {
  readonly laid: Laid;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly families: ReadonlySet<Family>;
  readonly toggleFamily: (family: Family | undefined) => void;
  readonly paused: boolean;
  readonly waiting: number;
  readonly setPaused: (paused: boolean) => void;
  readonly selected: Row | undefined;
  readonly select: (row: Row | undefined) => void;
  readonly step: (by: number) => void;
}

const keyOfSeq = (seq: string | undefined): string | undefined => (seq === undefined ? undefined : `e${seq}`);

export const useLogView = (book: LogBook): LogView => {
  const t = useConsoleText();
  const announce = useAnnounce();
  const [text, setText] = useState('');
  const [families, setFamilies] = useState<ReadonlySet<Family>>(new Set());
  const [frozen, setFrozen] = useState<LogBook | undefined>(undefined);
  const [refusedKey, setRefusedKey] = useState<string | undefined>(undefined);
  const filter = useMemo(() => parseFilter(text, families), [text, families]);
  // Paused: what is new waits, what is loaded from before still comes in.
  const last = frozen?.stored.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
  const shown = useMemo(
    () =>
      frozen === undefined ? book : { ...book, stored: book.stored.filter((entry) => entry.seq <= last) },
    [book, frozen, last],
  );
  const laid = useMemo(() => layRows(shown, filter), [shown, filter]);
  const selectedKey = keyOfSeq(useUrlParam('seq')) ?? refusedKey;
  const selected = laid.rows.find((row) => row.key === selectedKey);
  const latest = useRef(laid);
  latest.current = laid;

  const select = useCallback((row: Row | undefined) => {
    const entry = row?.kind === 'event' ? row.entry : undefined;
    goTo({ seq: entry?.kind === 'stored' ? String(entry.seq) : undefined }, 'replace');
    setRefusedKey(entry?.kind === 'refused' ? row?.key : undefined);
  }, []);
  const setPaused = useCallback(
    (paused: boolean) => {
      setFrozen(paused ? book : undefined);
      announce(t(paused ? 'a.paused' : 'a.following'));
    },
    [book, announce, t],
  );
  const step = useCallback(
    (by: number) => {
      const events = latest.current.rows.filter((row) => row.kind === 'event');
      const at = events.findIndex((row) => row.key === selectedKey);
      const next = at < 0 ? events.at(-1) : events[Math.min(events.length - 1, Math.max(0, at + by))];
      if (next) select(next);
    },
    [select, selectedKey],
  );
  const toggleFamily = useCallback((family: Family | undefined) => {
    setFamilies((old) => {
      if (family === undefined) return new Set();
      const next = new Set(old);
      if (!next.delete(family)) next.add(family);
      return next;
    });
  }, []);
  return {
    laid,
    text,
    setText,
    families,
    toggleFamily,
    paused: frozen !== undefined,
    waiting: frozen === undefined ? 0 : book.stored.filter((entry) => entry.seq > last).length,
    setPaused,
    selected,
    select,
    step,
  };
};
