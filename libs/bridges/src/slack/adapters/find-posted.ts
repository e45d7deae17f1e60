/** Looks through a channel for the message of a notice that nobody knows to have arrived. */
import type { WebClient } from '@slack/web-api';
import type { Notice } from '../../core/bridge.js';
import type { Posted } from '../core/posted.js';
import { slackTrouble } from './slack-trouble.js';

/** New apps are given no more at a time, and one page a minute. */
const PAGE = 15;
/** Channels in which more was said since the question came are looked through no further at once. */
const MAX_PAGES = 10;
/** Slack's clock and ours may be so far apart. */
const SKEW_SECONDS = 300;
/** Searches that are not over; more of them, and the oldest begins anew. */
const MAX_STOPPED = 1_000;

export type Found = Posted | 'none' | 'not-all-seen';

/** From the newest message back to an older one. */
interface Sweep {
  /** Nothing older is looked at. */
  readonly from: string;
  /** The newest that was there when it began. */
  readonly top?: string;
  /** All that is newer, up to the top, was seen; absent: nothing yet. */
  readonly to?: string;
  /** It began in an earlier attempt: somebody else may have posted since. */
  readonly isOld?: boolean;
}

interface Page {
  readonly messages: readonly Said[];
  readonly hasMore: boolean;
}

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

const beginningOf = ({ task }: Notice<'slack'>): string =>
  String(Math.floor(task.createdAt / 1_000) - SKEW_SECONDS);

/** undefined: all was seen, and nobody else could post while it was looked at. */
const afterPage = (sweep: Sweep, { messages, hasMore }: Page): Sweep | undefined => {
  const top = sweep.top ?? messages[0]?.ts ?? sweep.from;
  const to = messages.at(-1)?.ts;
  if (hasMore && to !== undefined) return { ...sweep, top, to };
  return sweep.isOld === true ? { from: top } : undefined;
};

export class PostedSearch {
  /** By notice: how far it was looked for when Slack let us look no further. */
  private readonly stopped = new Map<string, Sweep>();

  constructor(private readonly client: WebClient) {}

  /** BRG-39: goes on where the last attempt was stopped. Rejects when not even one page could be read. */
  async find(notice: Notice<'slack'>): Promise<Found> {
    const { noticeId, destination } = notice;
    const channel = await channelOf(this.client, destination.address);
    let sweep: Sweep | undefined = this.resumed(noticeId) ?? { from: beginningOf(notice) };
    for (let nth = 0; nth < MAX_PAGES; nth += 1) {
      const page = await this.page(channel, sweep, nth === 0);
      if (!page) return 'not-all-seen';
      const found = page.messages.find((message) => isOf(message, noticeId));
      sweep = found?.ts === undefined ? afterPage(sweep, page) : undefined;
      this.keep(noticeId, sweep);
      if (found?.ts !== undefined) return { channel, ts: found.ts };
      if (!sweep) return 'none';
    }
    return 'not-all-seen';
  }

  private resumed(noticeId: string): Sweep | undefined {
    const sweep = this.stopped.get(noticeId);
    return sweep && { ...sweep, isOld: sweep.to !== undefined };
  }

  private keep(noticeId: string, sweep: Sweep | undefined): void {
    this.stopped.delete(noticeId);
    if (!sweep) return;
    this.stopped.set(noticeId, sweep);
    const [oldest] = this.stopped.keys();
    if (this.stopped.size > MAX_STOPPED && oldest !== undefined) this.stopped.delete(oldest);
  }

  /** undefined: this one is one too many for now. */
  private async page(channel: string, { from, to }: Sweep, isFirst: boolean): Promise<Page | undefined> {
    const asked = { channel, oldest: from, limit: PAGE, include_all_metadata: true };
    try {
      const { messages = [], response_metadata: more } = await this.client.conversations.history({
        ...asked,
        ...(to === undefined ? {} : { latest: to }),
      });
      return { messages: messages as readonly Said[], hasMore: Boolean(more?.next_cursor) };
    } catch (error) {
      if (!isFirst && slackTrouble(error).kind === 'limited') return undefined;
      throw error;
    }
  }
}
