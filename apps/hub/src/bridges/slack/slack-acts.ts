/** Does what a button says: takes a task up, or approves it, as the person who pressed it. */
import { Inject, Injectable } from '@nestjs/common';
import type { Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import { ok, type Result } from '@triptych/protocol';
import { TaskDoor } from '../../approvals/task-door.js';
import type { Click } from './click-store.js';
import { SlackGate } from './slack-gate.js';
import { SlackVoice } from './slack-voice.js';

@Injectable()
export class SlackActs {
  constructor(
    @Inject(SlackGate) private readonly gate: SlackGate,
    @Inject(TaskDoor) private readonly tasks: TaskDoor,
    @Inject(SlackVoice) private readonly voice: SlackVoice,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** When this returns it is done, or whoever pressed it was told why not. Doing it again changes nothing. */
  async do(click: Click): Promise<void> {
    const done = await this.act(click);
    if (!done.ok) await this.tell(click, this.voice.wordsFor(click.by, done.refusal));
  }

  giveUp(click: Click): Promise<void> {
    return this.tell(click, 'This could not be done in time. Please look at the card and try again.');
  }

  /** Whom Slack does not let us tell is told no better by doing it all again. */
  private async tell(click: Click, text: string): Promise<void> {
    await this.voice.tell(click, text).catch((error: unknown) => this.log.warn('slack.untold', { error }));
  }

  private async act(click: Click): Promise<Result<unknown>> {
    const { act, dedupeKey: idempotencyKey } = click;
    const passed = await this.gate.pass({ ...click, requestId: idempotencyKey });
    if (!passed.ok) return passed;
    const { actor, task, rev } = passed.value;
    const { taskId, proposalHash } = task;
    switch (act) {
      case 'claim':
        return this.tasks.answer(actor, 'claim', { taskId });
      case 'approve':
        return this.tasks.answer(actor, 'decide', { taskId, rev, proposalHash, verb: act, idempotencyKey });
      case 'reject':
      case 'respond':
      case 'edit':
        return ok(undefined);
    }
  }
}
