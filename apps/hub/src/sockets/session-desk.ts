/** Answers the frames that change the session itself: its token and its view of the inbox. */
import { Inject, Injectable } from '@nestjs/common';
import { forbidden, type TokenVerifier } from '@triptych/access';
import type { FrameHandler } from '@triptych/fanout';
import { ok, refuse, type Result } from '@triptych/protocol';
import { InboxDesk } from '../approvals/inbox-desk.js';
import { NewsDesk } from '../approvals/news-desk.js';
import { TOKENS } from '../identity/tokens.providers.js';
import type { Missed, OpenSession } from '../rooms/sessions.js';
import { RightsDesk } from './rights-desk.js';

@Injectable()
export class SessionDesk {
  constructor(
    @Inject(TOKENS) private readonly tokens: TokenVerifier,
    @Inject(InboxDesk) private readonly inbox: InboxDesk,
    @Inject(RightsDesk) private readonly rights: RightsDesk,
    @Inject(NewsDesk) private readonly news: NewsDesk,
  ) {}

  async readInbox(session: OpenSession, data: Readonly<Record<string, unknown>>): Promise<Result<unknown>> {
    const { actor } = session;
    const missed: Missed = { taskIds: new Set(), all: false };
    session.missed = missed;
    const page = await this.inbox.page(actor, data).finally(() => {
      if (session.missed === missed) delete session.missed;
    });
    // Its rights became others meanwhile: what was found may not be for it any more.
    if (session.actor !== actor) return this.readInbox(session, data);
    if (!page.ok) return page;
    const { filter, reply } = page.value;
    session.inbox = {
      filter,
      known: new Set(reply.items.map(({ taskId }) => taskId)),
      counts: reply.counts,
    };
    this.news.catchUp(session, missed);
    return ok(reply);
  }

  leaveInbox(session: OpenSession): Promise<Result<unknown>> {
    delete session.inbox;
    return Promise.resolve(ok({}));
  }

  /** The same person with a newer token; a role that was lost ends the session. */
  async reauthenticate(session: OpenSession, token: unknown): ReturnType<FrameHandler> {
    if (typeof token !== 'string') return refuse('INVALID_INPUT', { details: { pointer: '/token' } });
    const verified = await this.tokens.verify(token);
    if (!verified.ok) return verified;
    const { through } = session.actor;
    const actor = { ...verified.value, ...(through ? { through } : {}) };
    if (actor.subject !== session.actor.subject || actor.tenant !== session.actor.tenant)
      return forbidden('the token is somebody else’s');
    return (await this.rights.become(session, actor))
      ? ok({ expiresAt: actor.expiresAt })
      : { ...forbidden('the token has no role for this surface'), thenClose: 'FORBIDDEN' };
  }
}
