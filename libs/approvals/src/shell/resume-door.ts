/** Records the `resume` of an AG-UI input: every entry as its caller's decision, in one step. */
import { placeholderId, type Actor } from '@triptych/access';
import { ok, refuse, type ResumeEntry, type Result, type TaskState } from '@triptych/protocol';
import type { Loaded } from '../core/approval-store.js';
import { callsWaiting, openTasks, runIdOf, type Batch } from '../core/batch.js';
import { batchMeant } from '../core/batch-meant.js';
import { NO_CHANGE } from '../core/change.js';
import { awaitedAs } from '../core/hold.js';
import { isTooLate } from '../core/late.js';
import { judgeResume, lateIn, type ResumeAsked } from '../core/resume-door.js';
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

export const recorded = ({ batch, now }: Amended): ResumeRecorded => {
  const runId = runIdOf(batch.status);
  return {
    batchId: batch.facts.batchId,
    ready: batch.status.state !== 'open',
    ...(runId === undefined ? {} : { runId }),
    tasks: batch.tasks.map((task) => ({ taskId: task.taskId, state: stateOf({ batch, task, now }) })),
    waiting: openTasks(batch).length + callsWaiting(batch).length,
  };
};

const unanswerable = ({ entries }: ResumeInput): Result<undefined> => {
  const asks = entries.find(({ status }) => status !== 'cancelled');
  return asks ? refuse('UNKNOWN_INTERRUPT', { details: { interruptId: asks.interruptId } }) : ok(undefined);
};

/** APR-21: what a waiting customer is shown instead of others' questions asks nothing of them. */
const withoutPlaceholders = (
  batches: readonly Batch[],
  entries: readonly ResumeEntry[],
): readonly ResumeEntry[] => {
  const ids = new Set(batches.map(({ facts }) => placeholderId(facts.threadId, facts.runId)));
  return entries.filter(({ interruptId }) => !ids.has(interruptId));
};

/** Whatever carried it here, it was said in AG-UI's words. */
const throughAgui = (actor: Actor): Actor => ({ ...actor, through: { ...actor.through, via: 'agui' } });

const closedIn = (batches: readonly Batch[]): ReadonlySet<string> =>
  new Set(
    batches
      .filter(({ status }) => status.state === 'done')
      .flatMap(({ tasks }) => tasks.map(({ interruptId }) => interruptId)),
  );

export class ResumeDoor {
  constructor(private readonly desk: Desk) {}

  /** undefined: nothing is left to answer, and the input is judged as one without a resume. */
  async decide(
    actor: Actor,
    threadId: string,
    input: ResumeInput,
  ): Promise<Result<ResumeRecorded | undefined>> {
    const batches = await this.batchesOf(threadId);
    if (batches.some(({ facts }) => facts.tenant !== actor.tenant)) return refuse('NOT_FOUND');
    const entries = withoutPlaceholders(batches, input.entries);
    const meant = batchMeant({ ...input, batches, entries });
    if (!meant.ok) return meant;
    if (!meant.value) return unanswerable(input);
    const said = { actor, entries, closedBefore: closedIn(batches) };
    return this.record(meant.value.facts.batchId, input.runId, said);
  }

  private async record(
    batchId: string,
    runId: string | undefined,
    said: Pick<ResumeAsked, 'actor' | 'entries' | 'closedBefore'>,
  ): Promise<Result<ResumeRecorded | undefined>> {
    let idle = false;
    const by = { batchId, cause: throughAgui(said.actor) };
    const amended = await amend(this.desk, by, (loaded) => {
      const judged = judgeResume(this.asked(loaded, said));
      if (!judged.ok) return judged;
      idle = judged.value === undefined;
      return ok(awaitedAs(loaded.batch, judged.value ?? NO_CHANGE, runId));
    });
    if (amended.ok) return ok(idle ? undefined : recorded(amended.value));
    // The refusal stands whether or not this is written.
    if (isTooLate(amended.refusal))
      await amend(this.desk, by, (loaded) => ok(lateIn(this.asked(loaded, said))));
    return amended;
  }

  private asked(loaded: Loaded, said: Pick<ResumeAsked, 'actor' | 'entries' | 'closedBefore'>): ResumeAsked {
    return {
      ...loaded,
      ...said,
      ruleOn: rulesOn(this.desk.policy(), loaded.batch),
      unhidden: (matter, command) => unhidden(this.desk.policy(), matter, command),
    };
  }

  /** The batch that holds the thread comes first, else its last one: a repeat may come after the resume is over. */
  private async batchesOf(threadId: string): Promise<readonly Batch[]> {
    const { store } = this.desk;
    const held = await store.heldBy(threadId);
    const ids = (await store.batchesOf(threadId, MAX_SEARCHED)).map(({ batchId }) => batchId);
    const inOrder = held === undefined ? ids : [held, ...ids.filter((batchId) => batchId !== held)];
    return (await store.loadMany(inOrder)).map(({ batch }) => batch);
  }
}
