/** Knows whether what this instance needs is there. */
import { Inject, Injectable } from '@nestjs/common';
import { EVENT_LOG, type RedisEventLog } from '@triptych/assembly/nest';
import { REDIS } from '@triptych/platform/nest';
import type { Redis } from 'ioredis';

@Injectable()
export class Readiness {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(EVENT_LOG) private readonly log: RedisEventLog,
  ) {}

  /** Ready is more than connected: the subscription must have been proven alive. */
  parts() {
    return { store: this.redis.status === 'ready', feed: this.log.healthy() };
  }
}
