/** Hears what Slack tells of by itself: that the address is right, and that the app was thrown out. */
import { Inject, Injectable } from '@nestjs/common';
import { parseSlackEvent, type SlackEvent, type SlackSigned } from '@triptych/bridges';
import type { Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import { ok, type Result } from '@triptych/protocol';
import { SlackCheck } from './slack-check.js';

/** From then on nothing can be shown there; operators learn of it by the dead letters too. */
const ENDS: ReadonlySet<string> = new Set(['app_uninstalled', 'tokens_revoked']);

type Ack = { readonly challenge: string } | undefined;

@Injectable()
export class SlackEvents {
  constructor(
    @Inject(SlackCheck) private readonly check: SlackCheck,
    @Inject(LOG) private readonly log: Log,
  ) {}

  hear(signed: SlackSigned): Result<Ack> {
    const text = this.check.textOf(signed);
    if (!text.ok) return text;
    const read = parseSlackEvent(text.value);
    if (!read.ok) return read;
    return this.take(read.value);
  }

  take(event: SlackEvent): Result<Ack> {
    if (event.kind === 'challenge') return ok({ challenge: event.challenge });
    if (event.kind === 'event' && ENDS.has(event.type))
      this.log.warn('slack.gone', { team: event.team, event: event.type });
    return ok(undefined);
  }
}
