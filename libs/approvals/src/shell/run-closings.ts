/** Gives runs the tasks that open in the step that stores their end. */
import { rulingFor } from '@triptych/access';
import { openBatch, type InterruptedRun } from '../core/open-batch.js';
import type { Rider } from '../core/rider.js';
import { beside, type Desk } from './desk.js';

export interface Opening {
  readonly batchId: string;
  readonly taskIds: readonly string[];
  readonly riders: readonly Rider[];
  /** To be awaited before the riders are stored. */
  ahead(): Promise<void>;
}

/** A deadline never moves in this version, so that every timer is of the first generation. */
const FIRST_GENERATION = 0;

export class RunClosings {
  constructor(private readonly desk: Desk) {}

  openingFor(end: InterruptedRun): Opening {
    const policy = this.desk.policy();
    const batch = openBatch(end, {
      tag: this.desk.store.tagOf(end.threadId),
      rulingOn: (question) => rulingFor(policy, question),
      frontendTtlMs: this.desk.frontendTtlMs,
    });
    return {
      batchId: batch.facts.batchId,
      taskIds: batch.facts.taskIds,
      riders: this.desk.store.openingRiders(batch),
      ahead: async () => {
        await this.desk.store.announce(batch);
        const timers = batch.tasks.map(({ taskId, expiresAt }) =>
          this.desk.knocks.wakeAt(taskId, expiresAt, FIRST_GENERATION),
        );
        beside(this.desk, 'approvals.knock-failed', Promise.all(timers));
      },
    };
  }
}
