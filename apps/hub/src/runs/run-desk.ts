/** Takes run requests from every door: judges them, and lets the run begin or the answers be recorded. */
import { Inject, Injectable } from '@nestjs/common';
import { can, permit } from '@triptych/access';
import { asThreadId, ok, refuse, type Result, type RunAgentInput, type Surface } from '@triptych/protocol';
import type { ThreadRecord } from '@triptych/runs';
import { refuseBinding } from '../threads/binding.js';
import { ThreadAccess } from '../threads/thread-access.js';
import { AnswerDesk } from './answer-desk.js';
import type { AnswersRecorded, RunAsked, StartedRun } from './run-started.js';
import { RunStarts } from './run-starts.js';
import { RunTerms, type Terms } from './run-terms.js';

@Injectable()
export class RunDesk {
  constructor(
    @Inject(RunStarts) private readonly starts: RunStarts,
    @Inject(AnswerDesk) private readonly answers: AnswerDesk,
    @Inject(RunTerms) private readonly terms: RunTerms,
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
  ) {}

  parse(raw: unknown): Result<RunAgentInput> {
    return this.terms.parse(raw);
  }

  async request(asked: RunAsked): Promise<Result<StartedRun | AnswersRecorded>> {
    const { actor, agentId, input } = asked;
    const terms = this.terms.for(agentId, actor);
    if (!terms.ok) return terms;
    const starts = input.resume?.length ? ok(true) : mayStart(asked, terms.value);
    if (!starts.ok) return starts;
    const thread = await this.access.peek(asThreadId(input.threadId));
    const answer = await this.judge(asked, terms.value, thread);
    // RUN-44: whoever may not know the thread was told NOT_FOUND, and that is no finding.
    if (!answer.ok && thread) await this.starts.noteRefused(asked, answer.refusal);
    return answer;
  }

  private async judge(
    asked: RunAsked,
    terms: Terms,
    thread: ThreadRecord | undefined,
  ): Promise<Result<StartedRun | AnswersRecorded>> {
    const allowed = thread ? await this.mayRun(asked, thread) : mayOpen(asked, terms);
    if (!allowed.ok) return allowed;
    if (!thread || !asked.input.resume?.length) return this.begin(asked, terms);
    const answered = await this.answers.answer(asked, thread);
    if (!answered.ok) return answered;
    return answered.value ? ok(answered.value) : this.beginWithout(asked, thread, terms);
  }

  private async mayRun(asked: RunAsked, thread: ThreadRecord): Promise<Result<true>> {
    const { actor, agentId, input } = asked;
    const facts = await this.access.facts(actor, thread);
    if (!can(actor, 'thread.read', facts)) return refuse('NOT_FOUND');
    if (thread.agentId !== agentId) return refuseBinding(thread);
    if (input.resume?.length) return permit(actor, 'run.resume', facts);
    return permit(actor, 'run.start', { ...facts, ...surfaceOf(asked) });
  }

  private async begin(asked: RunAsked, terms: Terms): Promise<Result<StartedRun | AnswersRecorded>> {
    const begun = await this.starts.begin(asked, terms);
    if (begun.ok) return begun;
    const kept = begun.refusal.code === 'RESUME_REQUIRED' ? await this.answers.keep(asked) : ok(undefined);
    if (!kept.ok) return kept;
    return kept.value ? ok(kept.value) : this.answers.explained(begun.refusal, asked.actor);
  }

  /** Nothing was left to answer: what remains starts a run, and that is another thing to be allowed. */
  private async beginWithout(
    asked: RunAsked,
    thread: ThreadRecord,
    terms: Terms,
  ): Promise<Result<StartedRun | AnswersRecorded>> {
    const { resume: _resume, ...input } = asked.input;
    const remaining = { ...asked, input };
    const allowed = await this.mayRun(remaining, thread);
    return allowed.ok ? this.begin(remaining, terms) : allowed;
  }
}

/** HUB-80: on a thread of their own at best. Judged before any is looked for: whether there is one must not show. */
const mayStart = (asked: RunAsked, { starters }: Terms): Result<true> => {
  const { tenant, subject } = asked.actor;
  const facts = { tenant, agentId: asked.agentId, starters, owner: subject, ...surfaceOf(asked) };
  return permit(asked.actor, 'run.start', facts);
};

const surfaceOf = ({ on }: RunAsked): { readonly surface?: Surface } =>
  on === undefined ? {} : { surface: on };

/** A thread that does not exist yet has no questions to answer. */
const mayOpen = ({ actor, agentId, input }: RunAsked, { starters }: Terms): Result<true> => {
  if (input.resume?.length) return refuse('NOT_FOUND');
  const { tenant, subject } = actor;
  return permit(actor, 'thread.create', { tenant, agentId, starters, owner: subject });
};
