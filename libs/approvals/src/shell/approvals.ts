/** Decides what a decision does: the approvals as hub and worker use them. */
import { placeholderId, type Actor, type Candidacy } from '@triptych/access';
import type { BatchState, BatchView, Result, TaskCounts, TaskView } from '@triptych/protocol';
import type { AssignCommand } from '../core/assign.js';
import { callsWaiting, openTasks } from '../core/batch.js';
import type { TakeoverCommand } from '../core/claim.js';
import type { DecideCommand } from '../core/command.js';
import type { ResumeEnd } from '../core/failure-classes.js';
import type { ExtendCommand } from '../core/extend.js';
import { parseBatchId } from '../core/ids.js';
import type { InboxFacets } from '../core/inbox-facets.js';
import type { InboxFilter, InboxQuery } from '../core/inbox-query.js';
import { mayRead } from '../core/matter.js';
import type { EndedRun } from '../core/open-batch.js';
import type { Rider } from '../core/rider.js';
import type { Receipt } from '../core/signed-decision.js';
import { callsToAnswer, type CallsToAnswer } from './calls-to-answer.js';
import { BatchDesk, type BatchClosing, type BatchPage, type BatchQuery, type Mending } from './batch-desk.js';
import type { Desk } from './desk.js';
import { type CaughtUp, CardShelves } from './card-shelves.js';
import { type CountsFor, Inbox, type InboxPage } from './inbox.js';
import { Dispatches, type DispatchPlan } from './dispatches.js';
import { Gates, type ShutGate } from './gates.js';
import { keepAnswers, type AnswersToKeep } from './keep-answers.js';
import { receipt } from './receipt.js';
import { reveal, type Revealing } from './reveal.js';
import { noticed, type NoticedBatch } from './notices.js';
import { ResumeDoor, type ResumeInput, type ResumeRecorded } from './resume-door.js';
import { RunClosings, type AskingRun, type Opening } from './run-closings.js';
import { Sweep, type Swept } from './sweep.js';
import { TaskDesk } from './task-desk.js';
import { readTasks, type ViewFor } from './told-tasks.js';

export interface BatchSummary {
  readonly batchId: string;
  readonly threadId: string;
  readonly runId: string;
  readonly state: BatchState;
  /** Open interrupts by the ids this person knows them by, and calls that wait for their client. */
  readonly open: readonly string[];
}

export class Approvals {
  private readonly tasks: TaskDesk;
  private readonly shelves: CardShelves;
  private readonly inbox: Inbox;
  private readonly closings: RunClosings;
  private readonly gates: Gates;
  private readonly dispatches: Dispatches;
  private readonly door: ResumeDoor;
  private readonly sweeper: Sweep;
  private readonly mending: BatchDesk;

  constructor(private readonly desk: Desk) {
    this.tasks = new TaskDesk(desk);
    this.shelves = new CardShelves(desk);
    this.inbox = new Inbox(desk, this.shelves);
    this.closings = new RunClosings(desk);
    this.gates = new Gates(desk);
    this.dispatches = new Dispatches(desk);
    this.door = new ResumeDoor(desk);
    this.sweeper = new Sweep(desk);
    this.mending = new BatchDesk(desk);
  }

  list(actor: Actor, query: InboxQuery): Promise<Result<InboxPage>> {
    return this.inbox.list(actor, query);
  }
  /** By state: the open ones, and others the filter asks for. */
  counts(actor: Actor, filter: InboxFilter = {}): Promise<Result<TaskCounts>> {
    return this.inbox.counts(actor, filter);
  }
  /** What is open for this person, by what it is looked for by. */
  facets(actor: Actor): Promise<Result<InboxFacets>> {
    return this.inbox.facets(actor);
  }
  countsIn(tenant: string, past: boolean): Promise<CountsFor> {
    return this.inbox.countsIn(tenant, past);
  }
  /** Tells from now on of every change; undefined: no longer, and some may be missed. */
  follow(caughtUp: CaughtUp | undefined): void {
    this.shelves.follow(caughtUp);
    this.inbox.forget();
  }
  heard(tenant: string, taskId: string): void {
    this.shelves.heard(tenant, taskId);
    this.inbox.heard(tenant);
  }
  get(actor: Actor, taskId: string): Promise<Result<TaskView>> {
    return this.tasks.get(actor, taskId);
  }
  /** Several at once, for all who are to be told of them. */
  read(taskIds: readonly string[]): Promise<ViewFor> {
    return readTasks(this.desk, taskIds);
  }
  /** For bridges: the tasks of a batch that reviewers may read. */
  noticed(batchId: string): Promise<NoticedBatch | undefined> {
    return noticed(this.desk, batchId);
  }
  claim(actor: Actor, taskId: string): Promise<Result<TaskView>> {
    return this.tasks.claim(actor, taskId);
  }
  release(actor: Actor, taskId: string): Promise<Result<TaskView>> {
    return this.tasks.release(actor, taskId);
  }
  heartbeat(actor: Actor, taskId: string): Promise<Result<TaskView>> {
    return this.tasks.heartbeat(actor, taskId);
  }
  takeover(actor: Actor, taskId: string, command: TakeoverCommand): Promise<Result<TaskView>> {
    return this.tasks.takeover(actor, taskId, command);
  }
  comment(actor: Actor, taskId: string, text: string): Promise<Result<TaskView>> {
    return this.tasks.comment(actor, taskId, text);
  }
  decide(actor: Actor, taskId: string, command: DecideCommand): Promise<Result<TaskView>> {
    return this.tasks.decide(actor, taskId, command);
  }
  assign(actor: Actor, taskId: string, command: AssignCommand): Promise<Result<TaskView>> {
    return this.tasks.assign(actor, taskId, command);
  }
  extend(actor: Actor, taskId: string, command: ExtendCommand): Promise<Result<TaskView>> {
    return this.tasks.extend(actor, taskId, command);
  }
  /** Takes an answer back while it is held. */
  undo(actor: Actor, taskId: string, rev: number): Promise<Result<TaskView>> {
    return this.tasks.undo(actor, taskId, rev);
  }
  /** One redacted value of a proposal; that it was seen is in the task's history before it is answered. */
  reveal(actor: Actor, taskId: string, asked: Revealing): Promise<Result<unknown>> {
    return reveal(this.desk, { actor, taskId, ...asked });
  }
  /** What proves the decision on a task to anybody. */
  receipt(actor: Actor, taskId: string): Promise<Result<Receipt>> {
    return receipt(this.desk, actor, taskId);
  }
  /** undefined: nothing is left to answer, and the input is judged as one without a resume. */
  decideByResume(
    actor: Actor,
    threadId: string,
    input: ResumeInput,
  ): Promise<Result<ResumeRecorded | undefined>> {
    return this.door.decide(actor, threadId, input);
  }

