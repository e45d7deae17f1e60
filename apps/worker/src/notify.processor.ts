/** Hears the queue knock for a lane; Redis decides whether there is anything to show. */
import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, type OnApplicationBootstrap } from '@nestjs/common';
import { Notifier, NOTIFY_QUEUE, type NotifyJob } from '@triptych/bridges';
import type { Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import type { Job } from 'bullmq';
import { tellTroubles } from './queue-troubles.js';

/** Lanes worked through at once: a slow one holds one place and no other. */
const CONCURRENCY = 100;
const MAX_STALLED = 1_000;

@Processor(NOTIFY_QUEUE, { concurrency: CONCURRENCY, maxStalledCount: MAX_STALLED })
export class NotifyProcessor extends WorkerHost implements OnApplicationBootstrap {
  constructor(
    @Inject(Notifier) private readonly notifier: Notifier,
    @Inject(LOG) private readonly log: Log,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    tellTroubles(this.worker, this.log);
  }

  override process(job: Job<NotifyJob>): Promise<void> {
    return this.notifier.work(job.data.destination);
  }
}
