/** Speaks to people in Teams where a card cannot, and writes down who was turned away. */
import { Inject, Injectable } from '@nestjs/common';
import { type InvokeAnswer, namesOf, placeIdOf, type TeamsActivity, textMessage } from '@triptych/bridges';
import { writeTrail } from '@triptych/platform';
import { REDIS } from '@triptych/platform/nest';
import type { Refusal } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import { TEAMS, type TeamsInstallation } from './teams.providers.js';

/** The tenant of whoever has no place to be of one. */
const NO_TENANT = 'default';

const wordsIn = (answer: InvokeAnswer): string | undefined => {
  if (typeof answer.value === 'string') return answer.value;
  return 'message' in answer.value ? answer.value.message : undefined;
};

@Injectable()
export class TeamsVoice {
  constructor(
    @Inject(TEAMS) private readonly teams: TeamsInstallation | undefined,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  strangerWords({ from }: TeamsActivity, { code, message }: Refusal): string {
    if (code !== 'FORBIDDEN') return `${message} Nothing was done.`;
    const [name] = namesOf(from);
    return `Your Teams account is not linked to anybody here, so nothing was done. Please link your account: whoever runs the hub adds ${name} to its people.`;
  }

  /** For clients that cannot show an answer; what became of the task they see on its card. */
  async say(activity: TeamsActivity, answer: InvokeAnswer): Promise<object> {
    const words = wordsIn(answer);
    if (words === undefined || !this.teams) return {};
    const spot = { serviceUrl: activity.serviceUrl, conversation: activity.conversation.id };
    await this.teams.connector.reply(spot, activity.id, textMessage(words));
    return {};
  }

  /** Kept when this returns. */
  async record(activity: TeamsActivity, taskId: string, { code, message }: Refusal): Promise<void> {
    const names = namesOf(activity.from);
    await writeTrail(this.redis, {
      tenant: this.teams?.placeOf([placeIdOf(activity), ...names])?.tenant ?? NO_TENANT,
      actor: { id: `teams:${names[0]}`, via: 'teams' },
      action: 'bridge.turned-away',
      subject: { task: taskId },
      after: { code, message },
      requestId: activity.id,
    });
  }
}
