/** Counts tasks by state, apart for each group of people who may read the same. */
import type { Actor } from '@triptych/access';
import type { TaskCounts, TaskState } from '@triptych/protocol';
import { stateAt, type Card } from './inbox-card.js';
import { areReaders, type Readers } from './matter.js';

type Counts = Partial<Record<TaskState, number>>;

export class InboxTally {
  private readonly byReaders = new Map<string, Counts>();

  /** By the states of this moment; Unix milliseconds. */
  constructor(private readonly now: number) {}

  add(card: Card): void {
    const counts = this.byReaders.get(card.readers) ?? {};
    const state = stateAt(card, this.now);
    counts[state] = (counts[state] ?? 0) + 1;
    this.byReaders.set(card.readers, counts);
  }

  /** What this person may read, in these states. */
  for(actor: Actor, states: readonly TaskState[]): TaskCounts {
    const total: Counts = {};
    for (const [readers, counts] of this.byReaders) {
      if (!areReaders(JSON.parse(readers) as Readers, actor)) continue;
      for (const state of states)
        if (counts[state] !== undefined) total[state] = (total[state] ?? 0) + counts[state];
    }
    return total;
  }
}
