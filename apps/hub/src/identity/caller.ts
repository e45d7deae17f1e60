/** Names the caller of an HTTP request in a controller's signature, and the doors that need none. */
import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Request } from 'express';

export interface CalledBy extends Request {
  actor?: Actor;
}

export const PUBLIC_DOOR = 'triptych:public-door';
/** This door asks for no token. */
export const PublicDoor = () => SetMetadata(PUBLIC_DOOR, true);

export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): Actor => {
  const { actor } = context.switchToHttp().getRequest<CalledBy>();
  if (!actor) throw new Error('a door without a caller asks for one');
  return actor;
});
