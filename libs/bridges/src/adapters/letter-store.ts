/** Keeps what could not be delivered, a bounded number of letters a tenant. */
import { readFileSync } from 'node:fs';
import { storeCall } from '@triptych/platform';
import type { Redis } from 'ioredis';
import type { DeadLetter, PostingStore } from '../core/posting-store.js';
import { letterKeys } from './bridge-keys.js';

/** More of them nobody looks through; what is wrong then is wrong with the destination. */
const MAX_LETTERS = 10_000;

interface WithScript {
  triptychBury(...keysAndArgs: string[]): Promise<number>;
}

const letterIn = (text: string | null | undefined): readonly DeadLetter[] =>
  text === null || text === undefined ? [] : [JSON.parse(text) as DeadLetter];

export class LetterStore implements Pick<PostingStore, 'bury' | 'letter' | 'letters' | 'unbury'> {
  private readonly script: WithScript;

  constructor(private readonly redis: Redis) {
    const lua = readFileSync(new URL('./bury.lua', import.meta.url), 'utf8');
    redis.defineCommand('triptychBury', { numberOfKeys: 2, lua });
    this.script = redis as unknown as WithScript;
  }

  async bury(letter: DeadLetter): Promise<void> {
    const { order, texts } = letterKeys(letter.tenant);
    const args = [letter.id, String(letter.at), JSON.stringify(letter), String(MAX_LETTERS)];
    await storeCall(this.script.triptychBury(order, texts, ...args));
  }

  async letter(tenant: string, id: string): Promise<DeadLetter | undefined> {
    return letterIn(await storeCall(this.redis.hget(letterKeys(tenant).texts, id)))[0];
  }

  async letters(
    tenant: string,
    { after, limit }: Parameters<PostingStore['letters']>[1],
  ): Promise<readonly DeadLetter[]> {
    const { order, texts } = letterKeys(tenant);
    const from = after ? String(after.at) : '+inf';
    // Those of the same millisecond as the last one shown stand on both pages: they are left out here.
    const most = limit + (after ? await this.sameTime(order, after.at) : 0);
    const ids = await storeCall(this.redis.zrevrangebyscore(order, from, '-inf', 'LIMIT', 0, most));
    if (ids.length === 0) return [];
    const found = (await storeCall(this.redis.hmget(texts, ...ids))).flatMap(letterIn);
    const isAfter = ({ at, id }: DeadLetter): boolean => !after || at < after.at || id < after.id;
    return found.filter(isAfter).slice(0, limit);
  }

  async unbury({ tenant, id }: DeadLetter): Promise<void> {
    const { order, texts } = letterKeys(tenant);
    // In one step: a text that no order names would be kept for ever.
    await storeCall(this.redis.multi().hdel(texts, id).zrem(order, id).exec());
  }

  private sameTime(order: string, at: number): Promise<number> {
    return storeCall(this.redis.zcount(order, at, at));
  }
}
