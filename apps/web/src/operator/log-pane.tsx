/** The log itself: only the rows in sight exist; it follows its end until the reader scrolls up. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { Icon } from '../shared/icon.js';
import { useSurface } from '../shared/surface-context.js';
import type { Row } from './core/rows.js';
import { LogRow } from './log-row.js';
import { LogTail, type TailProps } from './log-tail.js';
import { useConsoleText } from './texts.js';
import type { LogView } from './use-log-view.js';

const ROW_PX = 26;
/** Below this width a row has two lines. */
const NARROW_PX = 560;
const TWO_LINES_PX = 47;
const OVERSCAN = 12;
/** What stands above the rows within the scroller: the virtualizer knows the rows alone. */
const HEAD_PX = 26;
const EARLIER_PX = 30;
const NEAR_END_PX = 40;

/** Where the log begins and ends, also where that is not loaded. */
export interface Ends {
  readonly first: number;
  readonly last: number;
  readonly onGo: (seq: number) => void;
}

interface LogPaneProps {
  readonly view: LogView;
  readonly ends: Ends;
  readonly tail: TailProps;
  /** Undefined when the beginning is here. */
  readonly onEarlier: (() => void) | undefined;
  readonly onGap: (from: number, to: number) => void;
}

const Head = () => {
  const t = useConsoleText();
  const names = ['event', 'received', 'after', 'source', 'type', 'content', 'seen'] as const;
  const classes = ['q', 'tm', 'dt', 'src', 'ty', 'sm', 'sn'];
  return (
    <div className="lr h" role="row" aria-rowindex={1}>
      {names.map((name, index) => (
        <span key={name} className={classes[index]} role="columnheader">
          {t(`o.col.${name}`)}
        </span>
      ))}
    </div>
  );
};

/** A turned phone, a taller head or the open inspector changes what fits; what was looked at stays in sight. */
const useKeptOnResize = (scroller: RefObject<HTMLDivElement | null>, keep: () => void, there: boolean) => {
  const latest = useRef(keep);
  latest.current = keep;
  useEffect(() => {
    const element = scroller.current;
    if (!element || !there) return undefined;
    const watch = new ResizeObserver(() => latest.current());
    watch.observe(element);
    return () => watch.disconnect();
  }, [scroller, there]);
};

/** Keeps to the end, and keeps the reader's row in place when earlier ones are loaded above it. */
const useAnchored = (view: LogView, scroller: RefObject<HTMLDivElement | null>, hasEarlier: boolean) => {
  const { rows } = view.laid;
  const isNarrow = (scroller.current?.clientWidth ?? NARROW_PX) < NARROW_PX;
  const atEnd = useRef(true);
  const firstKey = useRef<string | undefined>(undefined);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ((scroller.current?.clientWidth ?? NARROW_PX) < NARROW_PX ? TWO_LINES_PX : ROW_PX),
    scrollPaddingEnd: (isNarrow ? 0 : HEAD_PX) + (hasEarlier ? EARLIER_PX : 0),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN,
  });
  const height = virtual.getTotalSize();
  useLayoutEffect(() => {
    // Rows are measured after they are drawn: the end moves once more.
    const element = scroller.current;
    if (element && atEnd.current && !view.paused && view.selected === undefined)
      element.scrollTop = element.scrollHeight;
  }, [height, scroller, view.paused, view.selected]);
  useLayoutEffect(() => {
    const before = rows.findIndex((row) => row.key === firstKey.current);
    firstKey.current = rows[0]?.key;
    const element = scroller.current;
    if (!element) return;
    if (atEnd.current && !view.paused && view.selected === undefined)
      element.scrollTop = element.scrollHeight;
    else if (before > 0) element.scrollTop += before * ROW_PX;
  }, [rows, scroller, view.paused, view.selected]);
  const keep = () => {
    const at = rows.findIndex((row) => row.key === view.selected?.key);
    const element = scroller.current;
    if (at >= 0) virtual.scrollToIndex(at, { align: 'center' });
    else if (element && atEnd.current && !view.paused) element.scrollTop = element.scrollHeight;
  };
  useKeptOnResize(scroller, keep, rows.length > 0);
  const scrolled = () => {
    const element = scroller.current;
    if (element)
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX;
  };
  return { virtual, height, scrolled };
};

