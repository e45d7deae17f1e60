/** The console without its list: the log of the conversation the customer is in. */
import { lazy, Suspense } from 'react';
import { readableName } from '../shared/readable-name.js';
import { useUrlParam } from '../shared/url-state.js';
import { Icon } from '../shared/icon.js';
import { useThreads } from '../operator/use-threads.js';
import { useThreadTitles } from '../operator/use-thread-titles.js';
import { useDemoText } from './texts.js';

/** Before anything was said there is no log to show. */
const ThreadLog = lazy(() => import('../operator/thread-log.js').then((log) => ({ default: log.ThreadLog })));

const Nothing = () => {
  const t = useDemoText();
  return (
    <main className="op-main">
      <div className="emptyx">
        <Icon name="list" />
        <b>{t('d.operator.none')}</b>
        <span>{t('d.operator.why')}</span>
      </div>
    </main>
  );
};

export const OneThread = () => {
  const threads = useThreads();
  const current = useUrlParam('thread');
  const thread = threads?.find(({ threadId }) => threadId === current);
  const titles = useThreadTitles(thread ? [thread] : []);
  const title = thread && (titles.get(thread.threadId) ?? readableName(thread.agentId));
  // A conversation that has only been named has no log yet.
  const isThere = current !== undefined && thread !== undefined;
  return (
    <div className="surface">
      <div className="op solo">
        <div className="op-body">
          {isThere ? (
            <Suspense fallback={<main className="op-main" />}>
              <ThreadLog key={current} threadId={current} thread={thread} title={title ?? current} />
            </Suspense>
          ) : (
            <Nothing />
          )}
        </div>
      </div>
    </div>
  );
};
