/** Takes run requests from every door: judges them, begins the run, and lets it be carried. */
import { Inject, Injectable } from '@nestjs/common';
import { can, type Actor } from '@triptych/access';
import type { Approvals } from '@triptych/approvals';
import { APPROVALS, RUNS } from '@triptych/assembly/nest';
import {
  asThreadId,
  ok,
  refuse,
  type Refusal,
  type Result,
  type RunAgentInput,
  type ThreadId,
} from '@triptych/protocol';
import type { Begun, Runs, ThreadRecord } from '@triptych/runs';
import { refuseBinding } from '../threads/binding.js';
import { ThreadAccess } from '../threads/thread-access.js';
import { RunTerms, type Terms } from './run-terms.js';

export interface StartedRun {
  readonly kind: 'run';
  readonly threadId: ThreadId;
  readonly runId: string;
  readonly owner: string;
  /** The log's last seq when the run was admitted. */
  readonly after: number;
  /** Resolves when the agent's stream was read to its end; absent: another process reads it. */
  readonly read?: Promise<unknown>;
}

/** Answers are recorded; the resumed run begins once the batch is whole. */
export interface Answered {
  readonly kind: 'answered';
  readonly threadId: ThreadId;
  readonly batchId: string;
  readonly tasks: readonly { readonly taskId: string; readonly state: string }[];
  readonly waiting: number;
}

export interface RunAsked {
  readonly actor: Actor;
  readonly agentId: string;
  readonly input: RunAgentInput;
}

@Injectable()
export class RunDesk {
  constructor(
    @Inject(RUNS) private readonly runs: Runs,
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(RunTerms) private readonly terms: RunTerms,
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
  ) {}

  async request(asked: RunAsked): Promise<Result<StartedRun | Answered>> {
    const { actor, agentId, input } = asked;
    const terms = this.terms.for(agentId, actor);
    if (!terms.ok) return terms;
    const thread = await this.access.peek(asThreadId(input.threadId));
    const answers = input.resume ?? [];
    const allowed = thread ? await this.mayRun(asked, thread) : mayOpen(asked, terms.value);
    if (!allowed.ok) return allowed;
    return thread && answers.length > 0
      ? this.answer(asked, thread, terms.value)
      : this.begin(asked, terms.value);
  }

  private async mayRun({ actor, agentId, input }: RunAsked, thread: ThreadRecord): Promise<Result<true>> {
    const facts = await this.access.facts(actor, thread);
    if (!can(actor, 'thread.read', facts)) return refuse('NOT_FOUND');
    if (thread.agentId !== agentId) return refuseBinding(thread);
    const action = input.resume?.length ? 'run.resume' : 'run.start';
    return can(actor, action, facts) ? ok(true) : refuse('FORBIDDEN');
  }

  private async begin({ actor, input }: RunAsked, terms: Terms): Promise<Result<StartedRun>> {
    const { subject, tenant } = actor;
    const thread = asThreadId(input.threadId);
    const begun = await this.runs.begin({ ...terms, thread, input, tenant, subject, owner: subject });
    if (!begun.ok) return this.explained(begun.refusal, actor);
    return ok(this.carried(begun.value, terms));
  }

  private carried(begun: Begun, { agent }: Terms): StartedRun {
    const admitted = begun.kind === 'admitted' ? begun.admitted : begun;
    const { thread, record } = admitted;
    const { runId, after } = record;
    const started: StartedRun = { kind: 'run', threadId: thread.threadId, runId, owner: thread.owner, after };
    if (begun.kind === 'attached') return started;
    return { ...started, read: this.runs.carryInBackground(begun, agent) };
  }

  /** A batch that is not open any more is on its way to the agent: wait, there is nothing to answer. */
  private async explained(refusal: Refusal, actor: Actor): Promise<{ ok: false; refusal: Refusal }> {
    const batchId = refusal.details?.batchId;
    if (refusal.code !== 'RESUME_REQUIRED' || typeof batchId !== 'string') return { ok: false, refusal };
    const batch = await this.approvals.batch(batchId, actor);
    return batch?.state === 'open'
      ? refuse('RESUME_REQUIRED', { details: { open: batch.openInterrupts } })
      : refuse('THREAD_BUSY', { retryAfterMs: 1_000 });
  }

  /** The worker carries the resumed run; whoever waits for it reads on from where the log stands now. */
  private async answer(
    asked: RunAsked,
    thread: ThreadRecord,
    terms: Terms,
  ): Promise<Result<StartedRun | Answered>> {
    const { actor, input } = asked;
    const { threadId, owner } = thread;
    const head = await this.runs.headOf(threadId);
    const known = await this.runs.recordOf(threadId, input.runId);
    if (known && known.resumes === undefined) return refuse('RUN_ID_CONFLICT');
    const entries = input.resume ?? [];
    const answered = await this.approvals.decideByResume(actor, threadId, { entries, runId: input.runId });
    if (!answered.ok) return answered;
    if (!answered.value) return this.beginWithout(asked, thread, terms);
    const { batchId, ready, runId = input.runId, tasks, waiting } = answered.value;
    if (!ready) return ok({ kind: 'answered', threadId, batchId, tasks, waiting });
    // A repeat of an answer that was given attaches to the run it brought about.
    return ok({ kind: 'run', threadId, runId, owner, after: known?.after ?? head });
  }

  /** Nothing was left to answer: what remains starts a run, and that is another thing to be allowed. */
  private async beginWithout(
    asked: RunAsked,
    thread: ThreadRecord,
    terms: Terms,
  ): Promise<Result<StartedRun>> {
    const { resume: _resume, ...input } = asked.input;
    const remaining = { ...asked, input };
    const allowed = await this.mayRun(remaining, thread);
    return allowed.ok ? this.begin(remaining, terms) : allowed;
  }
}

/** A thread that does not exist yet has no questions to answer. */
const mayOpen = ({ actor, agentId, input }: RunAsked, { starters }: Terms): Result<true> => {
  if (input.resume?.length) return refuse('NOT_FOUND');
  const { tenant, subject } = actor;
  return can(actor, 'thread.create', { tenant, agentId, starters, owner: subject })
    ? ok(true)
    : refuse('FORBIDDEN');
};
