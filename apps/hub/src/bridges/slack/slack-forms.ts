/** Opens the modal that a button leads to, while Slack still lets it be opened; else tells where else it can be done. */
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { slackModal, type SlackModalAct } from '@triptych/bridges';
import { inBackground, type Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import type { Click } from './click-store.js';
import { SLACK, type SlackInstallation } from './slack-api.providers.js';
import { SlackGate } from './slack-gate.js';
import { ANSWER_MS } from './slack-times.js';
import { SlackVoice } from './slack-voice.js';

export type FormClick = Click & { readonly act: SlackModalAct };

@Injectable()
export class SlackForms {
  constructor(
    @Inject(SLACK) private readonly slack: SlackInstallation | undefined,
    @Inject(SlackGate) private readonly gate: SlackGate,
    @Inject(SlackVoice) private readonly voice: SlackVoice,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Slack is not kept waiting for its own slow answer. */
  async openSoon(click: FormClick): Promise<void> {
    const work = this.open(click);
    inBackground(this.log, 'slack form', work);
    await Promise.race([work.catch(() => undefined), pause(ANSWER_MS, undefined, { ref: false })]);
  }

  private async open(click: FormClick): Promise<void> {
    const { slack } = this;
    if (!slack) return;
    const passed = await this.gate.pass({ ...click, requestId: click.dedupeKey });
    if (!passed.ok) return this.voice.tell(click, this.voice.wordsFor(click.by, passed.refusal));
    const { task } = passed.value;
    const link = slack.linkTo(task.taskId);
    const from = { value: click.value, channel: click.channel };
    // A place that shows less than its reviewers may see shows them no more in a modal.
    const showsAll = slack.placeOf(click.channel, click.by.user)?.args.whole ?? false;
    const failed = await slack.api.openView(
      click.trigger,
      slackModal(click.act, { task, from, link, showsAll }),
    );
    if (failed !== undefined)
      await this.voice.tell(click, 'The form could not be opened here in time.', link);
  }
}
