/** Keeps one thread in step with its log: one follow for all its surfaces and readers. */
import {
  SURFACES,
  type LogEntry,
  type SnapshotReason,
  type Surface,
  type ThreadId,
} from '@triptych/protocol';
import { continuing } from '../core/join-buffer.js';
import type { LogListener } from '../core/ports.js';
import { tracksStep, type Lens, type Track, type Tracks } from '../core/track.js';
import { Build } from './build.js';
import { Lane } from './lane.js';
import type { Stage } from './stage.js';

/** A store that failed is asked again at this pace; its client already backs off by itself. */
const RETRY_MS = 1_000;
/** Entries that a room which opens takes into its rings, for readers who were away for a while. */
const REPLAYABLE = 512;

export class Room {
  /** Joins under way; a room in use is not dropped. */
  users = 0;
  emptySince: number | undefined;
  private epoch = '';
  private seq = 0;
  private lens: Lens | undefined;
  private readonly lanesBySurface = new Map<Surface, Lane>();
  private build: Build | undefined;
  private stopFollow: (() => void) | undefined;
  /** Counts the starts; what belongs to an earlier one is ignored. */
  private generation = 0;
  /** Why the readers must be given a snapshot once the tracks are built anew. */
  private voidedBy: SnapshotReason | undefined;
  private away: number | undefined;
  /** One build at a time: each begins where the one before it ended. */
  private queue: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(
    private readonly stage: Stage,
    readonly thread: ThreadId,
  ) {}

  /** The lane of a surface, built from the log the first time; `watching` when a reader will sit there. */
  async lane(surface: Surface, watching: boolean): Promise<Lane> {
    const seesAll = watching && surface === 'operator';
    for (;;) {
      if (this.closed) throw new Error('This room is closed.');
      const wanted = seesAll ? SURFACES : [surface];
      const lane = this.lanesBySurface.get(surface);
      if (lane !== undefined && this.stopFollow !== undefined && this.has(wanted)) return lane;
      await this.enqueue(() => this.open(wanted));
    }
  }

  /** The lane of a surface if it is in step with the log now; builds nothing. */
  liveLane(surface: Surface): Lane | undefined {
    return this.stopFollow === undefined ? undefined : this.lanesBySurface.get(surface);
  }

  /** Everything known is void: builds all anew and tells the readers why. */
  restart(reason: SnapshotReason): void {
    if (this.closed) return;
    const generation = (this.generation += 1);
    // A lost log voids what a new policy would have left standing.
    this.voidedBy = this.voidedBy === 'reset' ? 'reset' : reason;
    this.stopFollow?.();
    this.stopFollow = undefined;
    for (const lane of this.lanes()) lane.freeze();
    this.enqueue(() => this.open([])).catch((error: unknown) => {
      this.stage.report('restart', error);
      this.away ??= this.stage.clock.now();
      const retry = (): void => (generation === this.generation ? this.restart(reason) : undefined);
      this.stage.timers.after(RETRY_MS, () => (this.stopFollow === undefined ? retry() : undefined));
    });
  }

  lanes(): readonly Lane[] {
    return [...this.lanesBySurface.values()];
  }

  get empty(): boolean {
    return this.users === 0 && this.lanes().every((lane) => lane.readers === 0);
  }

  /** Since when the store has not answered. */
  get awaySince(): number | undefined {
    return this.away;
  }

  close(): void {
    this.closed = true;
    this.generation += 1;
    this.stopFollow?.();
    for (const lane of this.lanes()) lane.stop();
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.queue.then(work);
    // The failure belongs to whoever waits for this piece; the next one starts regardless.
    this.queue = done.catch(() => undefined);
    return done;
  }

  /** All surfaces at once means: an operator that knows what the others got. */
  private has(wanted: readonly Surface[]): boolean {
    const sees =
      wanted.length < SURFACES.length || this.lanesBySurface.get('operator')?.track.seesOthers === true;
    return sees && wanted.every((surface) => this.lanesBySurface.has(surface));
  }

  private async open(wanted: readonly Surface[]): Promise<void> {
    const live = this.stopFollow !== undefined;
    // Others asked for the same while this waited for its turn.
    if (this.closed || (live && this.has(wanted))) return;
    const surfaces = live ? wanted : [...new Set([...wanted, ...this.lanesBySurface.keys()])];
    const generation = this.generation;
    const projection = await this.stage.projectionFor(this.thread);
    const lens = { fold: this.stage.fold, projection };
    const build = new Build({ lens, surfaces, behind: REPLAYABLE });
    this.build = build;
    try {
      for (let standing = 'behind'; standing !== 'level';) {
        const atHead = await build.readOn(this.stage.log, this.thread, (entries) =>
          this.readAhead(build, entries),
        );
        standing = this.standingOf(build, { generation, atHead });
        if (standing === 'void') return;
      }
      // Nothing was awaited since the build was found level: an entry that came now would be missing from it.
      this.install(build);
    } finally {
      this.build = undefined;
    }
    if (!live) await this.follow(generation);
  }

