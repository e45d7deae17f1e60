/** Keeps what is for those who run the house behind METRICS_TOKEN, where one is set. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Settings } from '@triptych/platform';
import { SETTINGS } from '@triptych/platform/nest';
import { refusal } from '@triptych/protocol';
import type { Request } from 'express';
import { Refused } from '../http/refused.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

@Injectable()
export class InsideGuard implements CanActivate {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const { metricsToken } = this.settings;
    if (metricsToken === undefined) return true;
    const { authorization = '' } = context.switchToHttp().getRequest<Request>().headers;
    const [, token = ''] = /^bearer +(.*)$/iu.exec(authorization) ?? [];
    if (timingSafeEqual(digest(token), digest(metricsToken))) return true;
    throw new Refused(refusal('UNAUTHENTICATED'));
  }
}
