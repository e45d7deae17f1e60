/** Prints what readers are handed, once for all who stand at the same place. */
import type { Position, SnapshotReason, ThreadId } from '@triptych/protocol';
import {
  aguiDelivery,
  snapshotDelivery,
  type AguiDelivery,
  type Delivery,
  type SnapshotDelivery,
} from '../core/delivery.js';
import { mergeDeltas, mergesDeltas } from '../core/merge.js';
import { samePlace, type Place } from '../core/place.js';
import { findPlace, shownAfter } from '../core/ring.js';
import type { Shown } from '../core/shown.js';
import { planFromPlace, trackHead, type Track } from '../core/track.js';
import type { Stage } from './stage.js';

/** What comes next for a reader; `reread`: the ring no longer holds it. */
export type Next = Delivery | 'nothing' | 'reread';

/** Sealed positions kept; a burst of an event stream asks for one an event. */
const POSITIONS_KEPT = 1024;

const keyOf = (place: Place): string => `${place.seq}.${place.index}`;

export class Press {
  private readonly printed = new Map<string, Next>();
  private readonly positions = new Map<string, Position>();
  private latest: { readonly cursor: Place; readonly next: Next } | undefined;
  private prelude: readonly string[] | undefined;
  /** The version the track was built under; the stage may already be on the next. */
  private readonly policyVersion: string;

  private readonly epoch: string;
  private track: Track;

  constructor(
    private readonly stage: Stage,
    private readonly thread: ThreadId,
    current: { readonly epoch: string; readonly track: Track },
  ) {
    this.policyVersion = stage.policyVersion;
    this.epoch = current.epoch;
    this.track = current.track;
  }

  /** The track moved on; what was printed leads to a head that is no longer. */
  turnTo(track: Track): void {
    this.track = track;
    this.printed.clear();
    this.latest = undefined;
    this.prelude = undefined;
  }

  /** Some events fell out of the ring behind the readers; what was printed still stands. */
  trimmedTo(track: Track): void {
    this.track = track;
  }

  positionOf(place: Place): Position {
    const key = keyOf(place);
    const known = this.positions.get(key);
    if (known !== undefined) return known;
    const standing = { thread: this.thread, epoch: this.epoch, policyVersion: this.policyVersion, place };
    const position = this.stage.positions.seal(this.track.surface, standing);
    if (this.positions.size >= POSITIONS_KEPT) this.positions.clear();
    this.positions.set(key, position);
    return position;
  }

  /** What leads a reader from `cursor` to the head. */
  next(cursor: Place): Next {
    // Most readers stand where the one before them stood, on the very same object.
    if (this.latest?.cursor !== cursor) this.latest = { cursor, next: this.nextFrom(cursor) };
    return this.latest.next;
  }

  /** The same for a stream that cannot start over. */
  nextWhole(cursor: Place): Next {
    return this.print(`whole ${keyOf(cursor)}`, () => {
      const found = findPlace(this.track.ring, cursor);
      if (found === undefined) return 'reread';
      if (samePlace(found, trackHead(this.track))) return 'nothing';
      return this.range(cursor, shownAfter(this.track.ring, found));
    });
  }

  snapshot(reason: SnapshotReason): SnapshotDelivery {
    const printed = this.print(`snapshot ${reason}`, () =>
      snapshotDelivery({
        threadId: this.thread,
        pos: this.positionOf(trackHead(this.track)),
        reason,
        events: this.preludeTexts(),
      }),
    );
    return printed as SnapshotDelivery;
  }

  /** A frame over events that follow `cursor` without a hole. */
  range(cursor: Place, shown: readonly Shown[]): AguiDelivery {
    const { surface } = this.track;
    return aguiDelivery({
      surface,
      threadId: this.thread,
      prev: this.positionOf(cursor),
      pos: this.positionOf(shown.at(-1) ?? cursor),
      shown: mergesDeltas(surface) ? mergeDeltas(shown) : shown,
      positionAfter: (one) => this.positionOf(one),
    });
  }

  private nextFrom(cursor: Place): Next {
    return this.print(keyOf(cursor), () => {
      const plan = planFromPlace(this.track, cursor);
      if (plan.kind === 'current') return 'nothing';
      if (plan.kind === 'replay') return this.range(cursor, shownAfter(this.track.ring, plan.after));
      return this.snapshot(plan.reason === 'trimmed' ? 'slow' : plan.reason);
    });
  }

  private print(key: string, make: () => Next): Next {
    const known = this.printed.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.printed.set(key, made);
    return made;
  }

  private preludeTexts(): readonly string[] {
    this.prelude ??= this.stage.fold.prelude(this.track.model).map((one) => JSON.stringify(one));
    return this.prelude;
  }
}
