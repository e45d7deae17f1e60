/** Methods that look at what was said in a channel, and open direct ones. */
import { fault, fine, type Members } from '../answers.js';
import type { Message } from '../world.js';
import { channelFor, isAnswer, isTrue, shown, textOf, type Method } from './method.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 999;

/** From so many on there is a next page. */
const pageOf = (messages: readonly Message[], args: Members): Members => {
  const asked = Number(args['limit'] ?? DEFAULT_LIMIT);
  const limit = asked >= 1 && asked <= MAX_LIMIT ? asked : DEFAULT_LIMIT;
  const from = Number(textOf(args, 'cursor') ?? 0);
  const page = messages.slice(from, from + limit);
  const more = from + limit < messages.length;
  const withMetadata = isTrue(args['include_all_metadata']);
  return {
    messages: page.map((message) => shown(message, withMetadata)),
    has_more: more,
    response_metadata: { next_cursor: more ? String(from + limit) : '' },
  };
};

const within = (args: Members) => {
  const { oldest = '0', latest, inclusive } = args;
  const [from, to] = [Number(oldest), latest === undefined ? Infinity : Number(latest)];
  return ({ ts }: Message): boolean => {
    const at = Number(ts);
    return (at > from && at < to) || (isTrue(inclusive) && (at === from || at === to));
  };
};

/** Newest first, and only what is not in a thread. */
const history: Method = {
  scope: 'channels:history',
  tier: 'three',
  run: (site, args) => {
    const channel = channelFor(site, args);
    if (isAnswer(channel)) return channel;
    const all = site.world.messagesIn(channel.id).filter(({ threadTs }) => threadTs === undefined);
    return fine(pageOf(all.filter(within(args)).toReversed(), args));
  },
};

/** The message itself, then its thread, oldest first. */
const replies: Method = {
  scope: 'channels:history',
  tier: 'three',
  run: (site, args) => {
    const channel = channelFor(site, args);
    if (isAnswer(channel)) return channel;
    const ts = textOf(args, 'ts') ?? '';
    if (!site.world.find(channel.id, ts)) return fault('thread_not_found');
    const isWithin = within(args);
    const all = site.world
      .messagesIn(channel.id)
      .filter((each) => each.ts === ts || (each.threadTs === ts && isWithin(each)));
    return fine(pageOf(all, args));
  },
};

const open: Method = {
  scope: 'im:write',
  tier: 'three',
  run: ({ world }, args) => {
    const user = textOf(args, 'users') ?? '';
    if (!world.people.has(user)) return fault('user_not_found');
    return fine({ channel: { id: world.directTo(user).id } });
  },
};

export const CONVERSATIONS: Readonly<Record<string, Method>> = {
  'conversations.history': history,
  'conversations.replies': replies,
  'conversations.open': open,
};
