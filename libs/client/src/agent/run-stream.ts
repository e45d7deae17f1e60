/** The stream of one run over the socket, as `POST …/run` would give it, but not bound to one connection. */
import { enforceOutgoingInput, type BaseEvent, type RunAgentInput } from '@ag-ui/client';
import { emptyModel, refusal, type Refusal, type Result, type RunSummary } from '@triptych/protocol';
import type { Subscriber } from 'rxjs';
import { systemClock } from '../adapters/clock.js';
import type { ThreadChange } from '../adapters/followed-threads.js';
import type { RunReply } from '../core/requests.js';
import {
  endUnseen,
  storyAdmitted,
  storyEvents,
  storyRebuilt,
  type RunStory,
  type Telling,
} from '../core/run-story.js';
import type { ThreadView } from '../core/thread-track.js';
import type { ClientLease } from './client-lease.js';
import { ThreadTap } from './thread-tap.js';

/** A run that cannot be asked for within this is refused, as one over HTTP would be, ms. */
const JOIN_WITHIN_MS = 20_000;
/** How often it is looked whether a run that does not begin is over already, ms. */
const LOOK_MS = 5_000;
/** Looks in a row that must say so: its events may be on their way. */
const SURE_LOOKS = 2;

export class RunStream {
  private readonly tap: ThreadTap;
  private story: RunStory;
  private view: ThreadView | undefined;
  private asked = false;
  private aborted = false;
  /** The run passed unseen, and it is being asked how it ended. */
  private ending = false;
  private overLooks = 0;
  private stopTimer: () => void = () => undefined;

  constructor(
    private readonly agentId: string,
    private readonly input: RunAgentInput,
    parts: { readonly lease: ClientLease; readonly reader: Subscriber<BaseEvent> },
  ) {
    const { threadId, messages, state } = input;
    this.story = {
      runId: input.runId,
      input: { threadId, messages, state },
      phase: 'asked',
      model: emptyModel(),
    };
    this.tap = new ThreadTap(parts.lease, parts.reader);
    this.later(JOIN_WITHIN_MS, () => this.tap.fail(refusal('STORE_UNAVAILABLE', { message: NOT_REACHED })));
    this.follow();
  }

  /** Ends the run itself, not the following of it: how it ends is told by its stream. */
  abort(): void {
    if (this.tap.isOver) return;
    this.aborted = true;
    if (this.story.phase !== 'asked') return void this.cancel();
    // Once asked for, it can be cancelled when the answer is here.
    if (this.asked) return;
    this.tap.say([{ type: 'RUN_ERROR', code: 'abort', message: 'Stopped before the run was asked for.' }]);
    this.complete();
  }

  leave(): void {
    this.stopTimer();
    this.tap.leave();
  }

  private follow(): void {
    this.tap.follow(this.input.threadId, (view, change) => this.heard(view, change));
  }

  private heard(view: ThreadView, change: ThreadChange): void {
    if (view.phase === 'ended') return this.ended(view);
    const isFirst = this.view === undefined;
    if (isFirst && view.phase !== 'live') return;
    this.view = view;
    if (this.ending) return;
    if (isFirst || change.kind === 'snapshot') this.tell(storyRebuilt(this.story, view.model));
    else if (change.kind === 'events') this.tell(storyEvents(this.story, change.data.events, view.model));
    if (!this.asked) this.ask();
  }

  /** A thread that is not there may be there once the run is admitted; one that goes later is lost. */
  private ended({ ended }: ThreadView): void {
    this.view = undefined;
    if (!this.asked) this.ask();
    else if (this.story.phase !== 'asked') this.tap.fail(lostAccess(ended));
  }

  private ask(): void {
    this.asked = true;
    this.stopTimer();
    this.request().then(
      (reply) => this.answered(reply),
      (problem: unknown) => this.tap.fail(refusal('INVALID_INPUT', { message: messageOf(problem) })),
    );
  }

  private async request(): Promise<Result<RunReply>> {
    // The last point before it leaves: unknown material is stripped, malformed material is an error.
    const { protocolVersion: _ours, ...input } = enforceOutgoingInput(this.input) as RunAgentInput & Spoken;
    return this.tap.client.run({ ...input, agentId: this.agentId });
  }

  private answered(reply: Result<RunReply>): void {
    if (this.tap.isOver) return;
    if (!reply.ok) return this.tap.fail(reply.refusal);
    // Answers are recorded and others are awaited: there is no run to tell of yet.
    if (!('runId' in reply.value)) return this.complete();
    this.tell(storyAdmitted(this.story, reply.value.runId));
    if (this.aborted) void this.cancel();
    if (this.tap.isOver) return;
    if (this.view === undefined) this.follow();
    this.lookLater();
  }

  private tell({ story, events, passed }: Telling): void {
    this.story = story;
    this.tap.say(events);
    if (story.phase === 'over') return this.complete();
    if (passed) void this.sayEnd(this.summary());
  }

  private complete(): void {
    this.stopTimer();
    if (!this.tap.isOver) this.tap.complete();
  }

  private async cancel(): Promise<void> {
    const cancelled = await this.tap.client.cancel(this.input.threadId, this.story.runId);
    if (!cancelled.ok) this.tap.fail(cancelled.refusal);
  }

  /** No event tells that a run has ended long ago: whoever asks for it once more is told so when looking. */
  private lookLater(): void {
    if (this.tap.isOver || this.story.phase === 'telling') return;
    this.later(LOOK_MS, () => void this.look());
  }

  private async look(): Promise<void> {
    const run = await this.summary();
    if (this.tap.isOver || this.story.phase !== 'admitted') return;
    const isOver = run !== undefined && run.status !== 'running';
    this.overLooks = isOver ? this.overLooks + 1 : 0;
    if (this.overLooks >= SURE_LOOKS) await this.sayEnd(Promise.resolve(run));
    else this.lookLater();
  }

  private async sayEnd(known: Promise<RunSummary | undefined>): Promise<void> {
    if (this.ending) return;
    this.ending = true;
    const summary = await known;
    if (this.tap.isOver) return;
    this.tell(endUnseen(this.story, this.view?.model ?? this.story.model, summary));
  }

  private async summary(): Promise<RunSummary | undefined> {
    const run = await this.tap.client.runSummary(this.input.threadId, this.story.runId);
    return run.ok ? run.value : undefined;
  }

  private later(ms: number, task: () => void): void {
    this.stopTimer();
    this.stopTimer = systemClock.later(ms, task);
  }
}

/** The version of AG-UI an input may be marked with; the hub's door has one of its own. */
interface Spoken {
  readonly protocolVersion?: string;
}

const NOT_REACHED = 'The hub could not be reached; nothing was sent.';

const messageOf = (problem: unknown): string =>
  problem instanceof Error ? problem.message : String(problem);

const lostAccess = (code: string | undefined): Refusal =>
  refusal(code === 'FORBIDDEN' || code === 'UNAUTHENTICATED' ? code : 'NOT_FOUND');
