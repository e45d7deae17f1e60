/** What fan-out needs of its neighbours: a log to follow, a projection, a fold, a clock and timers. */
import type { AguiEvent, LogEntry, Seen, Surface, ThreadId, ToldEntry } from '@triptych/protocol';

/** A thread up to `seq` in few entries; seq 0 is before the first event. */
export interface LogStart {
  readonly epoch: string;
  readonly seq: number;
  readonly entries: readonly ToldEntry[];
}

export interface LogToFollow {
  /** Where to begin; `behind`: so many entries up to the head should be left to be read. */
  begin(thread: ThreadId, behind?: number): Promise<LogStart>;
  /** The same for whoever needs all after `upTo`; 'trimmed' when that is not kept any more. */
  beginAt(thread: ThreadId, upTo: number): Promise<LogStart | 'trimmed'>;
  /** Entries with seq > after, oldest first, at most `limit`. */
  read(
    thread: ThreadId,
    after: number,
    limit: number,
  ): Promise<{
    readonly epoch: string;
    readonly head: number;
    readonly firstSeq: number;
    readonly entries: readonly LogEntry[];
  }>;
  /** Everything after `after`, first what is stored, then live; each entry once, in order. */
  follow(
    thread: ThreadId,
    after: number,
    listener: LogListener,
  ): Promise<{ readonly epoch: string; stop(): void }>;
}

export interface LogListener {
  entries(batch: readonly LogEntry[]): void;
  /** The log lost history: everything known of it is void. */
  rotated(epoch: string): void;
  health?(alive: boolean): void;
}

/** What a surface is shown of one thread's log. An event shown unchanged is returned as the very same object. */
export interface Projection<View = unknown> {
  begin(surface: Surface): View;
  step(
    view: View,
    entry: ToldEntry,
  ): { readonly view: View; readonly shown: readonly AguiEvent[]; readonly seen: Seen };
}

/** Rules may look at a thread's agent or tenant, so each thread has its own projection. */
export type ProjectionFor = (thread: ThreadId) => Projection | Promise<Projection>;

/** What a surface's own stream adds up to. */
export interface Fold<Model = unknown> {
  empty(): Model;
  step(model: Model, event: AguiEvent): Model;
  prelude(model: Model): readonly AguiEvent[];
}

export interface Clock {
  now(): number;
}

/** Whatever is started returns its stop. */
export interface Timers {
  after(ms: number, run: () => void): () => void;
  every(ms: number, run: () => void): () => void;
}

/** Where failures of background work are told; never throws. */
export type Report = (what: string, error: unknown) => void;
