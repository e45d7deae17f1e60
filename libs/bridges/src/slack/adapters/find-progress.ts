/** Looks through a card's thread for a message of which nobody knows whether it arrived. */
import type { WebClient } from '@slack/web-api';
import type { Posted } from '../core/posted.js';
import type { Heard } from '../../progress/core/voice.js';

/** New apps are given no more at a time, and one page a minute. */
const PAGE = 15;
/** Threads in which more was said are looked through no further at once. */
const MAX_PAGES = 10;

/** Slack's clock and ours may be so far apart. */
const SKEW_SECONDS = 300;

export const PROGRESS_EVENT = 'hub_progress';

interface Sought {
  readonly key: string;
  /** Since when it may be there; Unix milliseconds. */
  readonly since: number;
  /** Who we are there. */
  readonly self: string | undefined;
  /** Messages of which we know. */
  readonly known: readonly string[];
}

interface Reply {
  readonly ts?: string | undefined;
  readonly user?: string | undefined;
  readonly metadata?: { readonly event_type?: string; readonly event_payload?: unknown } | undefined;
}

const keyIn = ({ metadata }: Reply): unknown =>
  metadata?.event_type === PROGRESS_EVENT
    ? (metadata.event_payload as { readonly progress_id?: unknown } | undefined)?.progress_id
    : undefined;

/** A stream bears no name of ours before its end; but nothing else of ours stands in the thread of a card. */
const isSought = (reply: Reply, { key, self, known }: Sought): boolean => {
  const own = keyIn(reply);
  return own === key || (!reply.metadata && reply.user === self && !known.includes(reply.ts ?? ''));
};

export const findProgress = async (
  client: WebClient,
  { channel, ts }: Posted,
  sought: Sought,
): Promise<Heard> => {
  const oldest = String(Math.floor(sought.since / 1_000) - SKEW_SECONDS);
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const replies = await client.conversations.replies({
      ...{ channel, ts, oldest, limit: PAGE, include_all_metadata: true },
      ...(cursor === undefined ? {} : { cursor }),
    });
    const messages = (replies.messages ?? []) as readonly Reply[];
    const found = messages.find((message) => message.ts !== ts && isSought(message, sought));
    if (found?.ts !== undefined) return { kind: 'done', id: found.ts };
    cursor = replies.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return { kind: 'absent' };
  }
  return { kind: 'unsure', why: 'too much was said in the thread' };
};