  private standingOf(
    build: Build,
    { generation, atHead }: { readonly generation: number; readonly atHead: boolean },
  ): 'void' | 'behind' | 'level' {
    if (generation !== this.generation) return 'void';
    if (this.stopFollow === undefined) return atHead ? 'level' : 'behind';
    if (build.epoch !== this.epoch) {
      this.restart('reset');
      return 'void';
    }
    build.catchUp();
    return atHead && build.seq >= this.seq ? 'level' : 'behind';
  }

  /** A page may be ahead of the follow; then the whole room goes ahead with it, and all lanes stay level. */
  private readAhead(build: Build, entries: readonly LogEntry[]): void {
    if (this.stopFollow === undefined) return;
    // The page may be the first to tell of a log that was empty so far.
    if (this.epoch === '') this.rotated(build.epoch);
    if (build.epoch === this.epoch) this.stepAll(continuing(this.seq, entries));
  }

  private install(build: Build): void {
    // While nothing was followed the log may have become another, or have gone back.
    if (this.seq > 0 && (build.epoch !== this.epoch || build.seq < this.seq)) this.voidedBy = 'reset';
    this.epoch = build.epoch;
    this.seq = build.seq;
    this.lens = build.lens;
    for (const track of Object.values(build.tracks) as readonly Track[]) {
      const lane = this.lanesBySurface.get(track.surface);
      if (lane === undefined) {
        this.lanesBySurface.set(
          track.surface,
          new Lane(this.stage, this.thread, { epoch: this.epoch, track }),
        );
        continue;
      }
      // An operator's position holds under any policy, and everything is shown to it.
      const spared = this.voidedBy === 'policy' && track.surface === 'operator';
      lane.install(this.epoch, track, spared ? undefined : this.voidedBy);
    }
    this.voidedBy = undefined;
  }

  private async follow(generation: number): Promise<void> {
    const current = (): boolean => generation === this.generation;
    const listener: LogListener = {
      entries: (batch) => (current() ? this.take(batch) : undefined),
      rotated: (epoch) => (current() ? this.isOver(epoch) : undefined),
      health: (alive) => (current() ? this.healthIs(alive) : undefined),
    };
    const followed = await this.stage.log.follow(this.thread, this.seq, listener);
    if (!current()) return followed.stop();
    this.stopFollow = () => followed.stop();
    this.away = undefined;
    if (followed.epoch !== this.epoch) this.rotated(followed.epoch);
  }

  private healthIs(alive: boolean): void {
    this.away = alive ? undefined : (this.away ?? this.stage.clock.now());
  }

  /** The follow has ended, and only a new start brings another. In the same log: it fell behind what is kept, or the log went back. */
  private isOver(epoch: string): void {
    this.restart(epoch === this.epoch ? 'trimmed' : 'reset');
  }

  /** A log that was empty so far gets its first epoch: nothing was lost. */
  private rotated(epoch: string): void {
    if (epoch === this.epoch) return;
    if (this.seq > 0) return this.restart('reset');
    this.epoch = epoch;
    for (const lane of this.lanes()) lane.install(epoch, lane.track);
  }

  private take(batch: readonly LogEntry[]): void {
    try {
      // Entries of a log whose epoch was never told: positions of them could not be sealed.
      if (this.epoch === '' && batch.length > 0) return this.restart('reset');
      this.build?.arrive(batch);
      this.stepAll(continuing(this.seq, batch));
      if ((batch.at(-1)?.seq ?? 0) > this.seq) throw new Error(`A hole in the log after ${this.seq}.`);
    } catch (error) {
      this.stage.report('take entries', error);
      this.restart('reset');
    }
  }

  private stepAll(entries: readonly LogEntry[]): void {
    const { lens } = this;
    if (lens === undefined) return;
    for (const entry of entries) {
      const tracks = Object.fromEntries(
        this.lanes().map((lane) => [lane.track.surface, lane.track]),
      ) as Tracks;
      const next = tracksStep(tracks, entry, lens);
      this.seq = entry.seq;
      for (const [surface, lane] of this.lanesBySurface) {
        const track = next[surface];
        if (track !== undefined) lane.advanceTo(track);
      }
    }
    for (const lane of this.lanes()) lane.settle();
  }
}
