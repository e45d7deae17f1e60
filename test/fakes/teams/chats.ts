/** Conversations of the fake, who is in them, and every message as it stands now. */
import { randomUUID } from 'node:crypto';

export type ChatKind = 'personal' | 'groupChat' | 'channel';
type Bag = Readonly<Record<string, unknown>>;

export interface TeamsUser {
  readonly name: string;
  /** Known to this bot alone. */
  readonly mri: string;
  readonly aadObjectId: string;
}

export interface Message {
  readonly id: string;
  readonly from: 'bot' | TeamsUser;
  readonly at: number;
  /** The message of a channel below which it stands. */
  readonly below?: string;
  /** As it is now; undefined: it was deleted. */
  activity: Bag | undefined;
  /** How often it was changed. */
  edits: number;
  /** Views that single people have of it, by their MRI, until it changes for all. */
  readonly views: Map<string, Bag>;
  /** What was said below it to single people. */
  readonly said: Map<string, string>;
}

export interface Chat {
  readonly id: string;
  readonly kind: ChatKind;
  readonly title: string;
  readonly members: TeamsUser[];
  readonly messages: Message[];
  /** Whether the bot is in it. */
  installed: boolean;
}

export const newUser = (name: string): TeamsUser => ({
  name,
  mri: `29:1${randomUUID().replaceAll('-', '')}`,
  aadObjectId: randomUUID(),
});

const idOf = (kind: ChatKind): string =>
  kind === 'personal'
    ? `a:1${randomUUID().replaceAll('-', '')}`
    : `19:${randomUUID().replaceAll('-', '')}@thread.${kind === 'channel' ? 'tacv2' : 'v2'}`;

export class Chats {
  readonly all: Chat[] = [];
  private made = 0;

  add(kind: ChatKind, title: string, members: readonly TeamsUser[], id = idOf(kind)): Chat {
    const chat = { id, kind, title, members: [...members], messages: [], installed: true };
    this.all.push(chat);
    return chat;
  }

  find(id: string): Chat | undefined {
    const [base] = id.split(';', 1);
    return this.all.find((chat) => chat.id === base);
  }

  /** The chat of one person with the bot: there is only one. */
  withPerson(name: string): Chat | undefined {
    const users = this.all.flatMap(({ members }) => members);
    const user = users.find(({ mri, aadObjectId }) => mri === name || aadObjectId === name);
    if (!user) return undefined;
    const own = this.all.find(({ kind, members }) => kind === 'personal' && members[0]?.mri === user.mri);
    return own ?? this.add('personal', user.name, [user]);
  }

  /** Ids are times, as in Teams, and never the same twice. */
  newMessageId(): string {
    this.made += 1;
    return String(Date.now() * 1_000 + this.made);
  }

  post(chat: Chat, activity: Bag, named: Pick<Message, 'id' | 'from' | 'below'>): Message {
    const message = { ...named, at: Date.now(), activity, edits: 0, views: new Map(), said: new Map() };
    chat.messages.push(message);
    return message;
  }

  message(chat: Chat, id: string): Message | undefined {
    return chat.messages.find((one) => one.id === id && one.activity !== undefined);
  }
}
