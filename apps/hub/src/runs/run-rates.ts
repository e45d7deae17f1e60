/** Counts how often each person asks for a run on this instance, and refuses who asks too often. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Clock, Settings } from '@triptych/platform';
import { CLOCK, SETTINGS } from '@triptych/platform/nest';
import type { Result } from '@triptych/protocol';
import { Buckets } from './buckets.js';

@Injectable()
export class RunRates {
  private readonly buckets = new Buckets();

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'limits'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  take(actor: Pick<Actor, 'tenant' | 'subject'>): Result<true> {
    const { runsPerMinute: perMinute, runsBurst: burst } = this.settings.limits;
    return this.buckets.take(actor, { limit: 'RATE_RUNS', perMinute, burst }, this.clock.now());
  }
}
