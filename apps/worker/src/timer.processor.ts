/** Hears the queue knock for a deadline; Redis decides whether it has really passed. */
import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { TIMER_QUEUE, type Approvals } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import type { Job } from 'bullmq';
import { Courier } from './courier.js';

const MAX_STALLED = 1_000;

@Processor(TIMER_QUEUE, { maxStalledCount: MAX_STALLED })
export class TimerProcessor extends WorkerHost {
  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(Courier) private readonly courier: Courier,
  ) {
    super();
  }

  override async process(job: Job<{ taskId: string }>): Promise<void> {
    const { ready } = await this.approvals.wake(job.data.taskId);
    for (const batchId of ready) await this.courier.dispatch(batchId);
  }
}
