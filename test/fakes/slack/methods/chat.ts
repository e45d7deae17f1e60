/** Methods that post, change, whisper and delete messages. */
import { fault, faultWith, fine, type Answer, type Members } from '../answers.js';
import { blocksFaults, MAX_MESSAGE_BLOCKS } from '../block-rules.js';
import { isList, isMembers } from '../text-rules.js';
import { BOT } from '../world.js';
import { channelFor, isAnswer, metadataFault, shown, textOf, type Method } from './method.js';
import { isStreaming } from './streams.js';

const MAX_TEXT = 40_000;

interface Content {
  readonly text: string;
  readonly blocks: readonly Members[];
  readonly metadata?: Members;
}

const contentFault = (args: Members): Answer | undefined => {
  const { text, blocks } = args;
  if (textOf(args, 'text') === undefined && (blocks === undefined || (isList(blocks) && blocks.length === 0)))
    return fault('no_text');
  if (typeof text === 'string' && text.length > MAX_TEXT) return fault('msg_too_long');
  const faults = blocks === undefined ? [] : blocksFaults(blocks, MAX_MESSAGE_BLOCKS);
  return faults.length > 0 ? faultWith('invalid_blocks', faults) : metadataFault(args['metadata']);
};

const contentOf = (args: Members): Content => ({
  text: textOf(args, 'text') ?? '',
  blocks: isList(args['blocks']) ? (args['blocks'] as readonly Members[]) : [],
  ...(isMembers(args['metadata']) ? { metadata: args['metadata'] } : {}),
});

const postMessage: Method = {
  scope: 'chat:write',
  tier: 'chatty',
  run: (site, args) => {
    const channel = channelFor(site, args);
    if (isAnswer(channel)) return channel;
    if (channel.archived) return fault('is_archived');
    const wrong = contentFault(args);
    if (wrong) return wrong;
    const threadTs = textOf(args, 'thread_ts');
    const place = { channel: channel.id, ...(threadTs === undefined ? {} : { threadTs }) };
    const message = site.world.post({ ...place, ...contentOf(args) });
    return fine({ channel: channel.id, ts: message.ts, message: shown(message, false) });
  },
};

const update: Method = {
  scope: 'chat:write',
  tier: 'three',
  run: (site, args) => {
    const channel = channelFor(site, args);
    if (isAnswer(channel)) return channel;
    const message = site.world.find(channel.id, textOf(args, 'ts') ?? '');
    if (!message) return fault('message_not_found');
    if (message.user !== BOT) return fault('cant_update_message');
    if (channel.closedToEdits) return fault('edit_window_closed');
    if (isStreaming(message, site.world.now())) return fault('streaming_state_conflict');
    const wrong = contentFault(args);
    if (wrong) return wrong;
    Object.assign(message, contentOf(args), { edited: site.world.nextTs(), tasks: [] });
    return fine({ channel: channel.id, ts: message.ts, text: message.text, message: shown(message, false) });
  },
};

const postEphemeral: Method = {
  scope: 'chat:write',
  tier: 'four',
  run: (site, args) => {
    const channel = channelFor(site, args);
    if (isAnswer(channel)) return channel;
    const user = textOf(args, 'user') ?? '';
    if (!site.world.people.has(user)) return fault('user_not_in_channel');
    const wrong = contentFault(args);
    if (wrong) return wrong;
    const { text, blocks } = contentOf(args);
    return fine({ message_ts: site.world.whisper({ channel: channel.id, user, text, blocks }).ts });
  },
};

const remove: Method = {
  scope: 'chat:write',
  tier: 'three',
  run: (site, args) => {
    const channel = channelFor(site, args);
    if (isAnswer(channel)) return channel;
    const ts = textOf(args, 'ts') ?? '';
    const at = site.world.messages.findIndex((each) => each.channel === channel.id && each.ts === ts);
    if (at < 0) return fault('message_not_found');
    if (site.world.messages[at]?.user !== BOT) return fault('cant_delete_message');
    site.world.messages.splice(at, 1);
    return fine({ channel: channel.id, ts });
  },
};

export const CHAT: Readonly<Record<string, Method>> = {
  'chat.postMessage': postMessage,
  'chat.update': update,
  'chat.postEphemeral': postEphemeral,
  'chat.delete': remove,
};
