/** Counts tasks by state, apart for each group of people who may read the same. */
import type { Actor } from '@triptych/access';
import type { TaskCounts, TaskState } from '@triptych/protocol';
import { areReaders, type Readers } from './matter.js';

type Counts = Partial<Record<TaskState, number>>;

export class InboxTally {
  private readonly byReaders = new Map<string, Counts>();

  /** `readers`: as on their cards. */
  add(readers: string, state: TaskState, count = 1): void {
    const counts = this.byReaders.get(readers) ?? {};
    counts[state] = (counts[state] ?? 0) + count;
    this.byReaders.set(readers, counts);
  }

  /** What this person may read, in these states. */
  for(actor: Actor, states: readonly TaskState[]): TaskCounts {
    const total: Counts = {};
    for (const [readers, counts] of this.byReaders) {
      const theirs = areReaders(JSON.parse(readers) as Readers, actor) ? states : [];
      for (const state of theirs)
        if (counts[state] !== undefined) total[state] = (total[state] ?? 0) + counts[state];
    }
    return total;
  }
}
