/** Keeps batches and their tasks in Redis: one hash a batch, replaced by one script, found by indexes written ahead. */
import { readFileSync } from 'node:fs';
import {
  announceTrail,
  asStoreAway,
  storeCall,
  tenantChannel,
  tenantNewsText,
  threadTag,
  timeToMs,
} from '@triptych/platform';
import { StoreAway, trailText } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import type { ApprovalStore, IndexPlace, Loaded, Replaced } from '../core/approval-store.js';
import type { Batch } from '../core/batch.js';
import type { Cause } from '../core/cause.js';
import type { Change } from '../core/change.js';
import { nextExpiry } from '../core/expire.js';
import { notesOf } from '../core/trail.js';
import { batchKey, BUSY_INDEX, flaggedIndex, keysOf, openIndex, pastIndex } from './approval-keys.js';
import { changeRiders, openingRiders, recordRiders, releasedRider, statusRiders } from './batch-riders.js';
import { batchFrom, changedFields, messagesFor, outboxLine, stateText, type Fields } from './stored-batch.js';

/** An index entry whose batch never came is kept this long: the step it announced may still be on its way. Milliseconds. */
const DANGLING_MS = 3_600_000;
/** How soon an entry that leads nowhere yet is looked at again. Milliseconds. */
const LOOK_AGAIN_MS = 60_000;

interface Page {
  readonly after?: IndexPlace;
  readonly limit: number;
}

interface WithScript {
  triptychCompareAndSet(...keysAndArgs: string[]): Promise<number>;
  triptychRelease(...keysAndArgs: string[]): Promise<number>;
}

const OUTCOMES: Readonly<Record<number, Replaced>> = { 1: 'replaced', 0: 'changed', [-1]: 'late' };

const script = (name: string): string => readFileSync(new URL(`./${name}.lua`, import.meta.url), 'utf8');

const memberOf = ({ facts }: Batch): string => `${facts.batchId}@${facts.openedAt}`;
const placeOf = (member: string): { batchId: string; openedAt: number } => {
  const [batchId = '', openedAt] = member.split('@');
  return { batchId, openedAt: Number(openedAt) };
};

/** The text of a pair list `[member, score, …]` as places. */
const placesOf = (flat: readonly string[]): IndexPlace[] =>
  flat.flatMap((member, i) => (i % 2 === 0 ? [{ member, score: Number(flat[i + 1]) }] : []));

export class RedisApprovalStore implements ApprovalStore {
  readonly tagOf = threadTag;
  readonly openingRiders = openingRiders;
  readonly changeRiders = changeRiders;
  readonly statusRiders = statusRiders;
  readonly recordRiders = recordRiders;
  readonly releasedRider = releasedRider;
  private readonly script: WithScript;

  constructor(private readonly redis: Redis) {
    redis.defineCommand('triptychCompareAndSet', { numberOfKeys: 3, lua: script('compare-and-set') });
    redis.defineCommand('triptychRelease', { numberOfKeys: 1, lua: script('release') });
    this.script = redis as unknown as WithScript;
  }

  async now(): Promise<number> {
    return timeToMs(await storeCall(this.redis.time()));
  }

  async load(batchId: string): Promise<Loaded | undefined> {
    const replies = await storeCall(this.redis.pipeline().time().hgetall(batchKey(batchId)).exec());
    const [time, fields] = (replies ?? []).map(([error, value]) => {
      if (error) throw asStoreAway(error);
      return value;
    });
    if (!time || !fields) throw new StoreAway('pipeline answered short');
    const batch = batchFrom(fields as Fields);
    return batch && { now: timeToMs(time as string[]), batch };
  }

  async loadMany(batchIds: readonly string[]): Promise<readonly Loaded[]> {
    const loaded = await Promise.all(batchIds.map((batchId) => this.load(batchId)));
    return loaded.filter((found) => found !== undefined);
  }

  async replace(batch: Batch, change: Change, cause: Cause): Promise<Replaced> {
    const { batchId, threadId, tenant } = batch.facts;
    const { outbox, trail } = keysOf(threadId);
    const fields = changedFields(batch, change);
    const lines = change.news.map((news) => outboxLine(batch, news));
    const records = notesOf(batch, change, cause).map(trailText);
    const outcome = await storeCall(
      this.script.triptychCompareAndSet(
        batchKey(batchId),
        outbox,
        trail,
        String(batch.version),
        stateText(batch.status),
        change.notAfter === undefined ? '' : String(change.notAfter),
        tenantChannel(tenant),
        String(fields.length / 2),
        ...fields,
        String(lines.length),
        ...lines,
        String(records.length),
        ...records,
        ...messagesFor(batch, change),
      ),
    );
    return OUTCOMES[outcome] ?? 'changed';
  }

