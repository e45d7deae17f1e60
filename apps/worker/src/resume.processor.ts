/** Hears the queue knock for a batch that is ready; Redis decides whether there is anything to do. */
import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, type OnApplicationBootstrap } from '@nestjs/common';
import { RESUME_QUEUE } from '@triptych/approvals';
import type { Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import type { Job } from 'bullmq';
import { Courier } from './courier.js';
import { tellTroubles } from './queue-troubles.js';

/** A killed worker stalls its jobs; the knock must outlive many of them. */
const MAX_STALLED = 1_000;

@Processor(RESUME_QUEUE, { maxStalledCount: MAX_STALLED })
export class ResumeProcessor extends WorkerHost implements OnApplicationBootstrap {
  constructor(
    @Inject(Courier) private readonly courier: Courier,
    @Inject(LOG) private readonly log: Log,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    tellTroubles(this.worker, this.log);
  }

  /** The job is over with its knock: what is not sent the sweep finds. A worker that is full leaves the others to those that are not. */
  override async process(job: Job<{ batchId: string }>): Promise<void> {
    if (await this.courier.hasRoom()) this.courier.dispatch(job.data.batchId);
  }
}
