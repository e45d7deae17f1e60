/** Counts how often each person asks for a run on this instance, and refuses who asks too often. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Clock, Settings } from '@triptych/platform';
import { CLOCK, SETTINGS } from '@triptych/platform/nest';
import { ok, refuse, type Result } from '@triptych/protocol';
import { type Bucket, draw } from './token-bucket.js';

/** People remembered at once; whoever asked longest ago is forgotten first, and their bucket is the likeliest to be full. */
export const MAX_PEOPLE = 10_000;

@Injectable()
export class RunRates {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'limits'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  take({ tenant, subject }: Pick<Actor, 'tenant' | 'subject'>): Result<true> {
    const { runsPerMinute: perMinute, runsBurst: burst } = this.settings.limits;
    const key = JSON.stringify([tenant, subject]);
    const drawn = draw(this.buckets.get(key), { perMinute, burst }, this.clock.now());
    this.keep(key, drawn.bucket);
    if (drawn.passes) return ok(true);
    const { retryAfterMs } = drawn;
    return refuse('RATE_LIMITED', { retryAfterMs, details: { limit: 'RATE_RUNS' } });
  }

  private keep(key: string, bucket: Bucket): void {
    // Taken out first: a map keeps the order in which its members came in.
    this.buckets.delete(key);
    this.buckets.set(key, bucket);
    const [oldest] = this.buckets.keys();
    if (this.buckets.size > MAX_PEOPLE && oldest !== undefined) this.buckets.delete(oldest);
  }
}
