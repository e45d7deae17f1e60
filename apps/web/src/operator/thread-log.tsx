/** One thread: its head, the way it is looked at, and the strip of time below. */
import { Suspense, useEffect, useMemo } from 'react';
import { Icon } from '../shared/icon.js';
import { useUrlParam } from '../shared/url-state.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { emptyBook, type Entry, type LogBook } from './core/log-book.js';
import { lookNamed, type Look } from './core/looks.js';
import type { Row } from './core/rows.js';
import { bookUntil, placeWithin } from './core/time-strip.js';
import { Inspector } from './inspector.js';
import { FindingsLook, ReadersLook, RunsLook, SawLook, StateLook } from './lazy-looks.js';
import { LogPane } from './log-pane.js';
import { LogTools } from './log-tools.js';
import { useThreadPalette } from './palette/use-thread-palette.js';
import { TimeStrip } from './past/time-strip.js';
import { usePast } from './past/use-past.js';
import { useSettled } from './past/use-settled.js';
import { ThreadHead, type ThreadNamed } from './thread-head.js';
import { useLogBook, type LogTools as Log } from './use-log-book.js';
import { useLogView, type LogView } from './use-log-view.js';

const NOTHING_YET = emptyBook('');
/** Loaded around a place in the past that is not here yet. */
const AROUND = 200;
/** A handle that is being dragged asks for many places. */
const SETTLE_MS = 150;

const Ended = () => {
  const x = useSharedText();
  return (
    <main className="op-main" id="main">
      <div className="emptyx">
        <Icon name="lock" />
        <b>{x('x.notfound')}</b>
      </div>
    </main>
  );
};

interface RowsProps {
  readonly log: Log;
  readonly book: LogBook;
  readonly view: LogView;
  readonly status: ThreadNamed['thread'];
  readonly past: boolean;
  /** The newest event that may be gone to. */
  readonly last: number;
  /** Undefined when the beginning is here. */
  readonly onEarlier: (() => void) | undefined;
}

const LogRows = ({ log, book, view, status, past, last, onEarlier }: RowsProps) => {
  return (
    <>
      <LogTools {...{ book, view, last }} onGo={log.goToEvent} />
      <LogPane
        view={view}
        ends={{ first: book.firstSeq, last, onGo: log.goToEvent }}
        tail={{
          status: past ? 'past' : status?.status,
          since: book.stored.at(-1)?.at,
          hidden: view.laid.hidden,
        }}
        onEarlier={onEarlier}
        onGap={log.loadRange}
      />
    </>
  );
};

/** A place that is not loaded is, with what led to it. */
const useLoadedPlace = (book: LogBook | undefined, at: number | undefined, load: Log['loadRange']): void => {
  const missing = at !== undefined && book !== undefined && !book.stored.some(({ seq }) => seq === at);
  useEffect(() => {
    if (missing && at > 0) load(Math.max(1, at - AROUND + 1), at);
  }, [missing, at, load]);
};

interface LookProps {
  readonly named: ThreadNamed;
  readonly look: Exclude<Look, 'log'>;
  /** Also what came after the place that is looked at. */
  readonly whole: LogBook;
  readonly past: boolean;
  readonly head: number;
  /** The last event of interest, and the first one kept. */
  readonly end: number;
  readonly first: number;
  readonly onEarlier: (() => void) | undefined;
}

const OtherLook = ({ named: { threadId, thread }, look, ...place }: LookProps) => {
  const { whole, past, head, end, first, onEarlier } = place;
  switch (look) {
    case 'runs':
      return <RunsLook agentId={thread?.agentId ?? ''} book={whole} {...{ threadId, past, onEarlier }} />;
    case 'saw':
      return <SawLook {...{ threadId, end, first }} />;
    case 'state':
      return <StateLook at={end} live={!past} {...{ threadId, first }} />;
    case 'findings':
      return <FindingsLook {...{ threadId, head }} />;
    case 'readers':
      return <ReadersLook threadId={threadId} />;
  }
};

/** The log as it is, and as it was where the past is looked at. */
const useLogs = (threadId: string) => {
  const log = useLogBook(threadId);
  const { at: named, goAt } = usePast();
  const whole = log.book ?? NOTHING_YET;
  const head = whole.stored.at(-1)?.seq ?? 0;
  const first = whole.firstSeq;
  const span = useMemo(() => ({ from: Math.min(first, head), to: head }), [first, head]);
  const at = placeWithin(named, span);
  const book = useMemo(() => (at === undefined ? whole : bookUntil(whole, at)), [whole, at]);
  useLoadedPlace(log.book, useSettled(at, SETTLE_MS), log.loadRange);
  const onEarlier = (whole.stored[0]?.seq ?? 1) > first ? log.loadEarlier : undefined;
  return { log, at, goAt, whole, head, first, book, span, onEarlier };
};

/** Of a fold the first event is looked into. */
const entryOf = (row: Row | undefined): Entry | undefined =>
  row?.kind === 'event' ? row.entry : row?.kind === 'fold' ? row.entries[0] : undefined;

export const ThreadLog = (named: ThreadNamed) => {
  const { log, at, goAt, whole, head, first, book, span, onEarlier } = useLogs(named.threadId);
  const look = lookNamed(useUrlParam('look'));
  const view = useLogView(book);
  useThreadPalette({
    ...{ book: whole, head, view },
    past: at !== undefined,
    onEvent: log.goToEvent,
    onLive: () => goAt(undefined),
  });
  if (log.ended !== undefined) return <Ended />;
  const entry = entryOf(view.selected);
  const end = Math.min(at ?? head, head);
  return (
    <>
      <main className="op-main" id="main">
        <ThreadHead {...named} {...{ book: whole, head, at, look }} />
        {look === 'log' ? (
          <LogRows
            {...{ log, book, view, onEarlier }}
            status={named.thread}
            past={at !== undefined}
            last={end}
          />
        ) : (
          <Suspense fallback={<div className="held" />}>
            <OtherLook {...{ named, look, whole, head, end, first, onEarlier }} past={at !== undefined} />
          </Suspense>
        )}
        <TimeStrip book={whole} span={span} at={at} onAt={goAt} />
      </main>
      {entry && <Inspector entry={entry} book={book} view={view} />}
    </>
  );
};
