/** One thread: its head, the way it is looked at, and the strip of time below. */
import { useEffect, useMemo } from 'react';
import { Icon } from '../shared/icon.js';
import { useUrlParam } from '../shared/url-state.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { emptyBook, type LogBook } from './core/log-book.js';
import { lookNamed } from './core/looks.js';
import { bookUntil } from './core/time-strip.js';
import { Inspector } from './inspector.js';
import { LogPane } from './log-pane.js';
import { LogTools } from './log-tools.js';
import { StateLook } from './past/state-look.js';
import { TimeStrip } from './past/time-strip.js';
import { usePast } from './past/use-past.js';
import { useSettled } from './past/use-settled.js';
import { SawLook } from './saw/saw-look.js';
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
}

const LogRows = ({ log, book, view, status, past }: RowsProps) => {
  const first = book.stored[0]?.seq ?? 1;
  return (
    <>
      <LogTools book={book} view={view} />
      <LogPane
        view={view}
        tail={{
          status: past ? 'past' : status?.status,
          since: book.stored.at(-1)?.at,
          hidden: view.laid.hidden,
        }}
        onEarlier={first > book.firstSeq ? log.loadEarlier : undefined}
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

export const ThreadLog = (named: ThreadNamed) => {
  const { threadId, thread } = named;
  const log = useLogBook(threadId);
  const { at, goAt } = usePast();
  const look = lookNamed(useUrlParam('look'));
  const whole = log.book ?? NOTHING_YET;
  const head = whole.stored.at(-1)?.seq ?? 0;
  const book = useMemo(() => (at === undefined ? whole : bookUntil(whole, at)), [whole, at]);
  const view = useLogView(book);
  useLoadedPlace(log.book, useSettled(at, SETTLE_MS), log.loadRange);
  const { firstSeq } = whole;
  const span = useMemo(() => ({ from: Math.min(firstSeq, head), to: head }), [firstSeq, head]);
  if (log.ended !== undefined) return <Ended />;
  const entry = view.selected?.kind === 'event' ? view.selected.entry : undefined;
  const end = Math.min(at ?? head, head);
  return (
    <>
      <main className="op-main" id="main">
        <ThreadHead {...named} {...{ book: whole, head, at, look }} />
        {look === 'log' && <LogRows {...{ log, book, view }} status={thread} past={at !== undefined} />}
        {look === 'saw' && <SawLook threadId={threadId} end={end} first={firstSeq} />}
        {look === 'state' && <StateLook threadId={threadId} at={end} first={firstSeq} />}
        <TimeStrip book={whole} span={span} at={at} onAt={goAt} />
      </main>
      {entry && <Inspector entry={entry} book={book} view={view} />}
    </>
  );
};
