/** Methods that write one message bit by bit. */
import { fault, faultWith, fine, type Answer, type Members } from '../answers.js';
import { blocksFaults, MAX_MESSAGE_BLOCKS } from '../block-rules.js';
import { isList, isMembers } from '../text-rules.js';
import type { Message } from '../world.js';
import { channelFor, isAnswer, metadataFault, textOf, type Method, type Site } from './method.js';

const MAX_MARKDOWN = 12_000;
/** A stream that nobody writes to is closed by itself. */
const IDLE_MS = 120_000;
/** So is one that is too old, whoever writes to it. */
const LIFE_MS = 300_000;
const STATUSES = new Set(['pending', 'in_progress', 'complete', 'error']);

interface Added {
  readonly text: string;
  readonly tasks: readonly Members[];
}

export const isStreaming = ({ stream }: Message, now: number): boolean =>
  stream?.open === true && now - stream.at <= IDLE_MS && now - stream.since <= LIFE_MS;

const isTask = (chunk: Members): boolean =>
  chunk['type'] === 'task_update' &&
  typeof chunk['id'] === 'string' &&
  typeof chunk['title'] === 'string' &&
  STATUSES.has(String(chunk['status']));

/** What a call adds, or what is wrong with it. */
const addedBy = (args: Members): Added | Answer => {
  const { chunks = [] } = args;
  const all = isList(chunks) ? chunks : [undefined];
  const words = all.map((chunk) =>
    isMembers(chunk) && chunk['type'] === 'markdown_text' ? textOf(chunk, 'text') : undefined,
  );
  const tasks = all.filter((chunk) => isMembers(chunk) && isTask(chunk)) as readonly Members[];
  const said = [textOf(args, 'markdown_text'), ...words].filter((text) => text !== undefined);
  if (said.some((text) => text.length > MAX_MARKDOWN)) return fault('msg_too_long');
  if (words.filter((text) => text !== undefined).length + tasks.length < all.length)
    return fault('invalid_chunks');
  return { text: said.join(''), tasks };
};

const withTasks = (before: readonly Members[] = [], told: readonly Members[]): readonly Members[] => [
  ...before.map((task) => told.findLast(({ id }) => id === task['id']) ?? task),
  ...told.filter(({ id }, nth) => !before.some((task) => task['id'] === id) && nth === lastOf(told, id)),
];

const lastOf = (told: readonly Members[], id: unknown): number =>
  told.findLastIndex((each) => each['id'] === id);

/** The message, if it still streams. */
const streamed = ({ world }: Site, args: Members): Message | Answer => {
  const message = world.find(textOf(args, 'channel') ?? '', textOf(args, 'ts') ?? '');
  if (!message) return fault('message_not_found');
  return isStreaming(message, world.now()) ? message : fault('message_not_in_streaming_state');
};

const grow = (site: Site, message: Message, { text, tasks }: Added): void => {
  const now = site.world.now();
  const { since = now } = message.stream ?? {};
  Object.assign(message, {
    text: message.text + text,
    tasks: withTasks(message.tasks, tasks),
    stream: { open: true, at: now, since },
  });
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
    if (!site.world.find(channel.id, threadTs)) return fault('thread_not_found');
    const message = site.world.post({ channel: channel.id, threadTs, text: '', blocks: [] });
    grow(site, message, added);
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
    if (added.text === '' && added.tasks.length === 0) return fault('no_text');
    grow(site, message, added);
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
    const { metadata } = args;
    const wrong = metadataFault(metadata);
    if (wrong) return wrong;
    grow(site, message, added);
    Object.assign(message, { blocks, ...(isMembers(metadata) ? { metadata } : {}) });
    message.stream!.open = false;
    return fine({ channel: message.channel, ts: message.ts });
  },
};

export const STREAMS: Readonly<Record<string, Method>> = {
  'chat.startStream': start,
  'chat.appendStream': append,
  'chat.stopStream': stop,
};