  openingFor(end: EndedRun): Promise<Opening> {
    return this.closings.openingFor(end);
  }
  failedLateFor(run: AskingRun): Promise<readonly Rider[]> {
    return this.closings.failedLateFor(run);
  }
  stands(batchId: string): Promise<boolean> {
    return this.dispatches.stands(batchId);
  }
  sentFor(batchId: string): Promise<readonly Rider[]> {
    return this.dispatches.sentFor(batchId);
  }
  startedFor(batchId: string): Promise<readonly Rider[]> {
    return this.dispatches.startedFor(batchId);
  }
  settlementFor(end: ResumeEnd & { readonly batchId: string }): Promise<readonly Rider[]> {
    return this.dispatches.settlementFor(end);
  }
  callsToAnswer(threadId: string): Promise<CallsToAnswer | undefined> {
    return callsToAnswer(this.desk, threadId);
  }
  /** Calls of a thread that nobody has let be made. */
  shutGates(threadId: string): Promise<ReadonlyMap<string, ShutGate>> {
    return this.gates.shutIn(threadId);
  }
  /** Whether the batch waits for its own client to answer calls of its tools. */
  async waitsForClient(batchId: string): Promise<boolean> {
    const loaded = await this.desk.store.load(batchId);
    return loaded !== undefined && callsWaiting(loaded.batch).length > 0;
  }
  /** For calls of which people answer others. */
  keepAnswers(actor: Actor, kept: AnswersToKeep): Promise<Result<ResumeRecorded>> {
    return keepAnswers(this.desk, actor, kept);
  }
  agentOf(batchId: string): Promise<string | undefined> {
    return this.dispatches.agentOf(batchId);
  }
  planDispatch(batchId: string): Promise<DispatchPlan | undefined> {
    return this.dispatches.planDispatch(batchId);
  }
  agentGone(batchId: string): Promise<void> {
    return this.dispatches.agentGone(batchId);
  }
  undeliverable(batchId: string, why: string): Promise<void> {
    return this.dispatches.undeliverable(batchId, why);
  }

  /** What an operator decides about a batch that waits for a person. */
  mend(actor: Actor, batchId: string, mending: Mending): Promise<Result<BatchView>> {
    return this.mending.mend(actor, batchId, mending);
  }
  closingFor(actor: Actor, batchId: string, reason?: string): Promise<Result<BatchClosing>> {
    return this.mending.closingFor(actor, batchId, reason);
  }
  /** Batches that wait for a person. */
  batches(actor: Actor, query: BatchQuery): Promise<Result<BatchPage>> {
    return this.mending.list(actor, query);
  }

  sweep(): Promise<Swept> {
    return this.sweeper.sweep();
  }
  wake(id: string): Promise<Swept> {
    return this.sweeper.wake(id);
  }

  /** What goes when a thread is forgotten. */
  keysOf(threadId: string): Promise<readonly string[]> {
    return this.desk.store.keysOf(threadId);
  }

  candidacies(threadId: string): Promise<readonly Candidacy[]> {
    return this.inbox.candidacies(threadId);
  }
  threadsOf(actor: Actor): Promise<readonly string[]> {
    return this.inbox.threadsOf(actor);
  }

  /** Where a batch stands, as far as this person may know; undefined: there is none, or it is another tenant's. */
  async batch(batchId: string, actor: Actor): Promise<BatchSummary | undefined> {
    const loaded = parseBatchId(batchId) && (await this.desk.store.load(batchId));
    if (!loaded || loaded.batch.facts.tenant !== actor.tenant) return undefined;
    const { batch } = loaded;
    const { threadId, runId } = batch.facts;
    const open = openTasks(batch);
    const theirs = open
      .filter((task) => mayRead({ batch, task, actor }))
      .map(({ interruptId }) => interruptId);
    const others = theirs.length < open.length ? [placeholderId(threadId, runId)] : [];
    const waiting = [...callsWaiting(batch), ...theirs, ...others];
    return { batchId, threadId, runId, state: batch.status.state, open: waiting };
  }
}
