/** Knows who acts in Slack: a linked person of this workspace who still is one, with their own rights, or nobody. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { SlackCaller, SlackPerson } from '@triptych/bridges';
import type { Clock } from '@triptych/platform';
import { CLOCK } from '@triptych/platform/nest';
import { refuse, type Result } from '@triptych/protocol';
import { LinkedCallers } from '../linked-callers.js';
import { notLinkedWords } from './slack-words.js';
import { SLACK, type SlackInstallation } from './slack-api.providers.js';

/** Whoever was deactivated stays out after so long at the latest. */
const BELIEVED_MS = 5 * 60_000;
/** People who are remembered at a time; beyond that the longest known is asked for again. */
const MAX_KNOWN = 5_000;

interface Known {
  readonly person: SlackPerson | undefined;
  readonly at: number;
}

const forbid = (message: string): Result<never> => refuse('FORBIDDEN', { message });

@Injectable()
export class SlackPeople {
  private readonly known = new Map<string, Known>();

  constructor(
    @Inject(SLACK) private readonly slack: SlackInstallation | undefined,
    @Inject(LinkedCallers) private readonly callers: LinkedCallers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** `requestId`: what the call is known by. Rejects while Slack cannot say who somebody is. */
  async actor(by: SlackCaller, requestId: string): Promise<Result<Actor>> {
    if (!this.isOurs(by)) return forbid('This comes from another workspace.');
    if (by.userTeam !== by.team)
      return forbid('You are a guest of this channel: only people of its workspace decide here.');
    const name = { kind: 'slack', id: `${by.team}:${by.user}` } as const;
    const actor = this.callers.actor(name, { via: 'slack', requestId });
    if (!actor.ok) return actor.refusal.code === 'FORBIDDEN' ? forbid(notLinkedWords(name.id)) : actor;
    return (await this.isActive(by)) ? actor : forbid('Your Slack account is not active.');
  }

  private isOurs({ team, app, enterprise }: SlackCaller): boolean {
    const { from } = this.slack ?? {};
    if (!from) return false;
    const isApp = from.app === undefined || from.app === app;
    return from.team === team && isApp && (from.enterprise === undefined || from.enterprise === enterprise);
  }

  private async isActive({ user, team }: SlackCaller): Promise<boolean> {
    const person = await this.personOf(user);
    return (
      person !== undefined && !person.deleted && !person.isBot && !person.isStranger && person.team === team
    );
  }

  private async personOf(user: string): Promise<SlackPerson | undefined> {
    const now = this.clock.now();
    const known = this.known.get(user);
    if (known && now - known.at < BELIEVED_MS) return known.person;
    const person = await this.slack?.api.person(user);
    this.known.delete(user);
    this.known.set(user, { person, at: now });
    const [longest] = this.known.keys();
    if (this.known.size > MAX_KNOWN && longest !== undefined) this.known.delete(longest);
    return person;
  }
}
