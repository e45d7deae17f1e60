/** Keeps batches and their tasks in Redis: one hash a batch, replaced by one script, found by indexes written ahead. */
import { readFileSync } from 'node:fs';
import {
  announceTrail,
  asStoreAway,
  noticeSet,
  storeCall,
  tenantChannel,
  tenantNewsText,
  threadTag,
  timeToMs,
} from '@triptych/platform';
import { isStoreAway, StoreAway, trailText } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import {
  UnreadableBatch,
  type ApprovalStore,
  type Loaded,
  type LoadedAll,
  type Replaced,
} from '../core/approval-store.js';
import type { Batch, BatchFacts } from '../core/batch.js';
import type { Cause } from '../core/cause.js';
import type { Change } from '../core/change.js';
import { nextLook } from '../core/due.js';
import { notesOf } from '../core/trail.js';
import { batchKey, keysOf } from './approval-keys.js';
import {
  changeRiders,
  failedLateRiders,
  openingRiders,
  recordRiders,
  releasedRider,
  statusRiders,
} from './batch-riders.js';
import { DueIndex } from './due-index.js';
import { FlaggedIndex } from './flagged-index.js';
import { InboxIndex } from './inbox-index.js';
import { placesOf } from './index-page.js';
import { batchFrom, factsFrom, type Fields } from './read-batch.js';
import { changedFields, messagesFor, outboxLine, stateText } from './stored-batch.js';

type Reply = readonly [error: Error | null, result: unknown];

/** Batches read by one question: more would keep everybody else waiting. */
const AT_ONCE = 100;

/** By then what is announced has been done; whoever is awake hears of it at once. */
const NOTICE_MS = 500;

export interface StoreOptions {
  /** Bridges show tasks: they are told of batches that are about to change. */
  readonly noticed?: boolean;
}

interface WithScript {
  triptychCompareAndSet(...keysAndArgs: string[]): Promise<number>;
  triptychRelease(...keysAndArgs: string[]): Promise<number>;
}

const OUTCOMES: Readonly<Record<number, Replaced>> = { 1: 'replaced', 0: 'changed', [-1]: 'late' };

const script = (name: string): string => readFileSync(new URL(`./${name}.lua`, import.meta.url), 'utf8');

export class RedisApprovalStore implements ApprovalStore {
  readonly tagOf = threadTag;
  readonly openingRiders = openingRiders;
  readonly changeRiders = changeRiders;
  readonly statusRiders = statusRiders;
  readonly recordRiders = recordRiders;
  readonly failedLateRiders = failedLateRiders;
  readonly releasedRider = releasedRider;
  private readonly script: WithScript;
  private readonly dues: DueIndex;
  private readonly flags: FlaggedIndex;
  private readonly inbox: InboxIndex;
  private readonly notices: ReturnType<typeof noticeSet> | undefined;

  constructor(
    private readonly redis: Redis,
    { noticed = false }: StoreOptions = {},
  ) {
    if (noticed) this.notices = noticeSet(redis);
    redis.defineCommand('triptychCompareAndSet', { numberOfKeys: 3, lua: script('compare-and-set') });
    redis.defineCommand('triptychRelease', { numberOfKeys: 1, lua: script('release') });
    this.script = redis as unknown as WithScript;
    this.dues = new DueIndex(redis);
    this.flags = new FlaggedIndex(redis);
    this.inbox = new InboxIndex(redis);
  }

  async now(): Promise<number> {
    return timeToMs(await storeCall(this.redis.time()));
  }

  async load(batchId: string): Promise<Loaded | undefined> {
    const [found] = await this.read([batchId]);
    if (found instanceof UnreadableBatch) throw found;
    return found;
  }

  async loadMany(batchIds: readonly string[]): Promise<readonly Loaded[]> {
    return (await this.loadAll(batchIds)).loaded;
  }

  async loadAll(batchIds: readonly string[]): Promise<LoadedAll> {
    const loaded: Loaded[] = [];
    const damaged: UnreadableBatch[] = [];
    for (let at = 0; at < batchIds.length; at += AT_ONCE)
      for (const found of await this.read(batchIds.slice(at, at + AT_ONCE)))
        if (found instanceof UnreadableBatch) damaged.push(found);
        else if (found) loaded.push(found);
    return { loaded, damaged };
  }

  /** By one question, and by the clock at its beginning. */
  private async read(batchIds: readonly string[]): Promise<readonly Read[]> {
    const asked = this.redis.pipeline().time();
    for (const batchId of batchIds) asked.hgetall(batchKey(batchId));
    const [time, ...replies] = (await storeCall(asked.exec())) ?? [];
    if (!time || replies.length < batchIds.length) throw new StoreAway('pipeline answered short');
    const [error, clock] = time;
    if (error) throw asStoreAway(error);
    const now = timeToMs(clock as string[]);
    return batchIds.map((batchId, i) => readFrom(batchId, now, replies[i]));
  }

  async factsOf(batchId: string): Promise<BatchFacts | undefined> {
    try {
      return factsFrom(batchId, await storeCall(this.redis.hget(batchKey(batchId), 'facts')));
    } catch (error) {
      if (isStoreAway(error)) throw error;
      return undefined;
    }
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
    const { openedAt } = batch.facts;
    await Promise.all([
      this.inbox.enter(batch),
      this.watch(batch, nextLook(batch, openedAt) ?? openedAt),
      this.expectRecord(batch, openedAt),
    ]);
  }

  async expectRecord({ facts: { batchId, tenant, threadId } }: Batch, now: number): Promise<void> {
    await Promise.all([
      announceTrail(this.redis, { tenant, threadId, now }),
      this.notices?.watch(batchId, now + NOTICE_MS),
    ]);
  }

  readonly watch: ApprovalStore['watch'] = (batch, at) => this.dues.watch(batch, at);
  readonly takeDue: ApprovalStore['takeDue'] = (limit) => this.dues.takeDue(limit);
  readonly settle: ApprovalStore['settle'] = (taken, again) => this.dues.settle(taken, again);

  readonly flag: ApprovalStore['flag'] = (facts) => this.flags.flag(facts);
  readonly unflag: ApprovalStore['unflag'] = (facts) => this.flags.unflag(facts);
  readonly flagged: ApprovalStore['flagged'] = (tenant, page) => this.flags.flagged(tenant, page);

  readonly tasksOf: ApprovalStore['tasksOf'] = (tenant, page) => this.inbox.tasksOf(tenant, page);
  readonly retire: ApprovalStore['retire'] = (batch, taskIds) => this.inbox.retire(batch, taskIds);
  readonly forget: ApprovalStore['forget'] = (tenant, taskIds) => this.inbox.forget(tenant, taskIds);
}

type Read = Loaded | UnreadableBatch | undefined;

const readFrom = (batchId: string, now: number, reply: Reply | undefined): Read => {
  const [error, fields] = reply ?? [null, {}];
  if (error) {
    const known = asStoreAway(error);
    if (isStoreAway(known)) throw known;
    return new UnreadableBatch(batchId, { cause: error });
  }
  try {
    const batch = batchFrom(batchId, fields as Fields);
    return batch && { now, batch };
  } catch (cause) {
    if (cause instanceof UnreadableBatch) return cause;
    throw cause;
  }
};
