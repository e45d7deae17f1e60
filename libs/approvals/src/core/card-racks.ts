/** Sorts cards by who may read them: each reader looks only through what is theirs. */
import type { Actor } from '@triptych/access';
import { CardRack } from './card-rack.js';
import type { Card } from './inbox-card.js';
import { InboxTally } from './inbox-tally.js';

export class CardRacks {
  private readonly racks = new Map<string, CardRack>();

  add(cards: readonly Card[]): void {
    for (const card of cards) this.rackOf(card).add(card);
  }

  delete(cards: readonly Card[]): void {
    for (const card of cards) {
      const rack = this.rackOf(card);
      rack.delete(card);
      if (rack.isEmpty) this.racks.delete(card.readers);
    }
  }

  visit(actor: Actor, past: boolean, see: (card: Card) => void): void {
    for (const rack of this.racks.values()) if (rack.isFor(actor)) rack.visit(past, see);
  }

  tally(past: boolean, now: number): InboxTally {
    const tally = new InboxTally();
    for (const rack of this.racks.values()) rack.tell(tally, past, now);
    return tally;
  }

  private rackOf({ readers }: Card): CardRack {
    const found = this.racks.get(readers);
    if (found) return found;
    const rack = new CardRack(readers);
    this.racks.set(readers, rack);
    return rack;
  }
}
