/** The attach door: one surface of a thread as Server-Sent Events that can be resumed. */
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { EVENT_STREAM, httpLine, serveAttach } from '@triptych/fanout';
import { asPosition, refusal } from '@triptych/protocol';
import type { Response } from 'express';
import { parseProfile } from '../http/parse-profile.js';
import { Refused, valueOf } from '../http/refused.js';
import { type CalledBy, Caller, TicketDoor } from '../identity/caller.js';
import { SESSION_TOOLS, type SessionTools } from '../rooms/session-tools.js';
import { ThreadAccess } from './thread-access.js';

/** An empty one says nothing. */
const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

@Controller('v1/threads/:thread/events')
export class EventsController {
  constructor(
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(SESSION_TOOLS) private readonly tools: SessionTools,
  ) {}

  @Get()
  @TicketDoor()
  async attach(
    @Caller() actor: Actor,
    @Param('thread') threadId: string,
    @Req() { query, headers, ticketSurface }: CalledBy,
    @Res() response: Response,
  ): Promise<void> {
    const surface = query.surface ?? ticketSurface;
    if (ticketSurface && surface !== ticketSurface) throw new Refused(refusal('UNAUTHENTICATED'));
    const { thread, surface: shown } = valueOf(await this.access.find(actor, threadId, surface));
    const words = valueOf(parseProfile(query.profile));
    const position = textIn(headers['last-event-id']) ?? textIn(query.after);
    const { threadId: read } = thread;
    await this.tools.noteReading(actor, { threadId: read, surface: shown, after: { live: true } });
    const { expiresAt } = actor;
    const line = httpLine({ ...this.tools, response, encoding: EVENT_STREAM, expiresAt });
    valueOf(this.tools.doors.addStream(line, actor));
    await serveAttach({
      ...this.tools,
      line,
      render: words?.(),
      thread: read,
      surface: shown,
      who: actor.subject,
      from: position === undefined ? undefined : asPosition(position),
    });
  }
}
