/** The connector's v3 endpoints over the fake's conversations. */
import { cardIn, objectionTo, type Objection } from './card-rules.js';
import { type Chat, type Chats, type Message } from './chats.js';
import type { CallKind } from './faults.js';
import type { Limits } from './limits.js';
import { streamInfo, type Streams, wordOf } from './stream-rules.js';

type Bag = Readonly<Record<string, unknown>>;

export interface Call {
  readonly method: string;
  /** Below `/v3/conversations`. */
  readonly path: readonly string[];
  readonly body: Bag;
  readonly bytes: number;
}

export interface Answer {
  readonly status: number;
  readonly body?: object;
  readonly retryAfterS?: number;
}

export interface ConnectorParts {
  readonly chats: Chats;
  readonly limits: Limits;
  readonly streams: Streams;
  readonly tenantId: string;
  /** Somebody's screen may show it. */
  readonly onMessage: (chat: Chat, message: Message) => void;
}

const says = ({ status, code, message }: Objection): Answer => ({
  status,
  body: { error: { code, message } },
});
const NO_CHAT = says({ status: 404, code: 'ConversationNotFound', message: 'Conversation not found.' });
const NO_MESSAGE = says({
  status: 404,
  code: 'ActivityNotFoundInConversation',
  message: 'Activity not found.',
});
const NOT_THERE = says({
  status: 403,
  code: 'BotNotInConversationRoster',
  message: 'The bot is not part of the conversation roster.',
});
const NO_SUCH_CALL: Answer = { status: 405 };

/** What is said in the thread of a channel's message. */
const threadIn = ([conversation = '']: Call['path']): string | undefined =>
  conversation.split(';messageid=', 2)[1];

export const kindOf = ({ method, path }: Pick<Call, 'method' | 'path'>): CallKind => {
  if (path.length === 0) return 'open';
  if (path[1] === 'members') return 'member';
  return method === 'PUT' ? 'update' : method === 'DELETE' ? 'remove' : 'post';
};

export class Connector {
  constructor(private readonly parts: ConnectorParts) {}

  answer(call: Call): Answer {
    const [chatId, part, id] = call.path;
    if (chatId === undefined) return this.open(call.body);
    const chat = this.parts.chats.find(chatId);
    if (!chat) return NO_CHAT;
    if (!chat.installed) return NOT_THERE;
    if (part === 'members') return this.members(chat, id);
    if (part !== 'activities') return NO_SUCH_CALL;
    const waitS = this.parts.limits.take(chat.id);
    if (waitS !== undefined)
      return { status: 429, retryAfterS: waitS, body: { error: { code: 'Throttled' } } };
    return this.change(chat, call, id);
  }

  /** A chat with one person: the same one however often it is asked for. */
  private open({ members, tenantId, channelData }: Bag): Answer {
    const [member] = Array.isArray(members) ? (members as Bag[]) : [];
    const tenant = tenantId ?? (channelData as { tenant?: { id?: string } } | undefined)?.tenant?.id;
    if (tenant !== this.parts.tenantId)
      return says({ status: 403, code: 'ServiceError', message: 'The bot is not installed in this tenant.' });
    const chat = this.parts.chats.withPerson(String(member?.id));
    return chat ? { status: 201, body: { id: chat.id } } : NOT_THERE;
  }

  private members(chat: Chat, name: string | undefined): Answer {
    const listed = chat.members.map(({ mri, ...user }) => ({
      id: mri,
      tenantId: this.parts.tenantId,
      ...user,
    }));
    if (name === undefined) return { status: 200, body: listed };
    const member = listed.find(({ id, aadObjectId }) => id === name || aadObjectId === name);
    return member
      ? { status: 200, body: member }
      : says({ status: 404, code: 'MemberNotFoundInConversation', message: '' });
  }

  private change(chat: Chat, { method, path, body, bytes }: Call, id: string | undefined): Answer {
    if (method === 'DELETE') return this.remove(chat, id);
    const objection = objectionTo(body, bytes);
    if (objection) return says(objection);
    if (method === 'PUT') return this.update(chat, body, id);
    return method === 'POST' ? this.post(chat, body, threadIn(path)) : NO_SUCH_CALL;
  }

  private post(chat: Chat, activity: Bag, below: string | undefined): Answer {
    if (below !== undefined && !this.parts.chats.message(chat, below)) return NO_MESSAGE;
    const id = this.parts.chats.newMessageId();
    const objection = this.parts.streams.take(chat, activity, id);
    if (objection) return says(objection);
    const info = streamInfo(activity);
    if (info?.streamId !== undefined) return this.grow(chat, activity, wordOf(info.streamId));
    const message = this.parts.chats.post(chat, activity, {
      ...{ id, from: 'bot' },
      ...(below === undefined ? {} : { below }),
    });
    this.parts.onMessage(chat, message);
    return { status: 201, body: { id } };
  }

  private grow(chat: Chat, activity: Bag, streamId: string): Answer {
    const message = this.parts.chats.message(chat, streamId);
    if (message) message.activity = activity;
    return { status: 202, body: {} };
  }

  private update(chat: Chat, activity: Bag, id: string | undefined): Answer {
    const message = id === undefined ? undefined : this.parts.chats.message(chat, id);
    if (!message || message.from !== 'bot') return NO_MESSAGE;
    message.activity = activity;
    message.edits += 1;
    // A change for all replaces what single people were shown.
    message.views.clear();
    message.said.clear();
    this.parts.onMessage(chat, message);
    return { status: 200, body: { id } };
  }

  private remove(chat: Chat, id: string | undefined): Answer {
    const message = id === undefined ? undefined : this.parts.chats.message(chat, id);
    if (!message || message.from !== 'bot') return NO_MESSAGE;
    message.activity = undefined;
    return { status: 200 };
  }
}

export const cardOf = ({ activity }: Message): Bag | undefined => activity && cardIn(activity);
