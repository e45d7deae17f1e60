/** What a method of the Web API is: the scope it needs, how often it may be called, what it does. */
import type { Answer, Members } from '../answers.js';
import type { Tier } from '../limits.js';
import type { Triggers } from '../triggers.js';
import { TEAM, type Channel, type Message, type World } from '../world.js';
import { fault } from '../answers.js';
import { isMembers } from '../text-rules.js';

export interface Site {
  readonly world: World;
  readonly triggers: Triggers;
}

export interface Method {
  readonly scope?: string;
  readonly tier: Tier;
  readonly run: (site: Site, args: Members) => Answer;
}

export const textOf = (args: Members, name: string): string | undefined => {
  const value = args[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Forms say it in words. */
export const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === '1';

/** The channel, if the bot may write or look there. */
export const channelFor = ({ world }: Site, args: Members): Channel | Answer => {
  const channel = world.channelFor(args['channel']);
  if (!channel) return fault('channel_not_found');
  if (!channel.hasBot) return fault('not_in_channel');
  return channel;
};

export const isAnswer = (value: Channel | Answer): value is Answer => 'ok' in value;

export const metadataFault = (metadata: unknown): Answer | undefined => {
  if (metadata === undefined) return undefined;
  if (!isMembers(metadata)) return fault('invalid_metadata_format');
  const { event_type: type, event_payload: payload } = metadata;
  return typeof type === 'string' && isMembers(payload) ? undefined : fault('invalid_metadata_schema');
};

/** As the API shows a message; metadata only to those who ask. */
export const shown = (message: Message, withMetadata: boolean): Members => ({
  type: 'message',
  user: message.user,
  bot_id: 'B0HUB',
  team: TEAM,
  ts: message.ts,
  text: message.text,
  blocks: message.blocks,
  ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
  ...(message.edited === undefined ? {} : { edited: { user: message.user, ts: message.edited } }),
  ...(withMetadata && message.metadata ? { metadata: message.metadata } : {}),
});
