/** Lets in what Slack signed, while its door is open. */
import { Inject, Injectable } from '@nestjs/common';
import { checkSlackSignature, type SlackSigned } from '@triptych/bridges';
import type { Clock } from '@triptych/platform';
import { CLOCK } from '@triptych/platform/nest';
import { ok, refuse, type Result } from '@triptych/protocol';
import { SLACK, type SlackInstallation } from './slack-api.providers.js';

@Injectable()
export class SlackCheck {
  constructor(
    @Inject(SLACK) private readonly slack: SlackInstallation | undefined,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The text of what was signed. */
  textOf(signed: SlackSigned): Result<string> {
    if (!this.slack || this.slack.secrets.length === 0) return refuse('NOT_FOUND');
    const checked = checkSlackSignature(signed, { secrets: this.slack.secrets, now: this.clock.now() });
    return checked.ok ? ok(Buffer.from(signed.body).toString()) : checked;
  }
}
