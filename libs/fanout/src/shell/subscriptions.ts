/** The threads one socket reads: each at most once, each rewound or left at will. */
import { ok, refuse, type Position, type Result, type Surface, type ThreadId } from '@triptych/protocol';
import type { Reader } from '../core/reader.js';
import type { Joined } from './joined.js';
import type { Rooms } from './rooms.js';

export interface SubscriptionsOptions {
  readonly rooms: Rooms;
  readonly surface: Surface;
  readonly reader: Reader;
  readonly mayRead: (thread: ThreadId) => Promise<Result<unknown>>;
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

const nothing = (): void => undefined;

export class Subscriptions {
  private readonly seats = new Map<ThreadId, Seated>();
  private joining = 0;
  private closed = false;

  constructor(private readonly options: SubscriptionsOptions) {}

  get threads(): readonly ThreadId[] {
    return [...this.seats.keys()];
  }

  async subscribe(thread: ThreadId, from: Position | undefined): Promise<Result<Answer>> {
    const allowed = await this.options.mayRead(thread);
    if (!allowed.ok) {
      this.unsubscribe(thread);
      return allowed;
    }
    const held = this.seats.get(thread)?.joined;
    if (held !== undefined && (from === undefined || from === held.reached()))
      return ok({ reply: { pos: held.reached() } });
    if (held === undefined && this.seats.size + this.joining >= this.options.maxThreads)
      return refuse('RATE_LIMITED', { details: { limit: 'MAX_THREADS_PER_SOCKET' } });
    return this.join(thread, from);
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

  private async join(thread: ThreadId, from: Position | undefined): Promise<Result<Answer>> {
    const { rooms, surface, reader } = this.options;
    this.joining += 1;
    try {
      const joined = await rooms.join({ thread, surface, reader, from });
      const { pos, recovered } = joined;
      return ok({ reply: { pos, recovered }, afterwards: () => this.seat(thread, joined) });
    } catch (error) {
      this.joining -= 1;
      throw error;
    }
  }

  /** The new seat takes the place of the old one in one step: no frame falls in between. */
  private seat(thread: ThreadId, joined: Joined): void {
    this.joining -= 1;
    this.unsubscribe(thread);
    if (this.closed) return joined.leave();
    this.seats.set(thread, { joined, stoodAt: undefined });
    joined.start();
  }
}
