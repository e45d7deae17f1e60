/** A bucket for each person, of as many people as are worth remembering. */
import type { Actor } from '@triptych/access';
import { ok, refuse, type Result } from '@triptych/protocol';
import { type Bucket, draw, type Flow } from './token-bucket.js';

export interface Bounded extends Flow {
  /** The name a refusal gives the bound. */
  readonly limit: string;
}

/** People remembered at once; whoever asked longest ago is forgotten first, and their bucket is the likeliest to be full. */
export const MAX_PEOPLE = 10_000;

export class Buckets {
  private readonly buckets = new Map<string, Bucket>();

  take({ tenant, subject }: Pick<Actor, 'tenant' | 'subject'>, flow: Bounded, now: number): Result<true> {
    const key = JSON.stringify([tenant, subject]);
    const drawn = draw(this.buckets.get(key), flow, now);
    this.keep(key, drawn.bucket);
    if (drawn.passes) return ok(true);
    return refuse('RATE_LIMITED', { retryAfterMs: drawn.retryAfterMs, details: { limit: flow.limit } });
  }

  private keep(key: string, bucket: Bucket): void {
    // Taken out first: a map keeps the order in which its members came in.
    this.buckets.delete(key);
    this.buckets.set(key, bucket);
    const [oldest] = this.buckets.keys();
    if (this.buckets.size > MAX_PEOPLE && oldest !== undefined) this.buckets.delete(oldest);
  }
}
