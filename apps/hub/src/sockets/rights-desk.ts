/** Judges anew what open sockets read, whenever what their holders may read may have changed. */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { can, type Actor } from '@triptych/access';
import { POLICY, type PolicySource } from '@triptych/assembly/nest';
import type { SocketSession } from '@triptych/fanout';
import type { Shutdown } from '@triptych/platform';
import { SHUTDOWN } from '@triptych/platform/nest';
import type { OpenDoor } from '../identity/open-doors.js';
import { SESSION_TOOLS, type SessionTools } from '../rooms/session-tools.js';
import { type OpenSession, Sessions } from '../rooms/sessions.js';
import { resetInbox } from '../approvals/task-news.js';

@Injectable()
export class RightsDesk implements OnApplicationBootstrap {
  constructor(
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(POLICY) private readonly policy: PolicySource,
    @Inject(SESSION_TOOLS) private readonly tools: SessionTools,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
  ) {}

  onApplicationBootstrap(): void {
    const heedNoMore = this.policy.onChange(() => this.inBackground(this.judgeAll()));
    this.shutdown.add('rights', heedNoMore);
  }

  /** Remembers a session and who holds it, and closes it with their token; to be called with what it answers once it is closed. */
  add(open: OpenSession): () => void {
    this.sessions.add(open);
    const narrow = (actor: Actor): void => this.inBackground(this.narrow(open, actor));
    const leave = this.tools.doors.add(new SocketsDoor(open, narrow));
    return () => {
      this.sessions.remove(open);
      leave();
    };
  }

  entryOf(session: SocketSession): OpenSession {
    return this.sessions.entryOf(session);
  }

  /** The same person with other rights. False: this surface is not theirs any more, and nothing was changed. */
  async become(open: OpenSession, actor: Actor): Promise<boolean> {
    if (!can(actor, 'surface.open', { tenant: actor.tenant, surface: open.surface })) return false;
    const before = open.actor;
    open.actor = actor;
    if (actor.expiresAt !== before.expiresAt) open.session.renew(actor.expiresAt);
    if (!sameRights(before, actor)) resetInbox(open);
    await open.session.judge();
    return true;
  }

  /** Some of their roles were revoked. */
  private async narrow(open: OpenSession, actor: Actor): Promise<void> {
    if (!(await this.become(open, actor))) open.session.close('FORBIDDEN');
  }

  /** One after the other: thousands of sockets at once would keep the store from everything else. */
  private async judgeAll(): Promise<void> {
    for (const open of this.sessions.all()) {
      resetInbox(open);
      await open.session.judge();
    }
  }

  private inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.tools.report('rights', error));
  }
}

/** A class, for there are tens of thousands: of a literal with a getter each would have a shape of its own. */
class SocketsDoor implements OpenDoor {
  readonly kind = 'socket';

  constructor(
    private readonly open: OpenSession,
    readonly narrow: (actor: Actor) => void,
  ) {}

  get actor(): Actor {
    return this.open.actor;
  }

  close(reason: 'UNAUTHENTICATED'): void {
    this.open.session.close(reason);
  }
}

const sameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

const sameRights = (before: Actor, now: Actor): boolean =>
  sameSet(before.roles, now.roles) && sameSet(before.groups, now.groups);
