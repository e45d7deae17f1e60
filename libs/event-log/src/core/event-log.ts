/** The port of the log: append atomically, read, follow. */
import type { LogEntry, Source, ThreadId } from '@triptych/protocol';
import type { LogStart } from './snapshot.js';

/** An event to be stored, as JSON text; `raw` is the producer's own text where it differs. */
export interface NewEvent {
  readonly json: string;
  readonly source: Source;
  readonly raw?: string;
}

/**
 * A write that becomes true exactly when the events are stored: one Redis command whose keys carry the thread's hash tag.
 * `PUBLISH` may name any channel.
 */
export type Rider = readonly [
  command: 'HSET' | 'HDEL' | 'DEL' | 'ZADD' | 'ZREM' | 'XADD' | 'PUBLISH',
  ...args: string[],
];

/** What must still hold for the append to happen: the field of the hash has this value ('' = absent). */
export interface Guard {
  readonly key: string;
  readonly field: string;
  readonly equals: string;
}

/**
 * A producer's place: events are counted from 0 in each epoch. Of a batch that overlaps what is stored only the rest is
 * stored; a batch that is stored already is `repeated`, its riders included.
 */
export interface Producer {
  readonly id: string;
  readonly epoch: number;
  readonly seq: number;
}

export interface AppendRequest {
  readonly thread: ThreadId;
  /** May be empty: then only guards and riders are applied and nothing is published to readers. */
  readonly events: readonly NewEvent[];
  readonly guards?: readonly Guard[];
  readonly riders?: readonly Rider[];
  readonly producer?: Producer;
  /** A run ends with it: a good moment for a snapshot. */
  readonly atRest?: boolean;
  /**
   * The furthest (epoch, seq) the caller has seen; a log behind it has lost history and gets a new epoch. What this
   * instance has itself stored and delivered lately is added to it.
   */
  readonly seen?: { readonly epoch: string; readonly seq: number };
}

/** A thread that goes whole: what others keep in its slot goes with its log, if all guards hold. */
export interface ForgetRequest {
  readonly thread: ThreadId;
  readonly guards: readonly Guard[];
  readonly keys: readonly string[];
}

export type AppendOutcome =
  | {
      readonly status: 'stored';
      readonly epoch: string;
      readonly first: number;
      readonly last: number;
      readonly at: number;
    }
  | { readonly status: 'repeated'; readonly epoch: string; readonly last: number }
  | { readonly status: 'fenced'; readonly epoch: number }
  | { readonly status: 'gap'; readonly expected: number }
  /** A guard no longer holds; nothing was stored. */
  | { readonly status: 'guarded'; readonly failed: number };

export interface LogPage {
  /** '' when there is no log yet. */
  readonly epoch: string;
  /** Last seq stored; 0 for an empty log. */
  readonly head: number;
  readonly firstSeq: number;
  readonly entries: readonly LogEntry[];
}

export interface FollowListener {
  /** Contiguous entries, each exactly once, starting right after the seq the follow began at. */
  entries(batch: readonly LogEntry[]): void;
  /** The log lost history: everything known of it is void. The follow has ended; start a new one. */
  rotated(epoch: string): void;
  /** The subscription is or is not proven alive; entries are never lost by it, only late. */
  health?(alive: boolean): void;
}

export interface Follow {
  /** Of the log as delivered so far; '' while there is none. */
  readonly epoch: string;
  stop(): void;
}

export interface EventLog {
  append(request: AppendRequest): Promise<AppendOutcome>;
  /**
   * Entries with seq > after, oldest first, at most `limit`; fewer only at the head. Seqs that were lost before a change
   * of epoch have no entry: there alone the seqs jump. A thread that was never written has epoch '' and head 0.
   */
  read(thread: ThreadId, after: number, limit: number): Promise<LogPage>;
  /**
   * Where to begin reading: at the newest snapshot, or before the first event. `behind`: so many events up to the head
   * should be left to be read, where the log has them.
   */
  begin(thread: ThreadId, behind?: number): Promise<LogStart>;
  /** The same for whoever needs all after `upTo`. 'trimmed': that lies before all that is kept. */
  beginAt(thread: ThreadId, upTo: number): Promise<LogStart | 'trimmed'>;
  /**
   * Makes a snapshot now, which happens by itself as the log grows; false when there is nothing new, or another makes
   * one. With it goes what the log need not keep.
   */
  keep(thread: ThreadId): Promise<boolean>;
  /** False: a guard no longer holds, and nothing was done. Who follows the thread is told that its log is gone. */
  forget(request: ForgetRequest): Promise<boolean>;
  /** Delivers everything after `after`, first what is stored, then live; resolves once it is live. */
  follow(thread: ThreadId, after: number, listener: FollowListener): Promise<Follow>;
}
