/** One workspace in memory: its people, channels, messages and modals, as a test may look at them at any time. */
import type { Members } from './answers.js';

export const TEAM = 'T0HOME';
export const APP = 'A0HUB';
export const BOT = 'U0HUBBOT';

export interface Person {
  readonly id: string;
  readonly name: string;
  /** Another workspace's: somebody from a shared channel. */
  readonly team: string;
  readonly email?: string;
  readonly deleted?: boolean;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: 'channel' | 'im';
  archived: boolean;
  hasBot: boolean;
  /** Messages may no longer be edited. */
  closedToEdits: boolean;
}

export interface Message {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs?: string;
  readonly user: string;
  text: string;
  blocks: readonly Members[];
  metadata?: Members;
  edited?: string;
  /** While it is streamed to: since when, and when it was last. */
  stream?: { open: boolean; at: number; since: number };
  /** What a stream told of tasks, by their ids. */
  tasks?: readonly Members[];
}

export interface Ephemeral {
  readonly channel: string;
  readonly user: string;
  readonly ts: string;
  readonly text: string;
  readonly blocks: readonly Members[];
}

export interface OpenView {
  readonly id: string;
  readonly user: string;
  hash: string;
  view: Members;
}

/** A message lives for its workspace's retention; here for the last so many of each channel. */
const MAX_MESSAGES = 5_000;
const MICROS = 1_000_000;

export class World {
  readonly people = new Map<string, Person>();
  readonly channels = new Map<string, Channel>();
  readonly messages: Message[] = [];
  readonly ephemerals: Ephemeral[] = [];
  readonly views = new Map<string, OpenView>();
  private lastMicros = 0;
  private serial = 0;

  constructor(readonly now: () => number) {
    this.addPerson({ id: BOT, name: 'hub', team: TEAM });
  }

  addPerson(person: Person): Person {
    this.people.set(person.id, person);
    return person;
  }

  addChannel(id: string, name: string, kind: Channel['kind'] = 'channel'): Channel {
    const channel: Channel = { id, name, kind, archived: false, hasBot: true, closedToEdits: false };
    this.channels.set(id, channel);
    return channel;
  }

  /** Seconds with six decimals, never the same twice. */
  nextTs(): string {
    this.lastMicros = Math.max(this.lastMicros + 1, this.now() * 1_000);
    return `${Math.floor(this.lastMicros / MICROS)}.${String(this.lastMicros % MICROS).padStart(6, '0')}`;
  }

  nextId(prefix: string): string {
    this.serial += 1;
    return `${prefix}${String(this.serial).padStart(8, '0')}`;
  }

  post(message: Omit<Message, 'ts' | 'user'>): Message {
    const posted: Message = { ...message, ts: this.nextTs(), user: BOT };
    this.messages.push(posted);
    if (this.messages.length > MAX_MESSAGES) this.messages.shift();
    return posted;
  }

  whisper(message: Omit<Ephemeral, 'ts'>): Ephemeral {
    const said = { ...message, ts: this.nextTs() };
    this.ephemerals.push(said);
    if (this.ephemerals.length > MAX_MESSAGES) this.ephemerals.shift();
    return said;
  }

  find(channel: string, ts: string): Message | undefined {
    return this.messages.find((message) => message.channel === channel && message.ts === ts);
  }

  /** Oldest first. */
  messagesIn(channel: string): readonly Message[] {
    return this.messages.filter((message) => message.channel === channel);
  }

  /** As the sender of a message sees its channel: an id, or a person to whom it goes directly. */
  channelFor(address: unknown): Channel | undefined {
    if (typeof address !== 'string') return undefined;
    if (!this.people.has(address)) return this.channels.get(address);
    return this.directTo(address);
  }

  directTo(user: string): Channel {
    const id = `D${user.slice(1)}`;
    return this.channels.get(id) ?? this.addChannel(id, user, 'im');
  }
}
