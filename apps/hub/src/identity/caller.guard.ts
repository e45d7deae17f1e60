/** Lets nobody through an HTTP door without a valid token, unless the door says it is public. */
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { refusal } from '@triptych/protocol';
import { Refused } from '../http/refused.js';
import { PUBLIC_DOOR, type CalledBy } from './caller.js';
import { bearerOf } from './bearer.js';
import { TOKENS, type TokenVerifier } from './tokens.providers.js';

@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(TOKENS) private readonly tokens: TokenVerifier,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride(PUBLIC_DOOR, [context.getHandler(), context.getClass()]))
      return true;
    const request = context.switchToHttp().getRequest<CalledBy>();
    const token = bearerOf(request.headers.authorization);
    if (token === undefined) throw new Refused(refusal('UNAUTHENTICATED'));
    const actor = await this.tokens.verify(token);
    if (!actor.ok) throw new Refused(actor.refusal);
    request.actor = actor.value;
    return true;
  }
}
