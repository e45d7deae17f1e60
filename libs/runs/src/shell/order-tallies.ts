/** Counts what becomes of events that have positions: of one stretch of them in order, and of one that came late. */
import { lateFound, missingFound } from '../core/order-findings.js';
import { POSITIONS, type KnownProducer, type PushItem, type PushRequest } from '../core/push-batch.js';
import { cameLate, passOver, type Gap, type Passed, type Waiting } from '../core/push-positions.js';
import type { PushMark } from '../core/push-store.js';
import { PushTally, type Made } from './push-tally.js';

/** An event of a push, by its place in the body. */
export interface OwnItem {
  readonly position: number;
  readonly nth: number;
  readonly item: PushItem;
}

export interface StretchItem {
  readonly item: PushItem;
  /** What is not of this push has waited. */
  readonly from: OwnItem | Waiting;
}

/** The order of the thread before the write. */
interface Before {
  readonly passed: Passed;
  readonly windowMs: number;
}

export interface Stretch extends Before {
  readonly items: readonly StretchItem[];
  readonly missing?: Gap | undefined;
}

export const isOwn = (from: OwnItem | Waiting): from is OwnItem => 'nth' in from;

/** All sources together are as one producer: the event at position p is its p-th. */
const asProducer = (first: number): PushRequest['producer'] => ({ id: POSITIONS, epoch: 0, seq: first - 1 });

const NOBODY = { epoch: 0, last: -1, run: '', at: 0 };

export const nextPosition = (known: KnownProducer | undefined): number => (known ?? NOBODY).last + 2;

export class StretchTally extends PushTally {
  constructor(
    private readonly whole: PushTally,
    private readonly stretch: Stretch,
  ) {
    const { items } = stretch;
    const producer = asProducer(items[0]?.from.position ?? 1);
    super({ ...whole.request, producer, items: items.map(({ item }) => item) });
  }

  override get acceptedInAll(): number {
    return this.whole.acceptedInAll;
  }

  override pointerTo(nth: number, within = ''): string {
    const from = this.stretch.items[nth]?.from;
    return from && isOwn(from) ? this.whole.pointerTo(from.nth, within) : this.request.at;
  }

  override marking(made: Made): Pick<PushMark, 'producer' | 'order'> {
    const { items, missing, passed, windowMs } = this.stretch;
    const dealt = items.slice(this.done, this.done + made.count);
    const taken = dealt.flatMap(({ from }) => (isOwn(from) ? [] : [from]));
    const isFirst = this.done === 0 && made.count > 0;
    const { id } = this.request.producer;
    if (this.done + made.count === 0) return { producer: { id, known: made.known ?? NOBODY } };
    if (!isFirst || !missing) return { ...super.marking(made), order: { taken } };
    const findings = [missingFound(missing, windowMs, made.run)];
    return { ...super.marking(made), order: { taken, passed: passOver(passed, missing), findings } };
  }

  /** What became of the stretch, told to the push as far as it is its own. */
  settle(): void {
    const { items } = this.stretch;
    for (const [nth, { from }] of items.slice(0, this.done).entries()) {
      if (!isOwn(from)) continue;
      if (nth < this.accepted) this.whole.accepted += 1;
      else this.whole.refused += 1;
    }
    const from = this.fault && items[this.fault.at]?.from;
    if (this.fault && from && isOwn(from)) this.whole.fault ??= { at: from.nth, what: this.fault.what };
  }
}

export class LateTally extends PushTally {
  override readonly isLate = true;

  constructor(
    private readonly whole: PushTally,
    private readonly own: OwnItem,
    private readonly before: Before,
  ) {
    super({ ...whole.request, producer: asProducer(own.position), items: [own.item] });
  }

  override get acceptedInAll(): number {
    return this.whole.acceptedInAll;
  }

  /** What follows it went on without it, so the count stays where it is. */
  override marking({ count, run, at, known = NOBODY, fault }: Made): Pick<PushMark, 'producer' | 'order'> {
    const producer = { id: POSITIONS, known: { ...known, run, at } };
    if (count === 0) return { producer };
    const findings = [lateFound(this.own.position, fault?.rule, run)];
    return { producer, order: { passed: cameLate(this.before.passed, this.own.position), findings } };
  }

  /** It was refused, but nobody is told that he did wrong. */
  settle(): void {
    this.whole.accepted += this.accepted;
    this.whole.refused += this.refused;
  }
}
