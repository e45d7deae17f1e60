/** The head of a thread: what it is called, how it stands, and what can be done with it. */
import type { ThreadSummary } from '@triptych/protocol';
import { useState } from 'react';
import { Icon } from '../shared/icon.js';
import { nameOf } from '../shared/personas.js';
import { useSurface } from '../shared/surface-context.js';
import { CopyButton } from './copy-button.js';
import type { LogBook } from './core/log-book.js';
import type { Look } from './core/looks.js';
import { ExportButton } from './export-button.js';
import { usePastText } from './past/texts.js';
import { StatusSign } from './thread-list.js';
import { ThreadLooks } from './thread-looks.js';
import { useConsoleText } from './texts.js';
import { useWatchText } from './watch/texts.js';
import { useReaders, worstLag } from './watch/use-readers.js';

export interface ThreadNamed {
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

const ReadersFact = ({ threadId }: { threadId: string }) => {
  const t = useWatchText();
  const { formats } = useSurface();
  const readers = useReaders(threadId, 'aside');
  return readers === undefined ? null : (
    <span className="wide">
      {t('w.readers.fact', { n: readers.length, lag: formats.number(worstLag(readers)) })}
    </span>
  );
};

interface ThreadHeadProps extends ThreadNamed {
  readonly book: LogBook;
  /** The newest event there is. */
  readonly head: number;
  readonly at: number | undefined;
  readonly look: Look;
}

const Facts = ({ threadId, thread, book, head, at }: Omit<ThreadHeadProps, 'title' | 'look'>) => {
  const t = useConsoleText();
  const p = usePastText();
  const { formats } = useSurface();
  return (
    <p className="facts">
      {thread && (
        <span>
          {nameOf(thread.owner)} · {thread.agentId}
        </span>
      )}
      <span className="mono cut">{threadId}</span>
      {at === undefined ? (
        <>
          <span className="epoch">
            {t('o.epoch')} <span className="mono">{book.epoch}</span>
          </span>
          <b>{t('o.events', { n: formats.number(head) })}</b>
          <ReadersFact threadId={threadId} />
        </>
      ) : (
        <span>{p('p.past')}</span>
      )}
    </p>
  );
};

export const ThreadHead = ({ look, title, ...named }: ThreadHeadProps) => {
  const p = usePastText();
  const t = useConsoleText();
  const { formats } = useSurface();
  const { thread, at, book } = named;
  const then = at === undefined ? undefined : book.stored.findLast(({ seq }) => seq <= at)?.at;
  return (
    <header className="op-thead">
      <div className="ln">
        <h1 className="cut">{title}</h1>
        {then === undefined ? (
          thread && <StatusSign status={thread.status} />
        ) : (
          <span className="chip">
            <Icon name="history" />
            {p('p.asof', { when: formats.timeExact(then) })}
          </span>
        )}
        <span className="grow" />
        <span className="wide acts">
          <CopyButton text={() => window.location.href} label={t('o.link')} bare="link" />
          <ExportButton threadId={named.threadId} />
        </span>
        {thread && <StopRun thread={thread} />}
      </div>
      <Facts {...named} />
      <ThreadLooks look={look} />
    </header>
  );
};
