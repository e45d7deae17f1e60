/** Takes one surface of one thread from its track to its readers. */
import type { Position, SnapshotReason, ThreadId } from '@triptych/protocol';
import type { Delivery } from '../core/delivery.js';
import { FLUSH_BYTES, NO_WINDOW, onFlushed, onShown } from '../core/flush-window.js';
import { comparePlaces, samePlace, START, type Place } from '../core/place.js';
import { RING_BYTES } from '../core/ring.js';
import { mayResume, maySend } from '../core/send-window.js';
import { trackHead, trackTrimmed, type Track } from '../core/track.js';
import { shownAfterFromLog } from './cold-read.js';
import { Crowd } from './crowd.js';
import { Press, type Next } from './press.js';
import type { Seat } from './seat.js';
import type { Stage } from './stage.js';

export class Lane {
  private readonly crowd: Crowd;
  /** Whoever stands elsewhere, is behind or held. */
  private readonly alone = new Set<Seat>();
  private press: Press;
  private head: Place;
  /** Up to here everything was offered to everyone; what follows must stay in the ring. */
  private flushed: Place;
  private waitingBytes = 0;
  private window = NO_WINDOW;
  private stopTimer: (() => void) | undefined;
  private frozen = false;

  constructor(
    private readonly stage: Stage,
    private readonly thread: ThreadId,
    private current: { readonly epoch: string; readonly track: Track },
  ) {
    this.press = new Press(stage, thread, current);
    this.head = this.flushed = trackHead(current.track);
    this.crowd = new Crowd(this.head);
  }

  get seats(): readonly Seat[] {
    return [...this.crowd.seats, ...this.alone];
  }

  get readers(): number {
    return this.crowd.size + this.alone.size;
  }

  take(seat: Seat): void {
    this.alone.add(seat);
  }

  /** What it gets is decided for it alone, until it stands with the others again. */
  stepOut(seat: Seat): void {
    if (this.crowd.remove(seat)) this.alone.add(seat);
  }

  get track(): Track {
    return this.current.track;
  }

  get epoch(): string {
    return this.current.epoch;
  }

  /** Takes the track one entry further. A hidden entry moves nothing and starts no window. */
  advanceTo(track: Track): void {
    const grown = track.ring.bytes - this.track.ring.bytes;
    this.current = { ...this.current, track };
    if (samePlace(trackHead(track), this.head)) return this.press.trimmedTo(track);
    this.head = trackHead(track);
    this.press.turnTo(track);
    this.waitingBytes += grown;
    if (this.waitingBytes >= FLUSH_BYTES) this.flush();
  }

  /** After a batch of entries: now, or together with those of the next moments. */
  settle(): void {
    if (samePlace(this.head, this.flushed)) return;
    const decision = onShown(this.window, { bytes: this.waitingBytes, now: this.stage.clock.now() });
    if (decision.do === 'flush') this.flush();
    else this.stopTimer ??= this.stage.timers.after(decision.ms, () => this.flush());
  }

  /** While frozen nothing leaves: the policy changed or the log was lost, and the track is void. */
  freeze(): void {
    this.frozen = true;
    this.cancelTimer();
  }

  /** Replaces the track; `reason` is what readers are told, unless they saw nothing yet. */
  install(epoch: string, track: Track, reason?: SnapshotReason): void {
    this.current = { epoch, track };
    this.press = new Press(this.stage, this.thread, this.current);
    this.head = this.flushed = trackHead(track);
    this.waitingBytes = 0;
    this.frozen = false;
    for (const seat of this.crowd.disperse(this.head)) this.alone.add(seat);
    for (const seat of [...this.alone]) {
      const untouched = samePlace(seat.cursor, START) && reason === 'reset';
      if (reason !== undefined && !untouched) seat.owes ??= reason;
      this.advance(seat);
    }
  }

  positionOf(place: Place): Position {
    return this.press.positionOf(place);
  }

  headPosition(): Position {
    return this.press.positionOf(this.head);
  }

  /** Where the seat stands, if nothing is on its way to it. */
  standing(seat: Seat): Position | undefined {
    if (this.frozen || !seat.ready || seat.owes !== undefined) return undefined;
    return this.nextFor(seat) === 'nothing' ? this.press.positionOf(seat.cursor) : undefined;
  }

