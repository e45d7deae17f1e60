/** The attach door: one surface of a thread as Server-Sent Events that can be resumed. */
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { serveAttach } from '@triptych/fanout';
import { asPosition, refusal } from '@triptych/protocol';
import type { Response } from 'express';
import { Refused } from '../http/refused.js';
import { type CalledBy, Caller, TicketDoor } from '../identity/caller.js';
import { SESSION_TOOLS, type SessionTools } from '../rooms/session-tools.js';
import { ThreadAccess } from './thread-access.js';

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

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
    const seen = await this.access.find(actor, threadId, surface);
    if (!seen.ok) throw new Refused(seen.refusal);
    const position = textIn(headers['last-event-id']) ?? textIn(query.after);
    await serveAttach({
      ...this.tools,
      response,
      thread: seen.value.thread.threadId,
      surface: seen.value.surface,
      expiresAt: actor.expiresAt,
      from: position === undefined ? undefined : asPosition(position),
    });
  }
}
