/** The customer's conversations, each with how it stands. */
import type { ThreadSummary } from '@triptych/protocol';
import type { MouseEvent } from 'react';
import type { Page } from '../shared/hub-api.js';
import { Icon } from '../shared/icon.js';
import { Ring } from '../shared/marks.js';
import { useSurface } from '../shared/surface-context.js';
import type { Fetched } from '../shared/use-fetched.js';
import { useNow } from '../shared/use-now.js';
import { UNDER_REVIEW } from './core/waiting.js';
import type { Agent } from './core/agent.js';
import { usePlace } from './place.js';
import { useCustomerText } from './texts.js';
import { titleFor } from './titles.js';
import { itemsOf } from './use-threads.js';

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
const isPlain = ({ metaKey, ctrlKey, shiftKey, button }: MouseEvent): boolean =>
  !(metaKey || ctrlKey || shiftKey) && button === 0;

const Row = ({ thread, name, onPicked }: { thread: ThreadSummary; name: string; onPicked: () => void }) => {
  const { current, open, addressOf } = usePlace();
  const shared = {
    className: 'cu-thread',
    'aria-current': thread.threadId === current ? ('page' as const) : undefined,
    onClick: (event: MouseEvent) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      open(thread.threadId);
      onPicked();
    },
  };
  const says = (
    <>
      <b>{name}</b>
      <Standing thread={thread} />
    </>
  );
  return addressOf === undefined ? (
    <button type="button" {...shared}>
      {says}
    </button>
  ) : (
    <a href={addressOf(thread.threadId)} {...shared}>
      {says}
    </a>
  );
};

interface ThreadRailProps {
  readonly threads: readonly ThreadSummary[];
  readonly agents: Fetched<Page<Agent>>;
  readonly onPicked: () => void;
}

export const ThreadRail = ({ threads, agents, onPicked }: ThreadRailProps) => {
  const t = useCustomerText();
  const { open } = usePlace();
  const agentName = (id: string) => itemsOf(agents).find((agent) => agent.id === id)?.name ?? id;
  return (
    <>
      <button
        type="button"
        className="btn"
        onClick={() => {
          open(undefined);
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
          <Row
            key={thread.threadId}
            thread={thread}
            name={titleFor(thread.threadId) ?? agentName(thread.agentId)}
            onPicked={onPicked}
          />
        ))}
      </div>
    </>
  );
};