  /** Events between the seat and the head; the ring's whole length when it has fallen out. */
  behind(seat: Seat): number {
    if (seat.owes !== undefined) return this.track.ring.to - this.track.ring.from;
    const next = this.press.nextWhole(seat.cursor);
    if (next === 'nothing') return 0;
    return next === 'reread' || next.kind === 'snapshot'
      ? this.track.ring.to - this.track.ring.from
      : next.shown.length;
  }

  /** Gives the seat what leads it to the head, if it can take it. */
  advance(seat: Seat): void {
    if (this.frozen || !seat.ready) return;
    const next = this.nextFor(seat);
    if (next === 'nothing') return;
    this.stepOut(seat);
    if (!maySend(seat.unsent(), next === 'reread' ? RING_BYTES : next.size)) return this.pause(seat);
    if (next === 'reread') return this.reread(seat);
    this.hand(seat, next, this.head);
  }

  leave(seat: Seat): void {
    seat.left = true;
    if (!this.crowd.remove(seat)) this.alone.delete(seat);
  }

  stop(): void {
    this.cancelTimer();
  }

  private flush(): void {
    this.cancelTimer();
    this.window = onFlushed(this.stage.clock.now());
    this.pour();
    for (const seat of [...this.alone]) {
      this.advance(seat);
      this.stepIn(seat);
    }
    this.flushed = this.head;
    this.waitingBytes = 0;
    const track = trackTrimmed(this.track, this.flushed, this.stage.ringBytes());
    this.current = { ...this.current, track };
    this.press.trimmedTo(track);
  }

  private pour(): void {
    if (this.frozen) return;
    // Printed for nobody, a delivery would still be merged and sealed.
    if (this.crowd.size === 0) return void this.crowd.disperse(this.head);
    const next = this.press.next(this.crowd.place);
    if (next === 'nothing' || next === 'reread') return;
    for (const seat of this.crowd.pour(next, this.head)) this.alone.add(seat);
  }

  private stepIn(seat: Seat): void {
    if (seat.reader.pour === undefined || seat.reader.whole === true) return;
    if (!seat.clear || !samePlace(seat.cursor, this.crowd.place)) return;
    this.alone.delete(seat);
    this.crowd.add(seat);
  }

  private nextFor(seat: Seat): Next {
    if (seat.owes !== undefined) return this.press.snapshot(seat.owes);
    return seat.reader.whole === true ? this.press.nextWhole(seat.cursor) : this.press.next(seat.cursor);
  }

  private hand(seat: Seat, delivery: Delivery, reached: Place): void {
    try {
      seat.deliver(delivery, reached);
    } catch (error) {
      // One broken reader must not keep the others waiting, nor stay and believe that it is whole.
      this.stage.report('deliver', error);
      this.leave(seat);
      seat.reader.close('RESTART');
    }
  }

  private pause(seat: Seat): void {
    seat.pause(this.stage.clock.now());
    this.stage.watch(() => this.staysPaused(seat));
  }

  /** Looks after a paused seat: on again, patience, or the end. */
  private staysPaused(seat: Seat): boolean {
    if (seat.left) return false;
    if (!mayResume(seat.unsent())) {
      if (!seat.stalled(this.stage.clock.now())) return true;
      seat.reader.close('SLOW');
      this.leave(seat);
      return false;
    }
    seat.paused = false;
    this.advance(seat);
    return false;
  }

  private reread(seat: Seat): void {
    seat.rereading = true;
    this.missedBy(seat).catch((error: unknown) => {
      this.stage.report('reread', error);
      seat.reader.close('STORE_AWAY');
    });
  }

  private async missedBy(seat: Seat): Promise<void> {
    const { press } = this;
    const { log, projectionFor } = this.stage;
    const read = {
      log,
      projection: await projectionFor(this.thread),
      thread: this.thread,
      surface: this.track.surface,
    };
    const missed = await shownAfterFromLog(read, seat.cursor, RING_BYTES);
    seat.rereading = false;
    // The policy or the log changed meanwhile: what was read is void.
    if (seat.left || this.frozen || press !== this.press) return this.advance(seat);
    if (missed === 'trimmed' || missed.epoch !== this.current.epoch) return seat.reader.close('RESTART');
    // The log may be further than this lane; what lies beyond its head comes in its own time.
    const shown = missed.shown.filter((one) => comparePlaces(one, this.head) <= 0);
    const last = shown.at(-1);
    if (last === undefined) seat.spot.place = this.head;
    else this.hand(seat, press.range(seat.cursor, shown), { seq: last.seq, index: last.index });
    this.advance(seat);
  }

  private cancelTimer(): void {
    this.stopTimer?.();
    this.stopTimer = undefined;
  }
}
