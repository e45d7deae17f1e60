/** Shows tasks as messages in Slack: one message a task and place, changed in place as the task goes on. */
import type { MessageMetadata } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Bridge, Delivery, Notice } from '../../core/bridge.js';
import type { ChatValues } from '../../core/chat-value.js';
import { CHAT_SCHEDULE } from '../../core/retry.js';
import { slackCard } from '../core/card.js';
import { postedOf, postedText, type Posted } from '../core/posted.js';
import { PostedSearch } from './find-posted.js';
import { slackTrouble } from './slack-trouble.js';

/** As Slack lets one app post to a channel. */
const GAP_MS = 1_000;

export interface SlackBridgeParts {
  readonly client: WebClient;
  readonly values: ChatValues;
}

type SlackNotice = Notice<'slack'>;

/** Names alone: whoever reads the channel's history reads this too. */
const metadataOf = ({ noticeId, task }: SlackNotice): MessageMetadata => ({
  event_type: 'hub_task',
  event_payload: { task_id: task.taskId, rev: task.rev, notice_id: noticeId },
});

const shown = (posted: Posted): Delivery => ({ kind: 'shown', posted: postedText(posted) });

/** `unknown`: what it means that nobody knows whether the call was carried out. */
const failedAs = (error: unknown, unknown: 'failed' | 'unsure'): Delivery => {
  const trouble = slackTrouble(error);
  switch (trouble.kind) {
    case 'limited':
      return { kind: 'later', retryAfterMs: trouble.retryAfterMs };
    case 'unknown':
      return { kind: unknown, why: trouble.why };
    case 'not-done':
      return { kind: 'failed', why: trouble.why };
    case 'never':
      return { kind: 'refused', why: trouble.why };
  }
};

export class SlackBridge implements Bridge<'slack'> {
  readonly kind = 'slack';
  readonly gapMs = GAP_MS;
  readonly schedule = CHAT_SCHEDULE;

  private readonly search: PostedSearch;

  constructor(private readonly parts: SlackBridgeParts) {
    this.search = new PostedSearch(parts.client);
  }

  async show(notice: SlackNotice): Promise<Delivery> {
    const posted = postedOf(notice.posted);
    if (posted) return this.change(notice, posted);
    if (!notice.unsure) return this.post(notice);
    return this.lookThenPost(notice);
  }

  /** BRG-41: what may be there already is looked for, and posted only when it is not. */
  private async lookThenPost(notice: SlackNotice): Promise<Delivery> {
    try {
      const found = await this.search.find(notice);
      if (found === 'not-all-seen')
        return { kind: 'unsure', why: 'not all that was said in the channel since is seen yet' };
      return found === 'none' ? await this.post(notice) : await this.change(notice, found);
    } catch (error) {
      // Nothing was posted by looking, but the question is as open as before.
      const failed = failedAs(error, 'unsure');
      // Others may be posted though the past may not be read.
      return failed.kind === 'later' ? { kind: 'waits', forMs: failed.retryAfterMs } : failed;
    }
  }

  private async post(notice: SlackNotice): Promise<Delivery> {
    try {
      const { channel, ts } = await this.parts.client.chat.postMessage({
        ...{ channel: notice.destination.address, ...this.contentOf(notice) },
        ...{ parse: 'none', link_names: false, mrkdwn: false, unfurl_links: false, unfurl_media: false },
      });
      if (channel === undefined || ts === undefined)
        return { kind: 'unsure', why: 'an answer without a name' };
      return shown({ channel, ts });
    } catch (error) {
      return failedAs(error, 'unsure');
    }
  }

  /** The same again does no harm, so an answer that was lost is no question. */
  private async change(notice: SlackNotice, posted: Posted): Promise<Delivery> {
    try {
      const content = { ...this.contentOf(notice), parse: 'none' as const, link_names: false };
      await this.parts.client.chat.update({ ...posted, ...content });
      return shown(posted);
    } catch (error) {
      return failedAs(error, 'failed');
    }
  }

  private contentOf(notice: SlackNotice) {
    const { task, names, chat, link } = notice;
    const value = this.parts.values.seal(task);
    const { text, blocks } = slackCard({ task, names, chat, link, value });
    return { text, blocks: [...blocks], metadata: metadataOf(notice) };
  }
}
