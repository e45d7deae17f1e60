/** Records the `resume` of an AG-UI input: every entry as its caller's decision, in one step. */
import { placeholderId, type Actor } from '@triptych/access';
import { ok, refuse, type ResumeEntry, type Result, type TaskState } from '@triptych/protocol';
import { openTasks, type Batch, type BatchStatus } from '../core/batch.js';
import { NO_CHANGE, type Change } from '../core/change.js';
import { judgeResume } from '../core/resume-door.js';
import { stateOf } from '../core/task-view.js';
import { amend, type Amended } from './amend.js';
import type { Desk } from './desk.js';
import { rulesOn, unhidden } from './show.js';

export interface ResumeInput {
  readonly entries: readonly ResumeEntry[];
  /** The run's name, should this input complete the batch. */
  readonly runId?: string;
}

export interface ResumeRecorded {
  readonly batchId: string;
  /** Nothing is waited for any more: the resumed run follows, or has. */
  readonly ready: boolean;
  /** Under which the resumed run will run, runs, or ran last. */
  readonly runId?: string;
  readonly tasks: readonly { readonly taskId: string; readonly state: TaskState }[];
  readonly waiting: number;
}

/** Batches of one thread that are searched for an interrupt somebody still remembers. */
const MAX_SEARCHED = 50;

const runIdOf = (status: BatchStatus): string | undefined => ('runId' in status ? status.runId : undefined);

const recorded = ({ batch, now }: Amended): ResumeRecorded => {
  const runId = runIdOf(batch.status);
  return {
    batchId: batch.facts.batchId,
    ready: batch.status.state !== 'open',
    ...(runId === undefined ? {} : { runId }),
    tasks: batch.tasks.map((task) => ({ taskId: task.taskId, state: stateOf({ batch, task, now }) })),
    waiting: openTasks(batch).length,
  };
};

const named = (change: Change, runId: string | undefined): Change =>
  change.status?.state === 'ready' && runId !== undefined
    ? { ...change, status: { ...change.status, runId } }
    : change;

export class ResumeDoor {
  constructor(private readonly desk: Desk) {}

  /** undefined: nothing is left to answer, and the input is judged as one without a resume. */
  async decide(
    actor: Actor,
    threadId: string,
    input: ResumeInput,
  ): Promise<Result<ResumeRecorded | undefined>> {
    const batchId = await this.latest(threadId);
    const batch = batchId === undefined ? undefined : (await this.desk.store.load(batchId))?.batch;
    if (batchId === undefined || !batch) return this.unanswerable(input);
    if (batch.facts.tenant !== actor.tenant) return refuse('NOT_FOUND');
    const entries = this.withoutPlaceholder(batch, input.entries);
    const closedBefore = await this.closedBefore(batch, entries);
    let idle = false;
    const amended = await amend(this.desk, batchId, (loaded) => {
      const judged = judgeResume({
        ...loaded,
        actor,
        entries,
        closedBefore,
        ruleOn: rulesOn(this.desk.policy(), loaded.batch),
        unhidden: (matter, command) => unhidden(this.desk.policy(), matter, command),
      });
      if (!judged.ok) return judged;
      idle = judged.value === undefined;
      return ok(named(judged.value ?? NO_CHANGE, input.runId));
    });
    if (!amended.ok) return amended;
    return ok(idle ? undefined : recorded(amended.value));
  }

  private unanswerable({ entries }: ResumeInput): Result<undefined> {
    const asks = entries.find(({ status }) => status !== 'cancelled');
    return asks ? refuse('UNKNOWN_INTERRUPT', { details: { interruptId: asks.interruptId } }) : ok(undefined);
  }

  /** The batch that holds the thread, else its last one: a repeat may come after the resume is over. */
  private async latest(threadId: string): Promise<string | undefined> {
    const held = await this.desk.store.heldBy(threadId);
    if (held !== undefined) return held;
    const [last] = await this.desk.store.batchesOf(threadId, 1);
    return last?.batchId;
  }

  private withoutPlaceholder({ facts }: Batch, entries: readonly ResumeEntry[]): readonly ResumeEntry[] {
    const id = placeholderId(facts.threadId, facts.runId);
    return entries.filter(({ interruptId }) => interruptId !== id);
  }

  private async closedBefore(batch: Batch, entries: readonly ResumeEntry[]): Promise<ReadonlySet<string>> {
    const known = new Set(batch.tasks.map(({ interruptId }) => interruptId));
    if (entries.every(({ interruptId }) => known.has(interruptId))) return new Set();
    const earlier = await this.desk.store.batchesOf(batch.facts.threadId, MAX_SEARCHED);
    const loaded = await this.desk.store.loadMany(earlier.map(({ batchId }) => batchId));
    const closed = loaded.filter((found) => found.batch.status.state === 'done');
    return new Set(closed.flatMap((found) => found.batch.tasks.map(({ interruptId }) => interruptId)));
  }
}
