/** The customer's conversations, each with how it stands. */
import type { ThreadSummary } from '@triptych/protocol';
import type { MouseEvent } from 'react';
import { Icon } from '../shared/icon.js';
import { Mark, Ring } from '../shared/marks.js';
import { useSurface } from '../shared/surface-context.js';
import { addressWith, goTo } from '../shared/url-state.js';
import { useNow } from '../shared/use-now.js';
import { LanguageSwitch, WhoAmI } from '../shared/who-am-i.js';
import { UNDER_REVIEW } from './core/waiting.js';
import { useCustomerText } from './texts.js';
import { titleFor } from './titles.js';
import type { Agent } from './use-threads.js';

const MINUTE = 60_000;

const Sign = ({ thread }: { thread: ThreadSummary }) => {
  const t = useCustomerText();
  if (thread.status === 'running') {
    return (
      <span className="st live">
        <Ring />
        {t('c.thread.working')}
      </span>
    );
  }
  if (thread.status === 'waiting') {
    const mine = thread.openInterrupts.some((interrupt) => interrupt.reason !== UNDER_REVIEW);
    return (
      <span className={mine ? 'st live' : 'st wait'}>
        <Icon name={mine ? 'pen' : 'hourglass'} />
        {t(mine ? 'c.thread.you' : 'c.thread.adviser')}
      </span>
    );
  }
  if (thread.status === 'failed') {
    return (
      <span className="st bad">
        <Icon name="alert" />
        {t('c.thread.failed')}
      </span>
    );
  }
  return null;
};

/** How it stands and since when: conversations of one name are told apart by their time. */
const Standing = ({ thread }: { thread: ThreadSummary }) => {
  const t = useCustomerText();
  const { formats } = useSurface();
  const when = formats.when(thread.updatedAt, useNow(MINUTE));
  if (thread.status === 'idle') return <span className="st">{t('c.thread.finished', { when })}</span>;
  return (
    <span className="stands">
      <Sign thread={thread} />
      <span className="st">{when}</span>
    </span>
  );
};

/** A plain click stays in the page; every other click is the browser's. */
const openInPage = (event: MouseEvent, threadId: string): boolean => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return false;
  event.preventDefault();
  goTo({ thread: threadId });
  return true;
};

interface ThreadRailProps {
  readonly threads: readonly ThreadSummary[];
  readonly agents: readonly Agent[];
  readonly current: string | undefined;
  readonly onNew: () => void;
  readonly onPicked: () => void;
}

export const ThreadRail = ({ threads, agents, current, onNew, onPicked }: ThreadRailProps) => {
  const t = useCustomerText();
  const agentName = (id: string) => agents.find((agent) => agent.id === id)?.name ?? id;
  return (
    <>
      <div className="cu-brand">
        <Mark />
        {t('c.brand')}
      </div>
      <button
        type="button"
        className="btn"
        onClick={() => {
          onNew();
          onPicked();
        }}
      >
        <Icon name="plus" />
        {t('c.new')}
      </button>
      <div className="cu-threads">
        <h2>{t('c.conversations')}</h2>
        {threads.length === 0 && <p className="hint none">{t('c.none')}</p>}
        {threads.map((thread) => (
          <a
            key={thread.threadId}
            className="cu-thread"
            href={addressWith(window.location.pathname + window.location.search, { thread: thread.threadId })}
            aria-current={thread.threadId === current ? 'page' : undefined}
            onClick={(event) => {
              if (openInPage(event, thread.threadId)) onPicked();
            }}
          >
            <b className="cut">{titleFor(thread.threadId) ?? agentName(thread.agentId)}</b>
            <Standing thread={thread} />
          </a>
        ))}
      </div>
      <div className="cu-me">
        <WhoAmI />
        <LanguageSwitch />
      </div>
    </>
  );
};
