/** Does what people submit in a modal, and tells them in the modal what came of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  readSlackForm,
  slackErrorsIn,
  slackFormFor,
  slackNoteView,
  type SlackForm,
  type SlackInteraction,
  type SlackModalAct,
} from '@triptych/bridges';
import { inBackground, type Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import { refusal, type Refusal, type Result } from '@triptych/protocol';
import { TaskDoor } from '../../approvals/task-door.js';
import { SlackGate, type LetThrough } from './slack-gate.js';
import { ANSWER_MS } from './slack-times.js';
import { SlackVoice } from './slack-voice.js';

export type Submission = Extract<SlackInteraction, { kind: 'submission' }>;
type Members = Readonly<Record<string, unknown>>;
/** undefined: the modal closes. */
export type ViewAnswer = Members | undefined;

/** What a form's answer is to the door that everybody's answers go through, and where its errors speak of it. */
const MEANS: Readonly<
  Record<SlackModalAct, { readonly under: string; readonly command: (answer: unknown) => Members }>
> = {
  reject: { under: '', command: (answer) => ({ verb: 'reject', ...(answer as Members) }) },
  respond: { under: '', command: (payload) => ({ verb: 'respond', payload }) },
  edit: { under: '/editedArgs', command: (editedArgs) => ({ verb: 'approve', editedArgs }) },
};

const LATE = Symbol('late');
const NOT_TAKEN = 'What you sent was not taken. Please open the form again.';

const inForm = (errors: Members): ViewAnswer => ({ response_action: 'errors', errors });

@Injectable()
export class SlackSubmissions {
  constructor(
    @Inject(SlackGate) private readonly gate: SlackGate,
    @Inject(TaskDoor) private readonly tasks: TaskDoor,
    @Inject(SlackVoice) private readonly voice: SlackVoice,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** The same again gets the same answer: the door knows it by its key. What takes too long is told when it is done. */
  async take(submission: Submission): Promise<ViewAnswer> {
    const work = this.judge(submission);
    const soon = await Promise.race([work, pause(ANSWER_MS, LATE, { ref: false })]);
    if (soon !== LATE) return soon;
    inBackground(this.log, 'slack submission', this.tellLate(submission, work));
    return undefined;
  }

  private async tellLate({ by, from }: Submission, work: Promise<ViewAnswer>): Promise<void> {
    const answer = await work;
    if (answer !== undefined) await this.voice.tell({ by, channel: from.channel }, NOT_TAKEN);
  }

  private async judge(submission: Submission): Promise<ViewAnswer> {
    const { by, from, dedupeKey: requestId, act, values } = submission;
    const passed = await this.gate.pass({ by, ...from, requestId });
    if (!passed.ok) return this.instead(submission, passed.refusal);
    const form = slackFormFor(act, passed.value.task);
    if (!form) return this.instead(submission, refusal('STALE_REVISION'));
    const read = readSlackForm(form, values);
    if (!read.ok) return inForm(read.errors);
    const done = await this.decide(submission, passed.value, read.answer);
    return done.ok ? undefined : this.refused(submission, form, done.refusal);
  }

  private decide(
    { act, dedupeKey: idempotencyKey }: Submission,
    { actor, task, rev }: LetThrough,
    answer: unknown,
  ): Promise<Result<unknown>> {
    const { taskId, proposalHash } = task;
    const command = MEANS[act].command(answer);
    return this.tasks.answer(actor, 'decide', { ...command, taskId, rev, proposalHash, idempotencyKey });
  }

  private refused(submission: Submission, form: SlackForm, why: Refusal): ViewAnswer {
    const errors = slackErrorsIn(form, why.details, MEANS[submission.act].under);
    const isOfForm = why.code === 'RESUME_PAYLOAD_INVALID' && Object.keys(errors).length > 0;
    return isOfForm ? inForm(errors) : this.instead(submission, why);
  }

  private instead({ by }: Submission, why: Refusal): ViewAnswer {
    return {
      response_action: 'update',
      view: slackNoteView('Nothing was done', this.voice.wordsFor(by, why)),
    };
  }
}
