/** Lets nobody through an HTTP door without a valid token, unless the door says it is public, or takes tickets. */
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Actor } from '@triptych/access';
import { ok, refuse, type Result } from '@triptych/protocol';
import { Refused } from '../http/refused.js';
import { bearerOf } from './bearer.js';
import { type CalledBy, PUBLIC_DOOR, TICKET_DOOR } from './caller.js';
import { cameBy } from './passage.js';
import { Tickets } from './tickets.js';
import { TOKENS, type TokenVerifier } from './tokens.providers.js';

interface Called extends Pick<CalledBy, 'ticketSurface'> {
  readonly actor: Actor;
}

@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(TOKENS) private readonly tokens: TokenVerifier,
    @Inject(Tickets) private readonly tickets: Tickets,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.isA(PUBLIC_DOOR, context)) return true;
    const request = context.switchToHttp().getRequest<CalledBy>();
    const caller = await this.callerOf(request, this.isA(TICKET_DOOR, context));
    if (!caller.ok) throw new Refused(caller.refusal);
    Object.assign(request, { ...caller.value, actor: cameBy(caller.value.actor, request) });
    return true;
  }

  private isA(door: string, context: ExecutionContext): boolean {
    return this.reflector.getAllAndOverride(door, [context.getHandler(), context.getClass()]) === true;
  }

  private async callerOf(
    { headers, query, params }: CalledBy,
    takesTickets: boolean,
  ): Promise<Result<Called>> {
    const token = bearerOf(headers.authorization);
    if (token !== undefined) {
      const actor = await this.tokens.verify(token);
      return actor.ok ? ok({ actor: actor.value }) : actor;
    }
    const { ticket } = query;
    if (!takesTickets || typeof ticket !== 'string') return refuse('UNAUTHENTICATED');
    const shown = await this.tickets.show(ticket, String(params.thread));
    return shown.ok ? ok({ actor: shown.value.actor, ticketSurface: shown.value.surface }) : shown;
  }
}
