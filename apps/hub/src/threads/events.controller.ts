/** The attach door: one surface of a thread as Server-Sent Events that can be resumed. */
import { Controller, Get, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import { serveAttach } from '@triptych/fanout';
import { asPosition } from '@triptych/protocol';
import type { Response } from 'express';
import { Refused } from '../http/refused.js';
import { Caller } from '../identity/caller.js';
import { SESSION_TOOLS } from '../sockets/rooms.providers.js';
import type { SessionTools } from '../sockets/socket-door.js';
import { ThreadAccess } from './thread-access.js';

interface AttachQuery {
  readonly after?: string;
  readonly surface?: string;
}

@Controller('v1/threads/:thread/events')
export class EventsController {
  constructor(
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
    @Inject(SESSION_TOOLS) private readonly tools: SessionTools,
  ) {}

  @Get()
  async attach(
    @Caller() actor: Actor,
    @Param('thread') threadId: string,
    @Res() response: Response,
    @Query() { after, surface }: AttachQuery,
    @Headers('last-event-id') lastEventId?: string,
  ): Promise<void> {
    const seen = await this.access.find(actor, threadId, surface);
    if (!seen.ok) throw new Refused(seen.refusal);
    const position = lastEventId ?? after;
    const stream = await serveAttach({
      ...this.tools,
      response,
      thread: seen.value.thread.threadId,
      surface: seen.value.surface,
      from: position === undefined ? undefined : asPosition(position),
    });
    const untilExpiry = setTimeout(() => stream.end(), Math.max(0, actor.expiresAt - this.tools.clock.now()));
    response.once('close', () => clearTimeout(untilExpiry));
  }
}
