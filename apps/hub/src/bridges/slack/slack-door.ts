/** Takes what people do in Slack, and acknowledges it before Slack would send it again. */
import { Inject, Injectable } from '@nestjs/common';
import { parseSlackInteraction, type SlackInteraction, type SlackSigned } from '@triptych/bridges';
import { ok, type Result } from '@triptych/protocol';
import type { Click } from './click-store.js';
import { SlackCheck } from './slack-check.js';
import { SlackClicks } from './slack-clicks.js';
import { SlackForms, type FormClick } from './slack-forms.js';
import { SlackSubmissions, type ViewAnswer } from './slack-submissions.js';

const leadsToForm = (click: Click): click is FormClick => click.act !== 'approve' && click.act !== 'claim';

@Injectable()
export class SlackDoor {
  constructor(
    @Inject(SlackCheck) private readonly check: SlackCheck,
    @Inject(SlackClicks) private readonly clicks: SlackClicks,
    @Inject(SlackForms) private readonly forms: SlackForms,
    @Inject(SlackSubmissions) private readonly submissions: SlackSubmissions,
  ) {}

  /** An empty 200 is all that Slack waits for; only a modal is answered with more. */
  async interact(signed: SlackSigned): Promise<Result<ViewAnswer>> {
    const text = this.check.textOf(signed);
    if (!text.ok) return text;
    const read = parseSlackInteraction(text.value);
    return read.ok ? this.take(read.value) : read;
  }

  /** However it came, it came from Slack. */
  async take(interaction: SlackInteraction): Promise<Result<ViewAnswer>> {
    switch (interaction.kind) {
      case 'other':
        return ok(undefined);
      case 'submission':
        return ok(await this.submissions.take(interaction));
      case 'click':
        return leadsToForm(interaction) ? this.open(interaction) : this.clicks.take(interaction);
    }
  }

  private async open(click: FormClick): Promise<Result<undefined>> {
    if (await this.clicks.isFirst(click)) await this.forms.openSoon(click);
    return ok(undefined);
  }
}
