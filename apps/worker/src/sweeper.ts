/** Finds what is due without the queue: lost runs, deadlines that passed, batches that wait for their resume, old threads. */
import { Inject, Injectable } from '@nestjs/common';
import type { Approvals } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import { Courier } from './courier.js';
import { LostRuns } from './lost-runs.js';
import { OldThreads } from './old-threads.js';

@Injectable()
export class Sweeper {
  private sweeping = false;

  constructor(
    @Inject(LostRuns) private readonly lost: LostRuns,
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(Courier) private readonly courier: Courier,
    @Inject(OldThreads) private readonly old: OldThreads,
  ) {}

  /** One round; a round that takes long is not joined by the next. */
  async sweep(): Promise<void> {
    if (this.sweeping) return;
    this.sweeping = true;
    try {
      await this.lost.mourn();
      const { ready } = await this.approvals.sweep();
      for (const batchId of ready) await this.courier.dispatch(batchId);
      await this.old.forget();
    } finally {
      this.sweeping = false;
    }
  }
}
