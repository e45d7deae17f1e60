/** Looks through a channel for the message of a notice that nobody knows to have arrived. */
import type { WebClient } from '@slack/web-api';
import type { Notice } from '../../core/bridge.js';
import type { Posted } from '../core/posted.js';

/** New apps are given no more at a time, and one page a minute. */
const PAGE = 15;
/** Channels in which more was said since the question came are looked through no further at once. */
const MAX_PAGES = 10;
/** Slack's clock and ours may be so far apart. */
const SKEW_SECONDS = 300;

export type Found = Posted | 'none' | 'not-all-seen';

interface Said {
  readonly ts?: string | undefined;
  readonly metadata?: { readonly event_type?: string; readonly event_payload?: unknown } | undefined;
}

const isOf = ({ metadata }: Said, noticeId: string): boolean => {
  if (metadata?.event_type !== 'hub_task') return false;
  const { event_payload: payload } = metadata;
  return (
    typeof payload === 'object' &&
    payload !== null &&
    'notice_id' in payload &&
    payload.notice_id === noticeId
  );
};

/** A person's direct messages are a channel with a name of its own. */
const channelOf = async (client: WebClient, address: string): Promise<string> => {
  if (!/^[UW]/u.test(address)) return address;
  const { channel } = await client.conversations.open({ users: address });
  return channel?.id ?? address;
};

export const findPosted = async (client: WebClient, notice: Notice<'slack'>): Promise<Found> => {
  const channel = await channelOf(client, notice.destination.address);
  const oldest = String(Math.floor(notice.task.createdAt / 1_000) - SKEW_SECONDS);
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const asked = { channel, oldest, limit: PAGE, include_all_metadata: true };
    const history = await client.conversations.history({
      ...asked,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const found = (history.messages ?? []).find((message) => isOf(message as Said, notice.noticeId));
    if (found?.ts !== undefined) return { channel, ts: found.ts };
    cursor = history.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return 'none';
  }
  return 'not-all-seen';
};
