/** Readers of a lane who stand at the same place with next to nothing on its way: what comes next is one loop over them. */
import type { Delivery } from '../core/delivery.js';
import type { Place } from '../core/place.js';
import type { Reader } from '../core/reader.js';
import type { Seat } from './seat.js';

/** A reader that fails is asked again by itself, where that hurts nobody else. */
const takes = (reader: Reader, delivery: Delivery): boolean => {
  try {
    return reader.pour?.(delivery) === true;
  } catch {
    return false;
  }
};

export class Crowd {
  /** The readers beside their seats: a flush touches nothing of a seat, which would be far away in memory. */
  private readonly readers = new Map<Seat, Reader>();
  /** All stand on this one spot: moving it moves everyone. */
  private spot: { place: Place };

  constructor(place: Place) {
    this.spot = { place };
  }

  get place(): Place {
    return this.spot.place;
  }

  get seats(): Iterable<Seat> {
    return this.readers.keys();
  }

  get size(): number {
    return this.readers.size;
  }

  /** Only who stands where the others do. */
  add(seat: Seat): void {
    seat.spot = this.spot;
    this.readers.set(seat, seat.reader);
  }

  /** From now on it stands by itself; false when it did before. */
  remove(seat: Seat): boolean {
    if (!this.readers.delete(seat)) return false;
    seat.spot = { place: this.place };
    return true;
  }

  /** Everyone stands by themselves where they stood; the next crowd gathers at `place`. */
  disperse(place: Place): readonly Seat[] {
    const left = [...this.readers.keys()];
    for (const seat of left) this.remove(seat);
    this.spot = { place };
    return left;
  }

  /** Moves everyone who takes it; who does not is left behind by itself. */
  pour(delivery: Delivery, reached: Place): readonly Seat[] {
    const left: Seat[] = [];
    this.readers.forEach((reader, seat) => {
      if (takes(reader, delivery)) return;
      this.remove(seat);
      left.push(seat);
    });
    this.spot.place = reached;
    return left;
  }
}
