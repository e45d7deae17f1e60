/** Finds what is due without the queue: lost runs, deadlines that passed, batches that wait for their resume, old threads. */
import { Inject, Injectable } from '@nestjs/common';
import type { Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import { isStoreAway } from '@triptych/protocol';
import { Deadlines } from './deadlines.js';
import { LostRuns } from './lost-runs.js';
import { OldThreads } from './old-threads.js';

@Injectable()
export class Sweeper {
  private sweeping = false;

  constructor(
    @Inject(LostRuns) private readonly lost: LostRuns,
    @Inject(Deadlines) private readonly deadlines: Deadlines,
    @Inject(OldThreads) private readonly old: OldThreads,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** One round; a round that takes long is not joined by the next. */
  async sweep(): Promise<void> {
    if (this.sweeping) return;
    this.sweeping = true;
    try {
      await this.part('lost-runs', this.lost.mourn());
      await this.part('deadlines', this.deadlines.drain());
      await this.part('old-threads', this.old.forget());
    } finally {
      this.sweeping = false;
    }
  }

  /** What goes wrong with one is nothing to the others; without the store none of them can do anything. */
  private async part(work: string, done: Promise<void>): Promise<void> {
    try {
      await done;
    } catch (error) {
      if (isStoreAway(error)) throw error;
      this.log.error('sweep.failed', { work, error });
    }
  }
}
