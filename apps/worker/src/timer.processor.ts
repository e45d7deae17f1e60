/** Hears the queue knock for a deadline; Redis decides whether it has really passed. */
import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, type OnApplicationBootstrap } from '@nestjs/common';
import { TIMER_QUEUE, type Approvals } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import type { Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import type { Job } from 'bullmq';
import { Courier } from './courier.js';
import { tellTroubles } from './queue-troubles.js';

const MAX_STALLED = 1_000;

@Processor(TIMER_QUEUE, { maxStalledCount: MAX_STALLED })
export class TimerProcessor extends WorkerHost implements OnApplicationBootstrap {
  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(Courier) private readonly courier: Courier,
    @Inject(LOG) private readonly log: Log,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    tellTroubles(this.worker, this.log);
  }

  override async process(job: Job<{ id: string }>): Promise<void> {
    const { ready } = await this.approvals.wake(job.data.id);
    for (const batchId of ready) this.courier.dispatch(batchId);
  }
}
