/** Answers the frames that change the session itself: its token and its view of the inbox. */
import { Inject, Injectable } from '@nestjs/common';
import { can } from '@triptych/access';
import type { TokenVerifier } from '@triptych/access';
import { ok, refuse, type Result } from '@triptych/protocol';
import { InboxDesk } from '../approvals/inbox-desk.js';
import { TOKENS } from '../identity/tokens.providers.js';
import type { OpenSession } from '../rooms/sessions.js';

@Injectable()
export class SessionDesk {
  constructor(
    @Inject(TOKENS) private readonly tokens: TokenVerifier,
    @Inject(InboxDesk) private readonly inbox: InboxDesk,
  ) {}

  async readInbox(session: OpenSession, data: Readonly<Record<string, unknown>>): Promise<Result<unknown>> {
    const page = await this.inbox.page(session.actor, data.filter);
    if (!page.ok) return page;
    const { filter, reply } = page.value;
    session.inbox = { filter, known: new Set(reply.items.map(({ taskId }) => taskId)) };
    return ok(reply);
  }

  leaveInbox(session: OpenSession): Promise<Result<unknown>> {
    delete session.inbox;
    return Promise.resolve(ok({}));
  }

  /** The same person with a newer token; a role that was lost ends the session. */
  async reauthenticate(session: OpenSession, token: unknown): Promise<Result<unknown>> {
    if (typeof token !== 'string') return refuse('INVALID_INPUT', { details: { pointer: '/token' } });
    const verified = await this.tokens.verify(token);
    if (!verified.ok) return verified;
    const actor = verified.value;
    if (actor.subject !== session.actor.subject || actor.tenant !== session.actor.tenant)
      return refuse('FORBIDDEN');
    if (!can(actor, 'surface.open', { tenant: actor.tenant, surface: session.surface })) {
      session.session.close('FORBIDDEN');
      return refuse('FORBIDDEN');
    }
    session.actor = actor;
    session.session.renew(actor.expiresAt);
    return ok({ expiresAt: actor.expiresAt });
  }
}
