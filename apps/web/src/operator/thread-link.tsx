/** Leads to a thread's log, or to one event of it. */
import type { ReactNode } from 'react';
import { PlaceLink } from '../shared/place-link.js';

interface ThreadLinkProps {
  readonly threadId: string;
  readonly seq?: number;
  readonly children: ReactNode;
}

export const ThreadLink = ({ threadId, seq, children }: ThreadLinkProps) => (
  <PlaceLink
    there={{ view: undefined, look: undefined, thread: threadId, seq: seq?.toString(), at: undefined }}
  >
    {children}
  </PlaceLink>
);
