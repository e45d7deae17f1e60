/** Counts how often each person asks for a reveal on this instance, and refuses who asks too often. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Clock } from '@triptych/platform';
import { CLOCK } from '@triptych/platform/nest';
import type { Result } from '@triptych/protocol';
import { Buckets, type Bounded } from '../runs/buckets.js';

/** A person reads what they ask for; a program that empties the vault does not. */
const REVEALS: Bounded = { limit: 'REVEALS', perMinute: 30, burst: 30 };

@Injectable()
export class RevealRates {
  private readonly buckets = new Buckets();

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  take(actor: Actor): Result<true> {
    return this.buckets.take(actor, REVEALS, this.clock.now());
  }
}
