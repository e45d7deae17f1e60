/** Holds the cards of tasks that the same people may read, and knows how many are in which state. */
import type { Actor } from '@triptych/access';
import type { TaskState } from '@triptych/protocol';
import { stateAt, stateUntil, type Card } from './inbox-card.js';
import type { InboxTally } from './inbox-tally.js';
import { areReaders, type Readers } from './matter.js';

interface Counted {
  readonly past: boolean;
  /** By then time alone changes one of them; Unix milliseconds. */
  readonly until: number;
  readonly counts: ReadonlyMap<TaskState, number>;
}

export class CardRack {
  private readonly open = new Set<Card>();
  private readonly over = new Set<Card>();
  private counted: Counted | undefined;

  private readonly readers: Readers;

  /** As on its cards. */
  constructor(private readonly name: string) {
    this.readers = JSON.parse(name) as Readers;
  }

  isFor(actor: Actor): boolean {
    return areReaders(this.readers, actor);
  }

  get isEmpty(): boolean {
    return this.open.size + this.over.size === 0;
  }

  add(card: Card): void {
    (card.isOpen ? this.open : this.over).add(card);
    this.counted = undefined;
  }

  delete(card: Card): void {
    (card.isOpen ? this.open : this.over).delete(card);
    this.counted = undefined;
  }

  visit(past: boolean, see: (card: Card) => void): void {
    this.open.forEach(see);
    if (past) this.over.forEach(see);
  }

  /** Counted anew only after something changed, or time changed a state. */
  tell(tally: InboxTally, past: boolean, now: number): void {
    const { counted } = this;
    const isStill = counted?.past === past && now < counted.until;
    const { counts } = isStill ? counted : (this.counted = this.count(past, now));
    for (const [state, count] of counts) tally.add(this.name, state, count);
  }

  private count(past: boolean, now: number): Counted {
    const counts = new Map<TaskState, number>();
    let until = Number.POSITIVE_INFINITY;
    this.visit(past, (card) => {
      const state = stateAt(card, now);
      counts.set(state, (counts.get(state) ?? 0) + 1);
      until = Math.min(until, stateUntil(card, now));
    });
    return { past, until, counts };
  }
}
