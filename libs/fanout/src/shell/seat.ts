/** One reader's place on one surface of one thread. */
import type { Position, SnapshotReason } from '@triptych/protocol';
import { FIRST_ACK, onAcked, onDelivered, unacked, type Acks } from '../core/acks.js';
import type { Delivery } from '../core/delivery.js';
import type { Place } from '../core/place.js';
import type { Reader } from '../core/reader.js';
import { isStalled, progressStep, type Progress } from '../core/send-window.js';

export class Seat {
  /** Where it stands; a whole crowd may stand on the same. */
  spot: { place: Place };
  started = false;
  paused = false;
  rereading = false;
  left = false;
  private holds = 0;
  private acks: Acks | undefined;
  private progress: Progress = { taken: 0, at: 0 };

  constructor(
    readonly reader: Reader,
    cursor: Place,
    /** A snapshot that must come before anything else. */
    public owes: SnapshotReason | undefined,
  ) {
    this.spot = { place: cursor };
  }

  /** The last place delivered. */
  get cursor(): Place {
    return this.spot.place;
  }

  get ready(): boolean {
    return this.started && !this.paused && !this.rereading && !this.left && this.holds === 0;
  }

  /** Keeps everything back until the returned release. */
  hold(): () => void {
    this.holds += 1;
    let held = true;
    return () => {
      if (held) this.holds -= 1;
      held = false;
    };
  }

  /** Who acknowledges is judged by it, because a kernel may take megabytes that never arrive. */
  unsent(): number {
    const waiting = this.reader.unsent();
    return this.acks === undefined ? waiting : Math.max(waiting, unacked(this.acks));
  }

  deliver(delivery: Delivery, reached: Place): void {
    this.spot.place = reached;
    this.owes = undefined;
    if (this.acks !== undefined) this.acks = onDelivered(this.acks, delivery.pos, delivery.size);
    this.reader.deliver(delivery);
  }

  /** Nothing is on its way to it, nothing keeps it back, and nothing of it must be counted. */
  get clear(): boolean {
    return this.ready && this.owes === undefined && this.acks === undefined && this.reader.unsent() === 0;
  }

  ack(pos: Position): void {
    this.acks = onAcked(this.acks ?? FIRST_ACK, pos);
  }

  pause(now: number): void {
    this.paused = true;
    this.progress = { taken: this.taken(), at: now };
  }

  /** True when nothing moved for too long. */
  stalled(now: number): boolean {
    this.progress = progressStep(this.progress, { taken: this.taken(), unsent: this.unsent(), at: now });
    return isStalled(this.progress, now);
  }

  private taken(): number {
    return this.reader.taken() + (this.acks?.acked ?? 0);
  }
}
