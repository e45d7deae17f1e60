/** Judges anew what open sockets read, whenever what their holders may read may have changed. */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { can, type Actor } from '@triptych/access';
import { POLICY, type PolicySource } from '@triptych/assembly/nest';
import { inBackground, type Log, type Shutdown } from '@triptych/platform';
import { LOG, SHUTDOWN } from '@triptych/platform/nest';
import { type OpenSession, Sessions } from '../rooms/sessions.js';

@Injectable()
export class RightsDesk implements OnApplicationBootstrap {
  constructor(
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(POLICY) private readonly policy: PolicySource,
    @Inject(LOG) private readonly log: Log,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
  ) {}

  onApplicationBootstrap(): void {
    const heedNoMore = this.policy.onChange(() => inBackground(this.log, 'rights', this.judgeAll()));
    this.shutdown.add('rights', heedNoMore);
  }

  /** The same person with other rights. False: this surface is not theirs any more, and nothing was changed. */
  async become(open: OpenSession, actor: Actor): Promise<boolean> {
    if (!can(actor, 'surface.open', { tenant: actor.tenant, surface: open.surface })) return false;
    const before = open.actor;
    open.actor = actor;
    open.session.renew(actor.expiresAt);
    if (!sameRights(before, actor)) resetInbox(open);
    await open.session.judge();
    return true;
  }

  /** One after the other: thousands of sockets at once would keep the store from everything else. */
  private async judgeAll(): Promise<void> {
    for (const open of this.sessions.all()) {
      resetInbox(open);
      await open.session.judge();
    }
  }
}

/** What it was told may not be for it any more: it must ask again. */
const resetInbox = ({ inbox, session }: OpenSession): void => {
  if (inbox) session.send('inbox.reset', {});
};

const sameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

const sameRights = (before: Actor, now: Actor): boolean =>
  sameSet(before.roles, now.roles) && sameSet(before.groups, now.groups);
