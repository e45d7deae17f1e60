/** Answers probes: alive, and ready to serve. */
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { PublicDoor } from '../identity/caller.js';
import { Readiness } from './readiness.js';

@Controller('health')
export class HealthController {
  constructor(@Inject(Readiness) private readonly readiness: Readiness) {}

  @Get('live')
  @PublicDoor()
  live() {
    return { status: 'live' };
  }

  @Get('ready')
  @PublicDoor()
  ready(@Res({ passthrough: true }) response: Response) {
    const parts = this.readiness.parts();
    const ready = parts.store && parts.feed;
    if (!ready) response.status(503);
    return { status: ready ? 'ready' : 'not-ready', ...parts };
  }
}
