/** Tells people in Slack why nothing came of what they did, where only they see it, and writes down who was turned away. */
import { Inject, Injectable } from '@nestjs/common';
import { BRIDGES } from '@triptych/assembly/nest';
import { slackNote, type BridgesFile, type SlackCaller } from '@triptych/bridges';
import { writeTrail, type Clock } from '@triptych/platform';
import { CLOCK, REDIS } from '@triptych/platform/nest';
import type { Refusal } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { SLACK, type SlackInstallation } from './slack-api.providers.js';
import { refusalWords } from './slack-words.js';

export interface Told {
  readonly by: SlackCaller;
  readonly channel: string;
}

export interface TurnedAway {
  readonly by: SlackCaller;
  readonly channel: string;
  readonly taskId: string | undefined;
  readonly requestId: string;
}

/** The tenant of whoever has no place to be of one. */
const NO_TENANT = 'default';

@Injectable()
export class SlackVoice {
  constructor(
    @Inject(SLACK) private readonly slack: SlackInstallation | undefined,
    @Inject(BRIDGES) private readonly file: BridgesFile,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  /** Rejects when Slack does not take it. */
  async tell({ by, channel }: Told, text: string, link?: string): Promise<void> {
    await this.slack?.api.whisper({ channel, user: by.user, ...slackNote(text, link) });
  }

  wordsFor(by: SlackCaller, refusal: Refusal): string {
    const { tenant } = this.file.people.find({ kind: 'slack', id: `${by.team}:${by.user}` }) ?? {};
    const nameOf = (subject: string): string =>
      (tenant === undefined ? undefined : this.file.people.nameOf(tenant, subject)) ?? subject;
    return refusalWords(refusal, { nameOf, now: this.clock.now() });
  }

  /** Kept when this returns. */
  async record({ by, channel, taskId, requestId }: TurnedAway, { code, message }: Refusal): Promise<void> {
    await writeTrail(this.redis, {
      tenant: this.slack?.placeOf(channel, by.user)?.tenant ?? NO_TENANT,
      actor: { id: `slack:${by.team}:${by.user}`, via: 'slack' },
      action: 'bridge.turned-away',
      subject: taskId === undefined ? {} : { task: taskId },
      after: { code, message },
      requestId,
    });
  }
}