  async release({ facts: { batchId, threadId, tenant } }: Batch): Promise<void> {
    const news = tenantNewsText({ kind: 'thread', threadId, status: 'idle' });
    await storeCall(this.script.triptychRelease(keysOf(threadId).run, batchId, tenantChannel(tenant), news));
  }

  async heldBy(threadId: string): Promise<string | undefined> {
    return (await storeCall(this.redis.hget(keysOf(threadId).run, 'batch'))) ?? undefined;
  }

  async keysOf(threadId: string): Promise<readonly string[]> {
    const { outbox, batches } = keysOf(threadId);
    const ids = await storeCall(this.redis.zrange(batches, '0', '-1'));
    return [outbox, batches, ...ids.map(batchKey)];
  }

  async batchesOf(threadId: string, limit: number): Promise<{ batchId: string; openedAt: number }[]> {
    const { batches } = keysOf(threadId);
    const flat = await storeCall(this.redis.zrevrange(batches, 0, limit - 1, 'WITHSCORES'));
    return placesOf(flat).map(({ member, score }) => ({ batchId: member, openedAt: score }));
  }

  async announce(batch: Batch): Promise<void> {
    const { tenant, taskIds, openedAt } = batch.facts;
    const pairs = taskIds.flatMap((taskId) => [openedAt, taskId]);
    await Promise.all([
      pairs.length > 0 && storeCall(this.redis.zadd(openIndex(tenant), ...pairs)),
      this.watch(batch, nextExpiry(batch) ?? openedAt),
      this.expectRecord(batch, openedAt),
    ]);
  }

  async expectRecord({ facts }: Batch, now: number): Promise<void> {
    await announceTrail(this.redis, { tenant: facts.tenant, threadId: facts.threadId, now });
  }

  async watch(batch: Batch, at: number): Promise<void> {
    await storeCall(this.redis.zadd(BUSY_INDEX, at, memberOf(batch)));
  }

  async unwatch(batch: Batch): Promise<void> {
    await storeCall(this.redis.zrem(BUSY_INDEX, memberOf(batch)));
  }

  async due(limit: number): Promise<readonly Loaded[]> {
    const now = await this.now();
    const members = await storeCall(this.redis.zrangebyscore(BUSY_INDEX, '-inf', now, 'LIMIT', 0, limit));
    const loaded = await Promise.all(
      members.map(async (member) => (await this.load(placeOf(member).batchId)) ?? this.dangles(member, now)),
    );
    return loaded.filter((found) => found !== undefined);
  }

  async flag({ facts }: Batch): Promise<void> {
    await storeCall(this.redis.zadd(flaggedIndex(facts.tenant), facts.openedAt, facts.batchId));
  }

  async unflag({ facts }: Batch): Promise<void> {
    await storeCall(this.redis.zrem(flaggedIndex(facts.tenant), facts.batchId));
  }

  flagged(tenant: string, page: Page): Promise<IndexPlace[]> {
    return this.page(flaggedIndex(tenant), page);
  }

  tasksOf(tenant: string, page: Page & { readonly index: 'open' | 'past' }): Promise<IndexPlace[]> {
    return this.page(page.index === 'open' ? openIndex(tenant) : pastIndex(tenant), page);
  }

  private async page(key: string, { after, limit }: Page): Promise<IndexPlace[]> {
    const places: IndexPlace[] = [];
    // Tasks of one batch share a score, so the page begins within the score where the last one ended.
    for (let offset = 0; places.length < limit; offset += limit) {
      const max = after?.score ?? '+inf';
      const flat = await storeCall(
        this.redis.zrevrangebyscore(key, max, '-inf', 'WITHSCORES', 'LIMIT', offset, limit),
      );
      const found = placesOf(flat);
      places.push(...found.filter((place) => isAfter(place, after)));
      if (found.length < limit) break;
    }
    return places.slice(0, limit);
  }

  async retire(batch: Batch, taskIds: readonly string[]): Promise<void> {
    if (taskIds.length === 0) return;
    const { tenant, openedAt } = batch.facts;
    await storeCall(this.redis.zadd(pastIndex(tenant), ...taskIds.flatMap((taskId) => [openedAt, taskId])));
    await storeCall(this.redis.zrem(openIndex(tenant), ...taskIds));
  }

  async forget(tenant: string, taskIds: readonly string[]): Promise<void> {
    if (taskIds.length > 0) await storeCall(this.redis.zrem(openIndex(tenant), ...taskIds));
  }

  private async dangles(member: string, now: number): Promise<undefined> {
    const old = now - placeOf(member).openedAt > DANGLING_MS;
    if (old) await storeCall(this.redis.zrem(BUSY_INDEX, member));
    else await storeCall(this.redis.zadd(BUSY_INDEX, 'XX', now + LOOK_AGAIN_MS, member));
  }
}

const isAfter = (place: IndexPlace, after: IndexPlace | undefined): boolean =>
  !after || place.score < after.score || (place.score === after.score && place.member < after.member);
