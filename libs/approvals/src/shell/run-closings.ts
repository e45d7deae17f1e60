/** Gives runs the tasks that open in the step that stores their end. */
import { rulingFor, type Question } from '@triptych/access';
import { answeredBefore, type AnsweredBefore } from '../core/answered-before.js';
import type { Batch } from '../core/batch.js';
import { isNoChange } from '../core/change.js';
import { applyDue } from '../core/due.js';
import { batchIdOf } from '../core/ids.js';
import { openBatch, type EndedRun } from '../core/open-batch.js';
import type { Rider } from '../core/rider.js';
import { HUB } from '../core/task.js';
import type { Desk } from './desk.js';
import { knockDues } from './knock-dues.js';

export interface Opening {
  readonly batchId: string;
  readonly taskIds: readonly string[];
  readonly riders: readonly Rider[];
  /** To be awaited before the riders are stored. */
  ahead(): Promise<void>;
}

export interface AskingRun {
  readonly threadId: string;
  readonly runId: string;
}

/** Batches of a thread that are searched for what was asked before. */
const MAX_SEARCHED = 20;

export class RunClosings {
  constructor(private readonly desk: Desk) {}

  /** APR-73: by the store's clock, whatever the clock of the run's carrier says. */
  async openingFor(end: EndedRun): Promise<Opening> {
    const { store, policy, frontendTtlMs } = this.desk;
    const inForce = policy();
    const now = await store.now();
    const opener = {
      tag: store.tagOf(end.threadId),
      rulingOn: (question: Question) => rulingFor(inForce, question),
      frontendTtlMs,
    };
    const batch = openBatch({ ...end, now, answered: await this.answeredIn(end.threadId) }, opener);
    // What was over before it was asked is never offered: it ends in the step that opens it.
    const over = applyDue(batch, now);
    const ended = isNoChange(over) ? [] : store.changeRiders(batch, over, HUB).riders;
    return {
      batchId: batch.facts.batchId,
      taskIds: batch.facts.taskIds,
      riders: [...store.openingRiders(batch), ...ended],
      ahead: () => this.announce(batch),
    };
  }

  private async answeredIn(threadId: string): Promise<ReadonlyMap<string, AnsweredBefore>> {
    const { store } = this.desk;
    const named = await store.batchesOf(threadId, MAX_SEARCHED);
    const loaded = named.length === 0 ? [] : await store.loadMany(named.map(({ batchId }) => batchId));
    return answeredBefore(loaded.map(({ batch }) => batch));
  }

  private async announce(batch: Batch): Promise<void> {
    await this.desk.store.announce(batch);
    knockDues(this.desk, { batch, now: batch.facts.openedAt });
  }

  /** APR-58: what was asked stands, and its history says that the run which asked did not end well. */
  async failedLateFor({ threadId, runId }: AskingRun): Promise<readonly Rider[]> {
    const { store } = this.desk;
    const loaded = await store.load(batchIdOf(store.tagOf(threadId), runId));
    if (!loaded) return [];
    await store.expectRecord(loaded.batch, loaded.now);
    return store.failedLateRiders(loaded.batch, loaded.now);
  }
}
