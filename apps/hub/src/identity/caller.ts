/** Names the caller of an HTTP request in a controller's signature, and the doors that need none. */
import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Surface } from '@triptych/protocol';
import type { Request } from 'express';

export interface CalledBy extends Request {
  actor?: Actor;
  /** The one surface that the caller's ticket is good for. */
  ticketSurface?: Surface;
}

export const PUBLIC_DOOR = 'triptych:public-door';
/** This door asks for no token. */
export const PublicDoor = () => SetMetadata(PUBLIC_DOOR, true);

export const TICKET_DOOR = 'triptych:ticket-door';
/** This door takes a ticket for its thread where there is no token. */
export const TicketDoor = () => SetMetadata(TICKET_DOOR, true);

export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): Actor => {
  const { actor } = context.switchToHttp().getRequest<CalledBy>();
  if (!actor) throw new Error('a door without a caller asks for one');
  return actor;
});
