/** Leads to a thread's log, or to one event of it. */
import type { ReactNode } from 'react';
import { addressWith, goTo } from '../shared/url-state.js';

interface ThreadLinkProps {
  readonly threadId: string;
  readonly seq?: number;
  readonly children: ReactNode;
}

export const ThreadLink = ({ threadId, seq, children }: ThreadLinkProps) => {
  const there = { view: undefined, look: undefined, thread: threadId, seq: seq?.toString(), at: undefined };
  return (
    <a
      href={addressWith(window.location.pathname + window.location.search, there)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        goTo(there);
      }}
    >
      {children}
    </a>
  );
};
