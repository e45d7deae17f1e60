/** Answers probes: alive, and ready to serve. */
import { Controller, Get, Inject, Res } from '@nestjs/common';
import { EVENT_LOG, type RedisEventLog } from '@triptych/assembly/nest';
import { REDIS } from '@triptych/platform/nest';
import type { Response } from 'express';
import type { Redis } from 'ioredis';
import { PublicDoor } from '../identity/caller.js';

@Controller('health')
export class HealthController {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(EVENT_LOG) private readonly log: RedisEventLog,
  ) {}

  @Get('live')
  @PublicDoor()
  live() {
    return { status: 'live' };
  }

  /** Ready is more than connected: the subscription must have been proven alive. */
  @Get('ready')
  @PublicDoor()
  ready(@Res({ passthrough: true }) response: Response) {
    const parts = { store: this.redis.status === 'ready', feed: this.log.healthy() };
    const ready = parts.store && parts.feed;
    if (!ready) response.status(503);
    return { status: ready ? 'ready' : 'not-ready', ...parts };
  }
}
