/** Hears the queue knock for a batch that is ready; Redis decides whether there is anything to do. */
import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { RESUME_QUEUE } from '@triptych/approvals';
import type { Job } from 'bullmq';
import { Courier } from './courier.js';

/** The job ends when the run has begun, so many can be under way. */
const CONCURRENCY = 50;
/** A killed worker stalls its jobs; the knock must outlive many of them. */
const MAX_STALLED = 1_000;

@Processor(RESUME_QUEUE, { concurrency: CONCURRENCY, maxStalledCount: MAX_STALLED })
export class ResumeProcessor extends WorkerHost {
  constructor(@Inject(Courier) private readonly courier: Courier) {
    super();
  }

  override process(job: Job<{ batchId: string }>): Promise<void> {
    return this.courier.dispatch(job.data.batchId);
  }
}
