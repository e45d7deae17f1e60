/** Tells runs in the threads of Slack cards: by a stream where one can be had, else by a message that is changed. */
import type { MessageMetadata } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Page } from '../../progress/core/page.js';
import type { Act, Heard, ProgressPlace, Voice } from '../../progress/core/voice.js';
import { postedOf, type Posted } from '../core/posted.js';
import { progressChunks, progressMessage, standingBlocks } from '../core/progress-blocks.js';
import { findProgress, PROGRESS_EVENT } from './find-progress.js';
import { slackTrouble } from './slack-trouble.js';

type Doing<K extends Act['kind']> = Extract<Act, { kind: K }>;

const PLAINLY = { parse: 'none', link_names: false } as const;
const QUIETLY = { mrkdwn: false, unfurl_links: false, unfurl_media: false } as const;

const metadataOf = (key: string): MessageMetadata => ({
  event_type: PROGRESS_EVENT,
  event_payload: { progress_id: key },
});

/** The message, or the card above it, is not there any more. */
const GONE: readonly string[] = ['message_not_found', 'thread_not_found'];

const STREAMING: readonly Act['kind'][] = ['begin', 'add', 'end'];

interface Recipient {
  readonly recipient_team_id?: string;
  readonly recipient_user_id?: string;
}

/** In a channel a stream is for somebody: whoever decided. undefined: nobody is known there. */
const recipientAt = (
  { channel }: Posted,
  { deciders: [decider] }: ProgressPlace<'slack'>,
): Recipient | undefined => {
  if (channel.startsWith('D')) return {};
  const [team, user] = decider?.split(':') ?? [];
  return team === undefined || user === undefined
    ? undefined
    : { recipient_team_id: team, recipient_user_id: user };
};

const heardIn = (error: unknown): Heard => {
  const trouble = slackTrouble(error);
  switch (trouble.kind) {
    case 'limited':
      return { kind: 'later', retryAfterMs: trouble.retryAfterMs };
    case 'unknown':
      return { kind: 'unsure', why: trouble.why };
    case 'not-done':
      return { kind: 'failed', why: trouble.why };
    case 'never':
      return GONE.includes(trouble.why) ? { kind: 'gone' } : { kind: 'refused', why: trouble.why };
  }
};

export class SlackVoice implements Voice<'slack'> {
  readonly kind = 'slack';
  readonly terms = { pageChars: 9_000, changeMs: 1_200, addMs: 600, streamMs: 240_000, canLook: true };

  /** Who we are there, once it was asked. */
  private self: string | undefined;

  constructor(private readonly client: WebClient) {}

  streamsAt(place: ProgressPlace<'slack'>): Promise<boolean> {
    const card = postedOf(place.card);
    return Promise.resolve(card !== undefined && recipientAt(card, place) !== undefined);
  }

  async carryOut(act: Act, place: ProgressPlace<'slack'>): Promise<Heard> {
    const card = postedOf(place.card);
    if (!card) return { kind: 'refused', why: 'the card is nowhere' };
    try {
      return await this.did(act, card, recipientAt(card, place));
    } catch (error) {
      const heard = heardIn(error);
      return heard.kind === 'refused' && STREAMING.includes(act.kind)
        ? { kind: 'no-stream', why: heard.why }
        : heard;
    }
  }

  private did(act: Act, card: Posted, recipient: Recipient | undefined): Promise<Heard> {
    switch (act.kind) {
      case 'post':
        return this.post(act, card);
      case 'change':
        return this.change(act, card);
      case 'find':
        return this.find(act, card);
      case 'begin':
        return this.begin(act, card, recipient);
      case 'add':
        return this.add(act, card);
      case 'end':
        return this.end(act, card);
    }
  }

  private async post({ page, key }: Doing<'post'>, { channel, ts }: Posted): Promise<Heard> {
    const { ts: id } = await this.client.chat.postMessage({
      ...{ channel, thread_ts: ts, ...this.contentOf(page, key) },
      ...{ ...PLAINLY, ...QUIETLY },
    });
    return id === undefined ? { kind: 'unsure', why: 'an answer without a name' } : { kind: 'done', id };
  }

  private async change({ page, id, key }: Doing<'change'>, { channel }: Posted): Promise<Heard> {
    await this.client.chat.update({ channel, ts: id, ...this.contentOf(page, key), ...PLAINLY });
    return { kind: 'done' };
  }

  private async begin(
    { page }: Doing<'begin'>,
    { channel, ts }: Posted,
    recipient: Recipient | undefined,
  ): Promise<Heard> {
    const { ts: id } = await this.client.chat.startStream({
      ...{ channel, thread_ts: ts, ...recipient },
      chunks: progressChunks(page),
    });
    return id === undefined ? { kind: 'unsure', why: 'an answer without a name' } : { kind: 'done', id };
  }

  private async add({ page, id, before }: Doing<'add'>, { channel }: Posted): Promise<Heard> {
    const chunks = progressChunks(page, before);
    if (chunks.length > 0) await this.client.chat.appendStream({ channel, ts: id, chunks });
    return { kind: 'done' };
  }

  /** How it stands is the message's last word; of what may be there already nothing is said again. */
  private async end({ page, id, before, key }: Doing<'end'>, { channel }: Posted): Promise<Heard> {
    const chunks = before ? progressChunks(page, before) : [];
    const blocks = before ? [...standingBlocks(page)] : [];
    await this.client.chat.stopStream({
      ...{ channel, ts: id, metadata: metadataOf(key) },
      ...(chunks.length > 0 ? { chunks } : {}),
      ...(blocks.length > 0 ? { blocks } : {}),
    });
    return { kind: 'done' };
  }

  private async find(act: Doing<'find'>, card: Posted): Promise<Heard> {
    this.self ??= (await this.client.auth.test()).user_id;
    return findProgress(this.client, card, { ...act, self: this.self });
  }

  private contentOf(page: Page, key: string) {
    const { text, blocks } = progressMessage(page);
    return { text, blocks: [...blocks], metadata: metadataOf(key) };
  }
}
