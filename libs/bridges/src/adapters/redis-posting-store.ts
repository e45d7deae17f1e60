/** Keeps in Redis what is shown where: postings in their thread's slot, one lane a destination in its own. */
import { readFileSync } from 'node:fs';
import { asStoreAway, DueSet, noticeSet, storeCall, timeToMs } from '@triptych/platform';
import type { Redis } from 'ioredis';
import { NEW_POSTING, type Posting } from '../core/posting.js';
import type { Lead, Left, PostingName, PostingStore, TakenEntry } from '../core/posting-store.js';
import { cardField, cardsKey, ILL, laneKeys } from './bridge-keys.js';
import { LetterStore } from './letter-store.js';

/** A worker that does not come back for so long is gone; no attempt takes as long. Milliseconds. */
const LEAD_MS = 30_000;
/** An attempt that nobody ended is made again after this. */
const TAKEN_MS = 30_000;
/** So long a destination that refused something is passed over where another will do. */
const ILL_MS = 600_000;

interface WithScripts {
  triptychLaneLead(...keysAndArgs: string[]): Promise<number>;
  triptychLaneLeave(...keysAndArgs: string[]): Promise<string>;
}

const luaOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

export class RedisPostingStore implements PostingStore {
  private readonly scripts: WithScripts;
  private readonly notices: DueSet;
  private readonly dead: LetterStore;
  private readonly lanes = new Map<string, DueSet>();

  constructor(private readonly redis: Redis) {
    redis.defineCommand('triptychLaneLead', { numberOfKeys: 2, lua: luaOf('./lane-lead.lua') });
    redis.defineCommand('triptychLaneLeave', { numberOfKeys: 3, lua: luaOf('./lane-leave.lua') });
    this.scripts = redis as unknown as WithScripts;
    this.notices = noticeSet(redis);
    this.dead = new LetterStore(redis);
  }

  async now(): Promise<number> {
    return timeToMs(await storeCall(this.redis.time()));
  }

  readonly takeBatches: PostingStore['takeBatches'] = (limit) => this.notices.takeDue(limit);
  readonly settleBatch: PostingStore['settleBatch'] = (taken, again) => this.notices.settle(taken, again);

  async postings(names: readonly PostingName[]): Promise<readonly Posting[]> {
    const [first] = names;
    if (!first) return [];
    const fields = names.map(({ taskId, destination }) => cardField(taskId, destination));
    const texts = await storeCall(this.redis.hmget(cardsKey(first.taskId), ...fields));
    return texts.map((text) => (text === null ? NEW_POSTING : (JSON.parse(text) as Posting)));
  }

  async keep({ taskId, destination }: PostingName, posting: Posting): Promise<void> {
    const field = cardField(taskId, destination);
    await storeCall(this.redis.hset(cardsKey(taskId), field, JSON.stringify(posting)));
  }

  enter({ taskId, destination }: PostingName, at: number): Promise<void> {
    return this.laneOf(destination).watch(taskId, at);
  }

  async waiting(destinations: readonly string[], now: number): Promise<readonly string[]> {
    const asked = this.redis.pipeline();
    for (const { lane, lead, hold } of destinations.map(laneKeys))
      asked.zcount(lane, '-inf', now).exists(lead).exists(hold);
    const replies = ((await storeCall(asked.exec())) ?? []).map(([error, value]) => {
      if (error) throw asStoreAway(error);
      return Number(value);
    });
    return destinations.filter((_, nth) => {
      const [due = 0, led = 0, held = 0] = replies.slice(3 * nth, 3 * nth + 3);
      return due > 0 && led + held === 0;
    });
  }

  async lead(destination: string, worker: string): Promise<Lead> {
    const { lead, hold } = laneKeys(destination);
    const answer = await storeCall(this.scripts.triptychLaneLead(lead, hold, worker, String(LEAD_MS)));
    if (answer > 0) return { kind: 'held', forMs: answer };
    return { kind: answer === 0 ? 'ours' : 'taken' };
  }

  async takeNext(destination: string): Promise<TakenEntry | undefined> {
    const [next] = await this.laneOf(destination).takeDue(1);
    return next;
  }

  settleNext(destination: string, taken: TakenEntry, again: number | undefined): Promise<void> {
    return this.laneOf(destination).settle(taken, again);
  }

  async hold(destination: string, forMs: number): Promise<void> {
    await storeCall(this.redis.set(laneKeys(destination).hold, '1', 'PX', forMs));
  }

  async leave(destination: string, worker: string): Promise<Left> {
    const { lane, lead, hold } = laneKeys(destination);
    const answer = await storeCall(this.scripts.triptychLaneLeave(lane, lead, hold, worker));
    if (answer === 'due') return 'due';
    return { nextAt: answer === '' ? undefined : Number(answer) };
  }

  async ill(): Promise<ReadonlyMap<string, string>> {
    const [told, now] = [await storeCall(this.redis.hgetall(ILL)), await this.now()];
    const entries = Object.entries(told).map(([id, text]) => [id, JSON.parse(text) as IllNote] as const);
    return new Map(
      entries
        .filter(([, { at, lasting }]) => lasting === 'gone' || now - at < ILL_MS)
        .map(([id, { why }]) => [id, why]),
    );
  }

  async setHealth(destination: string, why: string | undefined, lasting?: 'gone'): Promise<void> {
    if (why === undefined) return void (await storeCall(this.redis.hdel(ILL, destination)));
    const note: IllNote = { at: await this.now(), why, ...(lasting ? { lasting } : {}) };
    await storeCall(this.redis.hset(ILL, destination, JSON.stringify(note)));
  }

  async gone(destination: string): Promise<string | undefined> {
    const text = await storeCall(this.redis.hget(ILL, destination));
    const { why, lasting } = text === null ? {} : (JSON.parse(text) as Partial<IllNote>);
    return lasting === 'gone' ? why : undefined;
  }

  readonly bury: PostingStore['bury'] = (letter) => this.dead.bury(letter);
  readonly letter: PostingStore['letter'] = (tenant, id) => this.dead.letter(tenant, id);
  readonly letters: PostingStore['letters'] = (tenant, page) => this.dead.letters(tenant, page);
  readonly unbury: PostingStore['unbury'] = (letter) => this.dead.unbury(letter);

  private laneOf(destination: string): DueSet {
    const known = this.lanes.get(destination);
    if (known) return known;
    const lane = new DueSet(this.redis, { key: laneKeys(destination).lane, takenMs: TAKEN_MS, ahead: false });
    this.lanes.set(destination, lane);
    return lane;
  }
}

interface IllNote {
  readonly at: number;
  readonly why: string;
  /** It does not get well by itself. */
  readonly lasting?: 'gone';
}
