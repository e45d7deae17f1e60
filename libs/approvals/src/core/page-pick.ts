/** Picks a page out of any number of tasks that pass by in any order, holding no more than the page. */
import {
  comparePlaces,
  ORDERS,
  placeIn,
  type InboxPlace,
  type Ordered,
  type Ordering,
} from './inbox-order.js';

export interface Wanted extends Ordering {
  readonly after: InboxPlace | undefined;
  readonly size: number;
}

interface Picked<T> {
  readonly task: T;
  readonly place: InboxPlace;
}

export class PagePick<T extends Ordered> {
  private readonly picked: Picked<T>[] = [];

  constructor(private readonly wanted: Wanted) {}

  offer(task: T): void {
    const { wanted } = this;
    const { sort, after, size } = wanted;
    // Most of tens of thousands go no further than this.
    const first = ORDERS[sort].first(task, wanted);
    const last = this.picked[size - 1]?.place;
    if ((last && first > last.rank[0]) || (after && first < after.rank[0])) return;
    const place = placeIn(task, wanted);
    if (after && comparePlaces(place, after) <= 0) return;
    if (last && comparePlaces(place, last) >= 0) return;
    this.picked.splice(this.indexFor(place), 0, { task, place });
    if (this.picked.length > size) this.picked.pop();
  }

  /** First to last. */
  get page(): readonly Picked<T>[] {
    return this.picked;
  }

  private indexFor(place: InboxPlace): number {
    let [low, high] = [0, this.picked.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = this.picked[middle];
      if (there && comparePlaces(there.place, place) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
