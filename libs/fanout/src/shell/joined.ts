/** Seats a reader where its position says, and gives it the handle to its seat. */
import type { Position, Surface, ThreadId } from '@triptych/protocol';
import { afterEntry, START } from '../core/place.js';
import { policyMark } from '../core/position.js';
import type { Reader } from '../core/reader.js';
import { planFromPlace, planRecovery, type From, type Recovery } from '../core/track.js';
import type { Lane } from './lane.js';
import { Seat } from './seat.js';
import type { Stage } from './stage.js';

/** Where a reader wants to go on: from its own position, or right after an entry of the log. */
export type JoinFrom = Position | { readonly afterSeq: number };

export interface JoinRequest {
  readonly thread: ThreadId;
  readonly surface: Surface;
  readonly reader: Reader;
  readonly from?: JoinFrom | undefined;
}

export interface Joined {
  /** Where the reader will stand when what it missed was delivered. */
  readonly pos: Position;
  readonly recovered: 'replay' | 'snapshot';
  /** Nothing is delivered before; the reply goes first. */
  start(): void;
  leave(): void;
  /** Keeps deliveries back until the returned release. */
  hold(): () => void;
  ack(pos: Position): void;
  /** Where the reader stands, if nothing is on its way to it. */
  standing(): Position | undefined;
  /** Where the deliveries so far have led. */
  reached(): Position;
}

const planAt = (lane: Lane, stage: Stage, request: JoinRequest): Recovery => {
  const { from, surface, thread } = request;
  if (typeof from === 'object') return planFromPlace(lane.track, afterEntry(from.afterSeq));
  const opened: From =
    from === undefined ? undefined : (stage.positions.open(surface, thread, from) ?? 'unusable');
  return planRecovery(lane.track, opened, { epoch: lane.epoch, policyMark: policyMark(stage.policyVersion) });
};

const seatOf = (request: JoinRequest, plan: Recovery): Seat => {
  const { reader, from } = request;
  // The entry may not have arrived here yet, or have left the ring: the cursor names it all the same.
  const fromEntry = typeof from === 'object' && (plan.kind !== 'snapshot' || reader.whole === true);
  if (fromEntry) return new Seat(reader, afterEntry(from.afterSeq), undefined);
  if (plan.kind === 'snapshot') return new Seat(reader, START, plan.reason);
  return new Seat(reader, plan.kind === 'replay' ? plan.after : plan.at, undefined);
};

/** One object a reader, not a closure for each thing it may do: there are tens of thousands of them. */
class Handle implements Joined {
  readonly recovered: 'replay' | 'snapshot';

  constructor(
    private readonly lane: Lane,
    private readonly seat: Seat,
    readonly pos: Position,
  ) {
    this.recovered = seat.owes === undefined ? 'replay' : 'snapshot';
  }

  start(): void {
    this.seat.started = true;
    this.lane.advance(this.seat);
  }

  leave(): void {
    this.lane.leave(this.seat);
  }

  hold(): () => void {
    this.lane.stepOut(this.seat);
    const release = this.seat.hold();
    return () => {
      release();
      this.lane.advance(this.seat);
    };
  }

  ack(pos: Position): void {
    this.lane.stepOut(this.seat);
    this.seat.ack(pos);
  }

  standing(): Position | undefined {
    return this.lane.standing(this.seat);
  }

  reached(): Position {
    return this.seat.owes === undefined ? this.lane.positionOf(this.seat.cursor) : this.pos;
  }
}

/** Takes a seat at once; what is planned holds because nothing is awaited in between. */
export const takeSeat = (lane: Lane, stage: Stage, request: JoinRequest): Joined => {
  const seat = seatOf(request, planAt(lane, stage, request));
  lane.take(seat);
  return new Handle(lane, seat, lane.headPosition());
};
