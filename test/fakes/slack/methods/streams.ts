/** Methods that write one message bit by bit. */
import { fault, faultWith, fine, type Answer, type Members } from '../answers.js';
import { blocksFaults, MAX_MESSAGE_BLOCKS } from '../block-rules.js';
import { isList, isMembers } from '../text-rules.js';
import type { Message } from '../world.js';
import { channelFor, isAnswer, textOf, type Method, type Site } from './method.js';

const MAX_MARKDOWN = 12_000;
/** A stream that nobody writes to is closed by itself. */
const IDLE_MS = 120_000;
const STATUSES = new Set(['pending', 'in_progress', 'complete', 'error']);

const chunkText = (chunk: unknown): string | undefined => {
  if (!isMembers(chunk)) return undefined;
  if (chunk['type'] === 'markdown_text') return textOf(chunk, 'text');
  const { id, title, status } = chunk;
  const isTask = chunk['type'] === 'task_update' && typeof id === 'string' && typeof title === 'string';
  return isTask && STATUSES.has(String(status)) ? `[${String(status)}] ${title}\n` : undefined;
};

/** What a call adds, or what is wrong with it. */
const addedBy = (args: Members): { readonly text: string } | Answer => {
  const { chunks } = args;
  const said = textOf(args, 'markdown_text') ?? '';
  if (said.length > MAX_MARKDOWN) return fault('msg_too_long');
  if (chunks === undefined) return { text: said };
  const texts = isList(chunks) ? chunks.map(chunkText) : [undefined];
  return texts.includes(undefined) ? fault('invalid_chunks') : { text: said + texts.join('') };
};

const streamed = ({ world }: Site, args: Members): Message | Answer => {
  const message = world.find(textOf(args, 'channel') ?? '', textOf(args, 'ts') ?? '');
  if (!message) return fault('message_not_found');
  const { stream } = message;
  if (!stream?.open || world.now() - stream.at > IDLE_MS) return fault('message_not_in_streaming_state');
  return message;
};

const start: Method = {
  scope: 'chat:write',
  tier: 'two',
  run: (site, args) => {
    const channel = channelFor(site, args);
    if (isAnswer(channel)) return channel;
    const threadTs = textOf(args, 'thread_ts');
    if (threadTs === undefined) return fault('invalid_arguments');
    if (channel.kind !== 'im' && textOf(args, 'recipient_user_id') === undefined)
      return fault('missing_recipient_user_id');
    if (channel.kind !== 'im' && textOf(args, 'recipient_team_id') === undefined)
      return fault('missing_recipient_team_id');
    const added = addedBy(args);
    if ('ok' in added) return added;
    const stream = { open: true, at: site.world.now() };
    const message = site.world.post({ channel: channel.id, threadTs, text: added.text, blocks: [], stream });
    return fine({ channel: channel.id, ts: message.ts });
  },
};

const append: Method = {
  scope: 'chat:write',
  tier: 'four',
  run: (site, args) => {
    const message = streamed(site, args);
    if ('ok' in message) return message;
    const added = addedBy(args);
    if ('ok' in added) return added;
    if (added.text === '') return fault('no_text');
    Object.assign(message, { text: message.text + added.text, stream: { open: true, at: site.world.now() } });
    return fine({ channel: message.channel, ts: message.ts });
  },
};

const stop: Method = {
  scope: 'chat:write',
  tier: 'two',
  run: (site, args) => {
    const message = streamed(site, args);
    if ('ok' in message) return message;
    const added = addedBy(args);
    if ('ok' in added) return added;
    const { blocks = [] } = args;
    const faults = blocksFaults(blocks, MAX_MESSAGE_BLOCKS);
    if (faults.length > 0) return faultWith('invalid_blocks', faults);
    Object.assign(message, {
      text: message.text + added.text,
      blocks,
      stream: { open: false, at: site.world.now() },
    });
    return fine({ channel: message.channel, ts: message.ts });
  },
};

export const STREAMS: Readonly<Record<string, Method>> = {
  'chat.startStream': start,
  'chat.appendStream': append,
  'chat.stopStream': stop,
};
