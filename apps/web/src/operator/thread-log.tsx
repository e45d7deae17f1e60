/** The log of one thread, with its head, its tools and its inspector. */
import type { ThreadSummary } from '@triptych/protocol';
import { useState } from 'react';
import { Icon } from '../shared/icon.js';
import { nameOf } from '../shared/personas.js';
import { useSurface } from '../shared/surface-context.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { emptyBook, type LogBook } from './core/log-book.js';
import { Inspector } from './inspector.js';
import { LogPane } from './log-pane.js';
import { LogTools } from './log-tools.js';
import { StatusSign } from './thread-list.js';
import { useConsoleText } from './texts.js';
import { useLogBook } from './use-log-book.js';
import { useLogView } from './use-log-view.js';

const NOTHING_YET = emptyBook('');

interface ThreadLogProps {
  readonly threadId: string;
  readonly thread: ThreadSummary | undefined;
  readonly title: string;
}

const StopRun = ({ thread }: { thread: ThreadSummary }) => {
  const t = useConsoleText();
  const { client } = useSurface();
  const [sure, setSure] = useState(false);
  const { activeRunId } = thread;
  if (activeRunId === undefined) return null;
  return (
    <button
      type="button"
      className="btn sm"
      onClick={() => {
        if (sure) void client.cancel(thread.threadId, activeRunId);
        setSure(!sure);
      }}
      onBlur={() => setSure(false)}
    >
      <Icon name="stop" />
      {t(sure ? 'o.cancel.sure' : 'o.cancel')}
    </button>
  );
};

const Head = ({ threadId, thread, title, book }: ThreadLogProps & { book: LogBook }) => {
  const t = useConsoleText();
  const { formats } = useSurface();
  const last = book.stored.at(-1)?.seq ?? 0;
  return (
    <header className="op-thead">
      <div className="ln">
        <h1 className="cut">{title}</h1>
        {thread && <StatusSign status={thread.status} />}
        <span className="grow" />
        {thread && <StopRun thread={thread} />}
      </div>
      <p className="facts">
        {thread && (
          <span>
            {nameOf(thread.owner)} · {thread.agentId}
          </span>
        )}
        <span className="mono cut">{threadId}</span>
        <span className="epoch">
          {t('o.epoch')} <span className="mono">{book.epoch}</span>
        </span>
        <b>{t('o.events', { n: formats.number(last) })}</b>
      </p>
    </header>
  );
};

export const ThreadLog = ({ threadId, thread, title }: ThreadLogProps) => {
  const x = useSharedText();
  const log = useLogBook(threadId);
  const book = log.book ?? NOTHING_YET;
  const view = useLogView(book);
  if (log.ended !== undefined) {
    return (
      <main className="op-main" id="main">
        <div className="emptyx">
          <Icon name="lock" />
          <b>{x('x.notfound')}</b>
        </div>
      </main>
    );
  }
  const firstKnown = book.stored[0]?.seq ?? 1;
  const entry = view.selected?.kind === 'event' ? view.selected.entry : undefined;
  return (
    <>
      <main className="op-main" id="main">
        <Head {...{ threadId, thread, title, book }} />
        <LogTools book={book} view={view} />
        <LogPane
          view={view}
          tail={{ status: thread?.status, since: book.stored.at(-1)?.at, hidden: view.laid.hidden }}
          onEarlier={firstKnown > book.firstSeq ? log.loadEarlier : undefined}
          onGap={log.loadRange}
        />
      </main>
      {entry && <Inspector entry={entry} book={book} view={view} />}
    </>
  );
};
