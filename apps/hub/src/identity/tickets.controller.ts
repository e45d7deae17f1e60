/** Gives a caller a ticket to open one socket with. */
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { can, type Actor } from '@triptych/access';
import { ok, refuse, SURFACES, type Surface } from '@triptych/protocol';
import { IsIn } from 'class-validator';
import { parseDto } from '../http/parse-dto.js';
import { Caller } from './caller.js';
import { Tickets } from './tickets.js';

class TicketDto {
  @IsIn(SURFACES)
  surface!: Surface;
}

@Controller('v1/tickets')
export class TicketsController {
  constructor(@Inject(Tickets) private readonly tickets: Tickets) {}

  @Post()
  @HttpCode(201)
  async issue(@Caller() actor: Actor, @Body() body: unknown) {
    const asked = parseDto(TicketDto, body);
    if (!asked.ok) return asked;
    const { surface } = asked.value;
    if (!can(actor, 'surface.open', { tenant: actor.tenant, surface })) return refuse('FORBIDDEN');
    return ok(await this.tickets.issue({ actor, surface }));
  }
}