/** Among filtered rows the ends are those of what is shown. */
const goToEnd = (view: LogView, { first, last, onGo }: Ends, by: number): void => {
  if (view.laid.hidden > 0) view.step(by);
  else onGo(by < 0 ? first : last);
};

const useKeys = (view: LogView, ends: Ends) => (event: KeyboardEvent) => {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 };
  const by = steps[event.key];
  if (by !== undefined) view.step(by);
  else if (event.key === 'Home') goToEnd(view, ends, Number.NEGATIVE_INFINITY);
  else if (event.key === 'End') goToEnd(view, ends, Number.POSITIVE_INFINITY);
  else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') view.turnFold(event.key === 'ArrowRight');
  else if (event.key === ' ') view.setPaused(!view.paused);
  else if (event.key === 'Escape') view.select(undefined);
  else return;
  event.preventDefault();
};

const Nothing = ({ view, onEarlier }: Pick<LogPaneProps, 'view' | 'onEarlier'>) => {
  const t = useConsoleText();
  const { formats } = useSurface();
  if (view.laid.hidden === 0) {
    return (
      <div className="emptyx">
        <b>{t('o.empty')}</b>
      </div>
    );
  }
  return (
    <div className="emptyx">
      <Icon name="filter" />
      <b>{t('o.nomatch', { n: formats.number(view.laid.hidden) })}</b>
      {onEarlier && (
        <>
          <span>{t('o.nomatch.loaded')}</span>
          <button type="button" className="btn sm" onClick={onEarlier}>
            {t('o.earlier')}
          </button>
        </>
      )}
      <button
        type="button"
        className="btn sm"
        onClick={() => {
          view.setText('');
          view.toggleFamily(undefined);
        }}
      >
        {t('o.nomatch.clear')}
      </button>
    </div>
  );
};

export const LogPane = ({ view, ends, tail, onEarlier, onGap }: LogPaneProps) => {
  const t = useConsoleText();
  const { formats } = useSurface();
  const scroller = useRef<HTMLDivElement>(null);
  const { virtual, height, scrolled } = useAnchored(view, scroller, onEarlier !== undefined);
  const onKeyDown = useKeys(view, ends);
  const { rows } = view.laid;
  const { selected } = view;
  useEffect(() => {
    const at = rows.findIndex((row) => row.key === selected?.key);
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
    // Another selection or filter scrolls; new rows do not.
  }, [selected?.key, view.filter]);
  if (view.laid.shown === 0) return <Nothing {...{ view, onEarlier }} />;
  return (
    <>
      {view.paused && (
        <button type="button" className="gap waiting" onClick={() => view.setPaused(false)}>
          <Icon name="pause" />
          {t('o.paused', { n: formats.number(view.waiting) })}
        </button>
      )}
      <div
        className="log"
        ref={scroller}
        tabIndex={0}
        role="grid"
        aria-label={t('o.log')}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={selected === undefined ? undefined : `row-${selected.key}`}
        onScroll={scrolled}
        onKeyDown={onKeyDown}
      >
        <Head />
        {onEarlier ? (
          <div className="tail" role="row">
            <span role="gridcell">
              <button type="button" className="btn link t-12" onClick={onEarlier}>
                {t('o.earlier')}
              </button>
            </span>
          </div>
        ) : null}
        <div className="log-rows" role="rowgroup" style={{ height: `${height}px` }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index] as Row;
            return (
              <div
                key={row.key}
                role="presentation"
                className="at"
                data-index={item.index}
                ref={virtual.measureElement}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <LogRow
                  row={row}
                  index={item.index}
                  selected={row.key === selected?.key}
                  onPick={view.pick}
                  onGap={onGap}
                />
              </div>
            );
          })}
        </div>
        <LogTail {...tail} />
      </div>
    </>
  );
};
