/** Reads what waits in the streams of a tenant's threads and in its own, and lets go of what was sealed. */
import {
  announceTrail,
  asStoreAway,
  looseTrail,
  pendingTrails,
  storeCall,
  threadTrail,
} from '@triptych/platform';
import type { ChainableCommander, Redis } from 'ioredis';
import { tenantIn, type Waiting } from '../core/sealed-record.js';
import { auditKeys } from './audit-keys.js';
import { afterId, byId } from './stream-ids.js';

/** Threads looked at in one step, and records taken from one while others wait too. */
const SOURCES = 200;
const PER_SOURCE = 50;
/** A sealer that died has left no more than one step of it. */
const LEFT = 500;

type Entry = [id: string, fields: string[]];

/** A thread that said it is about to have a record, and when, as the store writes it. */
export interface Announced {
  readonly thread: string;
  readonly score: string;
}

type Source = Pick<Waiting, 'source' | 'thread'>;

export const sourcesOf = (tenant: string, threads: readonly Announced[]): readonly Source[] => [
  { source: looseTrail(tenant) },
  ...threads.map(({ thread }) => ({ source: threadTrail(thread), thread })),
];

/** A tenant's own stream is read by nobody else, so that nothing in it can be left to others. */
const isForeign = (tenant: string, waiting: Waiting): boolean =>
  waiting.source !== looseTrail(tenant) && (tenantIn(waiting) ?? tenant) !== tenant;

export const answersOf = async (step: ChainableCommander): Promise<unknown[]> => {
  const replies = (await storeCall(step.exec())) ?? [];
  return replies.map(([error, value]) => {
    if (error) throw asStoreAway(error);
    return value;
  });
};

export class WaitingTrails {
  constructor(private readonly redis: Redis) {}

  /** At least one page, so that what belongs to no thread is found where no thread waits. */
  async *threads(tenant: string, since: number): AsyncIterable<readonly Announced[]> {
    const key = pendingTrails(tenant);
    for (let at = 0; ; at += SOURCES) {
      const page = ['WITHSCORES', 'LIMIT', at, SOURCES] as const;
      const flat = await storeCall(this.redis.zrangebyscore(key, since, '+inf', ...page));
      yield flat.flatMap((thread, nth) => (nth % 2 === 0 ? [{ thread, score: flat[nth + 1] ?? '' }] : []));
      if (flat.length < 2 * SOURCES) return;
    }
  }

  /** In the order of their times; `foreign`: those of them that name another tenant. */
  async find(
    tenant: string,
    { since, limit }: { readonly since: number; readonly limit: number },
  ): Promise<{ readonly waiting: readonly Waiting[]; readonly foreign: readonly Waiting[] }> {
    const found: Waiting[] = [];
    // A thread that is announced anew between two pages stands on both.
    const seen = new Set<string>();
    for await (const threads of this.threads(tenant, since)) {
      const sources = sourcesOf(tenant, threads).filter(({ source }) => !seen.has(source));
      for (const { source } of sources) seen.add(source);
      if (sources.length === 0) continue;
      found.push(...(await this.waitingIn(tenant, sources, limit)));
      if (found.length >= limit) break;
    }
    const first = found.toSorted((a, b) => byId(a.id, b.id)).slice(0, limit);
    const foreign = first.filter((one) => isForeign(tenant, one));
    return { waiting: first.filter((one) => !foreign.includes(one)), foreign };
  }

  async marksOf(tenant: string, sources: readonly Source[]): Promise<ReadonlyMap<string, string>> {
    const names = sources.map(({ source }) => source);
    const marks = await storeCall(this.redis.hmget(auditKeys(tenant).marks, ...names));
    return new Map(names.flatMap((source, nth) => (marks[nth] ? [[source, marks[nth]] as const] : [])));
  }

  /** What was sealed, and whose sealer died before it let go of it. */
  async leftBehind(tenant: string, marks: ReadonlyMap<string, string>): Promise<readonly Waiting[]> {
    if (marks.size === 0) return [];
    const step = this.redis.pipeline();
    for (const [source, mark] of marks) step.xrange(source, '-', mark, 'COUNT', LEFT);
    const found = (await answersOf(step)) as Entry[][];
    return [...marks.keys()].flatMap((source, nth) =>
      waitingOf({ source }, found[nth]).filter((one) => !isForeign(tenant, one)),
    );
  }

  /** By name: what is another tenant's may stand between. */
  async drop(sealed: readonly Waiting[]): Promise<void> {
    if (sealed.length === 0) return;
    const ids = new Map<string, string[]>();
    for (const { source, id } of sealed) {
      const some = ids.get(source);
      if (some) some.push(id);
      else ids.set(source, [id]);
    }
    const step = this.redis.pipeline();
    for (const [source, some] of ids) step.xdel(source, ...some);
    await answersOf(step);
  }

  /** AUD-33: whoever announced the stream, its records are looked for by the tenants they name. */
  async tellOwners(foreign: readonly Waiting[], now: number): Promise<void> {
    for (const one of foreign)
      await announceTrail(this.redis, { tenant: tenantIn(one) ?? '', threadId: one.thread ?? '', now });
  }

  private async waitingIn(tenant: string, sources: readonly Source[], limit: number): Promise<Waiting[]> {
    const marks = await this.marksOf(tenant, sources);
    const count = Math.max(PER_SOURCE, Math.floor(limit / sources.length));
    const step = this.redis.pipeline();
    for (const { source } of sources) step.xrange(source, afterId(marks.get(source)), '+', 'COUNT', count);
    const found = (await answersOf(step)) as Entry[][];
    return sources.flatMap((source, nth) => waitingOf(source, found[nth]));
  }
}

const waitingOf = (source: Source, entries: readonly Entry[] = []): Waiting[] =>
  entries.map(([id, fields]) => ({ ...source, id, text: fields[1] ?? '' }));
