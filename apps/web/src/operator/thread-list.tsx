/** All threads of the tenant, each with how it stands. */
import type { ThreadStatus, ThreadSummary } from '@triptych/protocol';
import { useState } from 'react';
import { ConnectionLine } from '../shared/connection-line.js';
import { Icon } from '../shared/icon.js';
import { Ring } from '../shared/marks.js';
import { nameOf } from '../shared/personas.js';
import { useSurface } from '../shared/surface-context.js';
import { PlaceLink } from '../shared/place-link.js';
import { useNow } from '../shared/use-now.js';
import { threadPasses } from './core/thread-filter.js';
import { useConsoleText } from './texts.js';

const MINUTE = 60_000;
const TONES: Readonly<Record<ThreadStatus, string>> = {
  running: 'st live',
  waiting: 'st wait',
  failed: 'st bad',
  idle: 'st',
};

export const StatusSign = ({ status }: { status: ThreadStatus }) => {
  const t = useConsoleText();
  return (
    <span className={TONES[status]}>
      {status === 'running' && <Ring />}
      {status === 'waiting' && <Icon name="hourglass" />}
      {status === 'failed' && <Icon name="x" />}
      {status === 'idle' && <Icon name="check" />}
      {t(`o.status.${status}`)}
    </span>
  );
};

const Item = ({
  thread,
  title,
  current,
  now,
  onPicked,
}: {
  thread: ThreadSummary;
  title: string;
  current: boolean;
  now: number;
  onPicked: () => void;
}) => {
  const { formats } = useSurface();
  const there = { thread: thread.threadId, seq: undefined, at: undefined };
  return (
    <li>
      <PlaceLink className="thr" there={there} current={current} onWent={onPicked}>
        <b className="cut" title={title}>
          {title}
        </b>
        <span className="sub">{formats.when(thread.updatedAt, now)}</span>
        <span className="sub cut">
          {nameOf(thread.owner)} · {thread.agentId}
        </span>
        <StatusSign status={thread.status} />
      </PlaceLink>
    </li>
  );
};

interface ThreadListProps {
  readonly threads: readonly ThreadSummary[] | undefined;
  readonly titleOf: (thread: ThreadSummary) => string;
  readonly current: string | undefined;
  readonly onPicked: () => void;
}

export const ThreadList = ({ threads, titleOf, current, onPicked }: ThreadListProps) => {
  const t = useConsoleText();
  const [text, setText] = useState('');
  const now = useNow(MINUTE);
  const shown = (threads ?? []).filter((thread) => threadPasses(thread, titleOf(thread), text));
  return (
    <nav className="op-threads" aria-label={t('o.threads')}>
      <div className="bar">
        <input
          className="input"
          type="search"
          aria-label={t('o.threads.filter')}
          placeholder={t('o.threads.hint')}
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <ConnectionLine />
      {threads && shown.length === 0 && (
        <p className="none">{t(threads.length === 0 ? 'o.threads.none' : 'o.threads.nomatch')}</p>
      )}
      <ul>
        {shown.map((thread) => (
          <Item
            key={thread.threadId}
            thread={thread}
            title={titleOf(thread)}
            current={thread.threadId === current}
            now={now}
            onPicked={onPicked}
          />
        ))}
      </ul>
    </nav>
  );
};
