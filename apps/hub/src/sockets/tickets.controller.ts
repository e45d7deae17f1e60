/** Gives a caller a ticket: to open one socket with, or to read one thread by. */
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { permit, type Actor } from '@triptych/access';
import { ok, SURFACES, type Result, type Surface } from '@triptych/protocol';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { parseDto } from '../http/parse-dto.js';
import { Caller } from '../identity/caller.js';
import { type TicketFor, Tickets } from '../identity/tickets.js';
import { ThreadAccess } from '../threads/thread-access.js';

class TicketDto {
  @IsIn(SURFACES)
  surface!: Surface;

  @IsOptional()
  @IsString()
  threadId?: string;
}

@Controller('v1/tickets')
export class TicketsController {
  constructor(
    @Inject(Tickets) private readonly tickets: Tickets,
    @Inject(ThreadAccess) private readonly access: ThreadAccess,
  ) {}

  @Post()
  @HttpCode(201)
  async issue(@Caller() actor: Actor, @Body() body: unknown) {
    const asked = parseDto(TicketDto, body);
    if (!asked.ok) return asked;
    const opens = await this.allowed(actor, asked.value);
    return opens.ok ? ok(await this.tickets.issue({ actor, ...opens.value })) : opens;
  }

  private async allowed(actor: Actor, { surface, threadId }: TicketDto): Promise<Result<TicketFor>> {
    if (threadId === undefined) {
      const opens = permit(actor, 'surface.open', { tenant: actor.tenant, surface });
      return opens.ok ? ok({ surface }) : opens;
    }
    const seen = await this.access.find(actor, threadId, surface);
    return seen.ok ? ok({ surface, threadId: seen.value.thread.threadId }) : seen;
  }
}
