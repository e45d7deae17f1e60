/** Takes the answers of a run request to the approvals, and finds the run that they bring about. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Approvals, ResumeRecorded } from '@triptych/approvals';
import { APPROVALS, LEDGER, RUNS } from '@triptych/assembly/nest';
import { asThreadId, ok, refuse, type BatchState, type Refusal, type Result } from '@triptych/protocol';
import { answersTo, type RunLedger, type Runs, type ThreadRecord } from '@triptych/runs';
import type { AnswersRecorded, RunAsked, StartedRun } from './run-started.js';

/** Batches whose answers are being brought to the agent. */
const ON_THEIR_WAY: ReadonlySet<string> = new Set<BatchState>(['ready', 'dispatching', 'running']);
/** A resume takes no longer to begin, as a rule. */
const BUSY_RETRY_MS = 1_000;

/** What answers an open call is no message of old. */
const NOTHING_KNOWN: ReadonlySet<string> = new Set();

interface Brought {
  readonly batchId: string;
  /** The run had begun before it was asked for. */
  readonly wasKnown: boolean;
}

@Injectable()
export class AnswerDesk {
  constructor(
    @Inject(RUNS) private readonly runs: Runs,
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(LEDGER) private readonly ledger: RunLedger,
  ) {}

  /** undefined: nothing is left to answer, and the input is to be judged as one without answers. */
  async answer(
    asked: RunAsked,
    { threadId, owner }: ThreadRecord,
  ): Promise<Result<StartedRun | AnswersRecorded | undefined>> {
    const { actor, input } = asked;
    const { resume: entries = [] } = input;
    const after = await this.runs.headOf(threadId);
    const known = await this.runs.recordOf(threadId, input.runId);
    if (known && known.resumes === undefined)
      return entries.every(({ status }) => status === 'cancelled')
        ? ok(undefined)
        : refuse('RUN_ID_CONFLICT');
    const recorded = await this.approvals.decideByResume(actor, threadId, { entries, runId: input.runId });
    if (!recorded.ok) return recorded;
    if (!recorded.value) return ok(undefined);
    return ok(await this.whatFollows(asked, { threadId, owner, after }, recorded.value, known !== undefined));
  }

  /** The client's answers to calls of its own tools, where people answer others. undefined: they are not all there. */
  async keep(asked: RunAsked): Promise<Result<StartedRun | AnswersRecorded | undefined>> {
    const { actor, input } = asked;
    const thread = await this.ledger.thread(asThreadId(input.threadId));
    const open = thread && (await this.approvals.callsToAnswer(thread.threadId));
    if (!thread || !open || open.alone) return ok(undefined);
    const said = { subject: actor.subject, messages: input.messages, known: NOTHING_KNOWN };
    const { answers, isWhole } = answersTo(open, said);
    if (!isWhole) return ok(undefined);
    const after = await this.runs.headOf(thread.threadId);
    const { batchId } = open;
    const kept = await this.approvals.keepAnswers(actor, { batchId, answers, runId: input.runId });
    return kept.ok ? ok(await this.whatFollows(asked, { ...thread, after }, kept.value, false)) : kept;
  }

  private async whatFollows(
    asked: RunAsked,
    { threadId, owner, after }: Pick<StartedRun, 'threadId' | 'owner' | 'after'>,
    { batchId, runId = asked.input.runId, tasks, waiting }: ResumeRecorded,
    wasKnown: boolean,
  ): Promise<StartedRun | AnswersRecorded> {
    const awaited = { threadId, owner, runId, after, source: { kind: 'awaited' } } as const;
    const run = await this.resumed(asked, awaited, { batchId, wasKnown });
    return run ?? { ...awaited, kind: 'answered', answered: { threadId, batchId, tasks, waiting } };
  }

  /** A batch that is not open any more is on its way to the agent: wait, there is nothing to answer. */
  async explained(refusal: Refusal, actor: Actor): Promise<Result<never>> {
    const batchId = refusal.details?.batchId;
    if (refusal.code !== 'RESUME_REQUIRED' || typeof batchId !== 'string') return { ok: false, refusal };
    const batch = await this.approvals.batch(batchId, actor);
    return batch?.state === 'open'
      ? refuse('RESUME_REQUIRED', { details: { open: batch.open } })
      : refuse('THREAD_BUSY', { retryAfterMs: BUSY_RETRY_MS });
  }

  /** The worker carries the resumed run: it is to come, under way, or over. undefined: there is none to wait for. */
  private async resumed(
    { actor, input }: RunAsked,
    awaited: Omit<StartedRun, 'kind'>,
    { batchId, wasKnown }: Brought,
  ): Promise<StartedRun | undefined> {
    // Where the batch stands is asked first: a run that begins in between is then found.
    const batch = await this.approvals.batch(batchId, actor);
    const record = await this.runs.recordOf(awaited.threadId, awaited.runId);
    const run = { ...awaited, kind: 'run' } as const;
    if (!record) return batch && ON_THEIR_WAY.has(batch.state) ? run : undefined;
    const isOwn = record.runId === input.runId;
    // Of a run with another name only what is still to come is waited for.
    if (!isOwn && record.status !== 'running') return undefined;
    const isOlder = wasKnown || !isOwn;
    return { ...run, after: record.after, ...(isOlder ? { source: { kind: 'attached' } } : {}) };
  }
}
