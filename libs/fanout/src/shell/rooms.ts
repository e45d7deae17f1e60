/** Brings every reader of every thread into step with the log, and keeps it there. */
import type { AguiEvent, Position, Surface, ThreadId } from '@triptych/protocol';
import pLimit from 'p-limit';
import { START } from '../core/place.js';
import type { Clock, Fold, LogToFollow, ProjectionFor, Report, Timers } from '../core/ports.js';
import type { PositionCodec } from '../core/position.js';
import type { Reader } from '../core/reader.js';
import { RING_BYTES } from '../core/ring.js';
import { trackHead, type Track } from '../core/track.js';
import { Build } from './build.js';
import { trackAtFromLog } from './cold-read.js';
import { takeSeat, type Joined, type JoinRequest } from './joined.js';
import type { Lane } from './lane.js';
import { Room } from './room.js';
import type { Stage } from './stage.js';
import { dropIdle, leaveAway, shedSlowest } from './tend.js';
import { Watch } from './watch.js';

export interface RoomsSettings {
  readonly log: LogToFollow;
  readonly projectionFor: ProjectionFor;
  readonly fold: Fold;
  readonly positions: PositionCodec;
  readonly policyVersion: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly report: Report;
  /** What the rings of all threads together may hold. */
  readonly feedBytes?: number;
}

export interface SurfaceSnapshot {
  /** The last entry of the log that is in it, shown or not. */
  readonly seq: number;
  readonly pos: Position;
  readonly model: unknown;
  readonly events: readonly AguiEvent[];
}

export interface Head {
  readonly threadId: ThreadId;
  readonly surface: Surface;
  readonly pos: Position;
  readonly readers: number;
}

export interface ReaderLag {
  readonly reader: Reader;
  readonly surface: Surface;
  readonly behind: number;
  readonly unsent: number;
  readonly paused: boolean;
}

/** How often idle rooms, the budget and the store are looked at. */
const TEND_MS = 1_000;
const FEED_BYTES = 256 * 1024 * 1024;
/** Logs folded for a glance at once; a list of many must not keep live readers waiting for the store or the event loop. */
const GLANCES_AT_ONCE = 4;

export class Rooms {
  private readonly rooms = new Map<ThreadId, Room>();
  private readonly watch: Watch;
  private readonly stage: Stage & { projectionFor: ProjectionFor; policyVersion: string };
  private readonly stopTending: () => void;
  private readonly glances = pLimit(GLANCES_AT_ONCE);
  private laneCount = 1;
  private closed = false;

  constructor(settings: RoomsSettings) {
    const { timers, report } = settings;
    this.watch = new Watch(timers, report);
    this.stage = {
      ...settings,
      ringBytes: () => Math.min(RING_BYTES, Math.floor((settings.feedBytes ?? FEED_BYTES) / this.laneCount)),
      watch: (look) => this.watch.add(look),
    };
    this.stopTending = timers.every(TEND_MS, () => this.tend());
  }

  /** A seat for the reader. Nothing is delivered until `start()`. */
  async join(request: JoinRequest): Promise<Joined> {
    return this.at(request.thread, request.surface, {
      watching: true,
      take: (lane) => takeSeat(lane, this.stage, request),
    });
  }

  /** What a reader would be given if it joined now. */
  async snapshotOf(thread: ThreadId, surface: Surface): Promise<SurfaceSnapshot> {
    return this.at(thread, surface, {
      watching: false,
      take: (lane) => this.snapshot(lane.headPosition(), lane.track),
    });
  }

  /** The same for whoever does not stay: a thread nobody reads here is told from its log, and no room is opened. */
  async glance(thread: ThreadId, surface: Surface): Promise<SurfaceSnapshot> {
    const lane = this.rooms.get(thread)?.liveLane(surface);
    if (lane !== undefined) return this.snapshot(lane.headPosition(), lane.track);
    return this.glances(() => this.fromLog(thread, surface));
  }

  /** The surface as it was after an entry of the log; 'trimmed' when that cannot be told any more. */
  async snapshotAt(thread: ThreadId, surface: Surface, seq: number): Promise<SurfaceSnapshot | 'trimmed'> {
    const { log, fold, positions, policyVersion } = this.stage;
    const projection = await this.stage.projectionFor(thread);
    const found = await trackAtFromLog({ log, fold, projection, thread, surface }, seq);
    if (found === 'trimmed') return found;
    const { epoch, track } = found;
    const place = track === undefined ? START : trackHead(track);
    const pos = positions.seal(surface, { thread, epoch, policyVersion, place });
    return this.snapshot(pos, track ?? { seq: 0, model: fold.empty() });
  }

  /** From now on this is shown; readers are brought up to date under the new policy. */
  usePolicy(policy: { readonly projectionFor: ProjectionFor; readonly policyVersion: string }): void {
    this.stage.projectionFor = policy.projectionFor;
    this.stage.policyVersion = policy.policyVersion;
    for (const room of this.rooms.values()) room.restart('policy');
  }

  heads(): readonly Head[] {
    return [...this.rooms.values()].flatMap((room) =>
      room.lanes().map((lane) => ({
        threadId: room.thread,
        surface: lane.track.surface,
        pos: lane.headPosition(),
        readers: lane.readers,
      })),
    );
  }

  /** Who reads a thread here, and how far behind. */
  readersOf(thread: ThreadId): readonly ReaderLag[] {
    return (this.rooms.get(thread)?.lanes() ?? []).flatMap((lane) =>
      [...lane.seats].map((seat) => ({
        reader: seat.reader,
        surface: lane.track.surface,
        behind: lane.behind(seat),
        unsent: seat.unsent(),
        paused: seat.paused,
      })),
    );
  }

  close(): void {
    this.closed = true;
    this.stopTending();
    this.watch.stop();
    for (const room of this.rooms.values()) room.close();
    this.rooms.clear();
  }

  private async at<T>(
    thread: ThreadId,
    surface: Surface,
    use: { readonly watching: boolean; readonly take: (lane: Lane) => T },
  ): Promise<T> {
    if (this.closed) throw new Error('The rooms are closed.');
    const room = this.rooms.get(thread) ?? new Room(this.stage, thread);
    this.rooms.set(thread, room);
    room.users += 1;
    try {
      return use.take(await room.lane(surface, use.watching));
    } finally {
      room.users -= 1;
    }
  }

  private async fromLog(thread: ThreadId, surface: Surface): Promise<SurfaceSnapshot> {
    const { log, fold, positions, policyVersion } = this.stage;
    const lens = { fold, projection: await this.stage.projectionFor(thread) };
    const build = new Build({ lens, surfaces: [surface], behind: 0 });
    for (let atHead = false; !atHead;) atHead = await build.readOn(log, thread);
    const track = build.tracks[surface] as Track;
    const standing = { thread, epoch: build.epoch, policyVersion, place: trackHead(track) };
    return this.snapshot(positions.seal(surface, standing), track);
  }

  private snapshot(pos: Position, { seq, model }: Pick<Track, 'seq' | 'model'>): SurfaceSnapshot {
    return { seq, pos, model, events: this.stage.fold.prelude(model) };
  }

  private tend(): void {
    const now = this.stage.clock.now();
    dropIdle(this.rooms, now);
    leaveAway(this.rooms.values(), now);
    shedSlowest(this.rooms.values());
    this.laneCount = Math.max(
      1,
      [...this.rooms.values()].reduce((sum, room) => sum + room.lanes().length, 0),
    );
  }
}

/** Fan-out for one instance. */
export const roomsOn = (settings: RoomsSettings): Rooms => new Rooms(settings);
