/** The threads one socket reads: each at most once, each rewound or left at will. */
import {
  ok,
  refuse,
  type Position,
  type RefusalCode,
  type Result,
  type Surface,
  type ThreadId,
} from '@triptych/protocol';
import type { Reader } from '../core/reader.js';
import type { Joined } from './joined.js';
import type { Rooms } from './rooms.js';

export interface SubscriptionsOptions {
  readonly rooms: Rooms;
  readonly surface: Surface;
  readonly reader: Reader;
  readonly mayRead: (thread: ThreadId) => Promise<Result<unknown>>;
  /** Awaited before a thread is subscribed to, once a subscription: nothing of it is shown before. */
  readonly beforeShown?: (thread: ThreadId) => Promise<void>;
  readonly maxThreads: number;
}

/** The reply, and what must be done right after it was sent, or when nobody is there to get it. */
export interface Answer {
  readonly reply: unknown;
  readonly afterwards?: () => void;
}

interface Seated {
  readonly joined: Joined;
  /** Where it stood at the last heartbeat. */
  stoodAt: Position | undefined;
}

/** A thread that was left because it may no longer be read. */
export interface Lost {
  readonly threadId: ThreadId;
  readonly code: RefusalCode;
}

const nothing = (): void => undefined;

/** Until the answer is sent nothing more comes: whoever asked from its place takes what comes before for the former delivery. */
const unchanged = (held: Joined): Answer => {
  const afterwards = held.hold();
  return { reply: { pos: held.reached() }, afterwards };
};

export class Subscriptions {
  private readonly seats = new Map<ThreadId, Seated>();
  private joining = 0;
  /** Counts the judgements: what was allowed under an earlier one is asked again. */
  private judgement = 0;
  private closed = false;

  constructor(private readonly options: SubscriptionsOptions) {}

  get threads(): readonly ThreadId[] {
    return [...this.seats.keys()];
  }

  async subscribe(thread: ThreadId, from: Position | undefined): Promise<Result<Answer>> {
    let isTold = this.seats.has(thread);
    const tell = async (): Promise<void> => {
      if (!isTold) await this.options.beforeShown?.(thread);
      isTold = true;
    };
    for (;;) {
      const answer = await this.tried(thread, from, tell);
      if (answer !== undefined) return answer;
    }
  }

  /** undefined: what was allowed must be asked again. */
  private async tried(
    thread: ThreadId,
    from: Position | undefined,
    tell: () => Promise<void>,
  ): Promise<Result<Answer> | undefined> {
    const { judgement } = this;
    const allowed = await this.options.mayRead(thread);
    if (judgement !== this.judgement) return undefined;
    if (!allowed.ok) {
      this.unsubscribe(thread);
      return allowed;
    }
    const held = this.seats.get(thread)?.joined;
    if (held !== undefined && (from === undefined || from === held.reached())) return ok(unchanged(held));
    if (held === undefined && this.seats.size + this.joining >= this.options.maxThreads)
      return refuse('RATE_LIMITED', { details: { limit: 'MAX_THREADS_PER_SOCKET' } });
    const seated = await this.join(thread, from, tell);
    return seated === undefined ? undefined : ok(seated);
  }

  /** Asks of every thread whether it may still be read, leaves those that may not, and names them. */
  async judge(): Promise<readonly Lost[]> {
    this.judgement += 1;
    const verdicts = await Promise.all(
      this.threads.map(async (thread) => [thread, await this.options.mayRead(thread)] as const),
    );
    return verdicts.flatMap(([threadId, allowed]) =>
      !allowed.ok && this.unsubscribe(threadId) ? [{ threadId, code: allowed.refusal.code }] : [],
    );
  }

  unsubscribe(thread: ThreadId): boolean {
    this.seats.get(thread)?.joined.leave();
    return this.seats.delete(thread);
  }

  ack(thread: ThreadId, pos: Position): void {
    this.seats.get(thread)?.joined.ack(pos);
  }

  /** Keeps a thread's frames back until the returned release. */
  hold(thread: ThreadId): () => void {
    return this.seats.get(thread)?.joined.hold() ?? nothing;
  }

  /** The threads that were quiet since the last call, and where their reader stands. */
  quiet(): readonly { readonly threadId: ThreadId; readonly pos: Position }[] {
    return [...this.seats].flatMap(([threadId, seated]) => {
      const pos = seated.joined.standing();
      const quiet = pos !== undefined && pos === seated.stoodAt;
      seated.stoodAt = pos;
      return quiet ? [{ threadId, pos }] : [];
    });
  }

  close(): void {
    this.closed = true;
    for (const thread of this.threads) this.unsubscribe(thread);
  }

  /** undefined: what was allowed must be asked again. */
  private async join(
    thread: ThreadId,
    from: Position | undefined,
    tell: () => Promise<void>,
  ): Promise<Answer | undefined> {
    const { rooms, surface, reader } = this.options;
    const { judgement } = this;
    // Before anything is awaited: whoever asks meanwhile finds the place taken.
    this.joining += 1;
    try {
      await tell();
      const joined = await rooms.join({ thread, surface, reader, from });
      if (judgement === this.judgement) return this.seat(thread, joined);
      joined.leave();
      return undefined;
    } finally {
      this.joining -= 1;
    }
  }

  /** Seated before the reply, so that a judgement finds it; what it is shown comes after the reply. */
  private seat(thread: ThreadId, joined: Joined): Answer {
    this.unsubscribe(thread);
    if (this.closed) joined.leave();
    else this.seats.set(thread, { joined, stoodAt: undefined });
    const { pos, recovered } = joined;
    return { reply: { pos, recovered }, afterwards: () => this.start(thread, joined) };
  }

  private start(thread: ThreadId, joined: Joined): void {
    if (this.seats.get(thread)?.joined === joined) joined.start();
  }
}
