/** Counts how often each person asks for a reveal on this instance, and refuses who asks too often. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Clock } from '@triptych/platform';
import { CLOCK } from '@triptych/platform/nest';
import { ok, refuse, type Result } from '@triptych/protocol';
import { Buckets } from '../runs/buckets.js';

/** A person reads what they ask for; a program that empties the vault does not. */
const REVEALS: { readonly perMinute: number; readonly burst: number } = { perMinute: 30, burst: 30 };

@Injectable()
export class RevealRates {
  private readonly buckets = new Buckets();

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  take(actor: Actor): Result<true> {
    const drawn = this.buckets.draw(actor, REVEALS, this.clock.now());
    if (drawn.passes) return ok(true);
    return refuse('RATE_LIMITED', { retryAfterMs: drawn.retryAfterMs, details: { limit: 'REVEALS' } });
  }
}
