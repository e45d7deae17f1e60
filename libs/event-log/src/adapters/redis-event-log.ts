/** The log on Redis: one script appends, one reads, a sharded channel a thread announces. */
import { type Log, createLog } from '@triptych/platform';
import type { ThreadId } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { type Sight, appendArgs, outcomeOf } from '../core/append-request.js';
import type {
  AppendOutcome,
  AppendRequest,
  EventLog,
  Follow,
  FollowListener,
  ForgetRequest,
  LogPage,
} from '../core/event-log.js';
import { type KnownHeads, further, knownHeads } from '../core/known-heads.js';
import type { LogPosition } from '../core/feed.js';
import { readRange } from '../core/read-pages.js';
import type { LogStart } from '../core/snapshot.js';
import { Follower } from './follower.js';
import { Keeper } from './keeper.js';
import { channelOf } from './log-keys.js';
import { type LogScripts, logScripts } from './log-scripts.js';
import { snapshotScripts } from './snapshot-scripts.js';
import { StoreLife } from './store-life.js';
import { DEFAULT_WATCH, SubscriptionWatch, type WatchBounds } from './subscription-watch.js';
import { Switchboard } from './switchboard.js';

export interface RedisEventLogParts {
  /** Must not send a command twice by itself: `connectRedis(url, 'commands')`. */
  readonly redis: Redis;
  /** Used for subscriptions alone: `connectRedis(url, 'subscriber')`. */
  readonly subscriber: Redis;
  /** Eight random hex digits. */
  readonly newEpoch: () => string;
  readonly log?: Log;
  readonly watch?: Partial<WatchBounds>;
  /** Events a thread keeps behind its newest snapshot; undefined: all. */
  readonly logKeep?: number | undefined;
}

export interface RedisEventLog extends EventLog {
  /** Appends are possible and every follow is proven to be told of them. */
  healthy(): boolean;
  /** Ends every follow; the connections are their owner's. */
  close(): void;
}

/** Events read at once by a follow that is behind. */
const PAGE_EVENTS = 1_000;
/** After an outage every follow may have to read; Redis has appends to serve as well. */
const READS_AT_ONCE = 16;

const sizeOf = ({ events }: AppendRequest): { events: number; chars: number } => ({
  events: events.length,
  chars: events.reduce((sum, { json }) => sum + json.length, 0),
});

class LogOnRedis implements RedisEventLog {
  private readonly log: Log;
  private readonly scripts: LogScripts;
  private readonly lines: Switchboard;
  private readonly watch: SubscriptionWatch;
  private readonly keeper: Keeper;
  private readonly heads: KnownHeads = knownHeads();
  private readonly life: StoreLife;
  private readonly gate = pLimit(READS_AT_ONCE);
  private readonly followers = new Set<Follower>();

  constructor(private readonly parts: RedisEventLogParts) {
    const { redis, subscriber } = parts;
    this.log = parts.log ?? createLog({ level: 'warn', name: 'event-log' });
    this.scripts = logScripts(redis);
    this.life = new StoreLife(redis);
    this.keeper = new Keeper({
      scripts: snapshotScripts(redis),
      page: (thread, after, events) => this.scripts.page(thread, after, events),
      log: this.log,
      logKeep: parts.logKeep,
    });
    this.lines = new Switchboard(subscriber, this.log);
    this.watch = new SubscriptionWatch({
      redis,
      subscriber,
      lines: this.lines,
      followers: this.followers,
      position: (thread) => this.scripts.position(thread),
      bounds: { ...DEFAULT_WATCH, ...parts.watch },
      log: this.log,
    });
  }

  async append(request: AppendRequest): Promise<AppendOutcome> {
    const { thread } = request;
    const life = await this.life.current();
    const args = appendArgs(request, this.parts.newEpoch(), this.sightOf(request, life));
    const outcome = outcomeOf(await this.scripts.append(thread, args));
    if (outcome.status === 'stored' && outcome.epoch !== '') {
      this.heads.note(thread, { epoch: outcome.epoch, head: outcome.last }, life);
      this.keeper.stored(thread, sizeOf(request), request.atRest === true);
    }
    return outcome;
  }

  begin(thread: ThreadId, behind = 0): Promise<LogStart> {
    return this.keeper.begin(thread, behind);
  }

  beginAt(thread: ThreadId, upTo: number): Promise<LogStart | 'trimmed'> {
    return this.keeper.beginAt(thread, upTo);
  }

  forget(request: ForgetRequest): Promise<boolean> {
    return this.scripts.forget(request);
  }

  keep(thread: ThreadId): Promise<boolean> {
    return this.keeper.keep(thread);
  }

  async read(thread: ThreadId, after: number, limit: number): Promise<LogPage> {
    const life = await this.life.current();
    const page = await readRange((from, events) => this.scripts.page(thread, from, events), { after, limit });
    if (page.epoch !== '') this.heads.note(thread, page, life);
    return page;
  }

  async follow(thread: ThreadId, after: number, listener: FollowListener): Promise<Follow> {
    const channel = channelOf(thread);
    const ear = (message: Buffer): void => follower.hear(message);
    const follower = new Follower({
      thread,
      after,
      listener,
      log: this.log,
      read: (from) => this.gate(() => this.scripts.page(thread, from, PAGE_EVENTS)),
      note: (reached) => this.noteReached(thread, reached),
      fence: () => this.fence(thread),
      ended: () => {
        this.followers.delete(follower);
        this.lines.leave(channel, ear);
      },
    });
    this.followers.add(follower);
    try {
      await this.lines.join(channel, ear);
      await follower.attach();
      return follower;
    } catch (error) {
      follower.stop();
      throw error;
    }
  }

  healthy(): boolean {
    return this.watch.alive && this.parts.redis.status === 'ready';
  }

  close(): void {
    this.watch.close();
    this.life.close();
    for (const follower of this.followers) follower.stop();
    this.lines.close();
  }

  /** Stores nothing: what was seen is enough for a log that lacks it to get a new epoch. */
  private async fence(thread: ThreadId): Promise<string> {
    const outcome = await this.append({ thread, events: [] });
    return outcome.status === 'stored' ? outcome.epoch : '';
  }

  /** Between two connections it is not known in which life of the store it was seen; the next look tells. */
  private noteReached(thread: ThreadId, reached: LogPosition): void {
    const { known } = this.life;
    if (known !== undefined) this.heads.note(thread, reached, known);
  }

  private sightOf({ thread, seen }: AppendRequest, life: string): Sight {
    const known = this.heads.of(thread);
    const furthest = seen === undefined ? known : further(known, { epoch: seen.epoch, head: seen.seq });
    return { seen: furthest, life, before: this.heads.before(thread, life) };
  }
}

export const redisEventLog = (parts: RedisEventLogParts): RedisEventLog => new LogOnRedis(parts);
