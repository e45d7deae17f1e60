/** Keeps what clients brought that does not count, with a tally of each person beside it. */
import type { Redis } from 'ioredis';
import { storeCall, threadKey, timeToMs } from '@triptych/platform';
import type { ThreadId } from '@triptych/protocol';
import { tallied, type BroughtBook } from '../core/brought.js';
import type { Finding } from '../core/findings.js';
import type { Guard, LogToWrite, Rider } from '../core/ports.js';
import { findingRiders } from './findings.js';

/** How often a finding is tallied anew when others of the same person came first; more is a flood, of which enough is kept. */
const MAX_TRIES = 3;

/** subject → day and findings kept of it */
export const broughtKey = (threadId: string): string => threadKey(threadId, 'brought');

interface Deps {
  readonly redis: Redis;
  readonly log: Pick<LogToWrite, 'append'>;
}

interface Entry {
  readonly guard: Guard;
  readonly riders: readonly Rider[];
}

export class RedisBroughtBook implements BroughtBook {
  constructor(private readonly deps: Deps) {}

  async riders(thread: ThreadId, by: string, found: readonly Finding[]): Promise<readonly Rider[]> {
    return found.length === 0 ? [] : (await this.entry(thread, by, found)).riders;
  }

  async keep(thread: ThreadId, by: string, found: readonly Finding[]): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { guard, riders } = await this.entry(thread, by, found);
      if (riders.length === 0) return;
      const reply = await this.deps.log.append({ thread, events: [], guards: [guard], riders });
      if (reply.status !== 'guarded') return;
    }
  }

  private async entry(thread: ThreadId, by: string, found: readonly Finding[]): Promise<Entry> {
    const { redis } = this.deps;
    const key = broughtKey(thread);
    const [held, time] = await storeCall(Promise.all([redis.hget(key, by), redis.time()]));
    const { kept, tally } = tallied(found, { held: held ?? '', now: timeToMs(time), by });
    const riders: Rider[] =
      kept.length === 0 ? [] : [...findingRiders(thread, kept), ['HSET', key, by, tally]];
    return { guard: { key, field: by, equals: held ?? '' }, riders };
  }
}
