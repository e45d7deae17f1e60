/** Lets a linked person through to the task of the card they acted on; whoever is turned away is written down. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { SlackCaller } from '@triptych/bridges';
import { ok, type Result } from '@triptych/protocol';
import { SlackPeople } from './slack-people.js';
import { SlackTasks, type ShownTask } from './slack-tasks.js';
import { SlackVoice } from './slack-voice.js';

export interface Approach {
  readonly by: SlackCaller;
  readonly channel: string;
  readonly value: string;
  /** What the call is known by. */
  readonly requestId: string;
}

export interface LetThrough extends ShownTask {
  readonly actor: Actor;
}

@Injectable()
export class SlackGate {
  constructor(
    @Inject(SlackPeople) private readonly people: SlackPeople,
    @Inject(SlackTasks) private readonly tasks: SlackTasks,
    @Inject(SlackVoice) private readonly voice: SlackVoice,
  ) {}

  async pass({ by, channel, value, requestId }: Approach): Promise<Result<LetThrough>> {
    const actor = await this.people.actor(by, requestId);
    if (!actor.ok) {
      const taskId = this.tasks.taskIdIn(value);
      await this.voice.record({ by, channel, taskId, requestId }, actor.refusal);
      return actor;
    }
    const shown = await this.tasks.find(actor.value, value);
    return shown.ok ? ok({ actor: actor.value, ...shown.value }) : shown;
  }
}
