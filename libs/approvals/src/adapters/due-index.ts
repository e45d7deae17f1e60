/** Finds the batches whose time has come: one sorted set of all tenants, written ahead of each step. */
import { readFileSync } from 'node:fs';
import { storeCall } from '@triptych/platform';
import type { Redis } from 'ioredis';
import type { Taken } from '../core/approval-store.js';
import type { Batch } from '../core/batch.js';
import { BUSY_INDEX } from './approval-keys.js';

/** Whoever took a batch looks at it within this; else it is given to the next. Milliseconds. */
const TAKEN_MS = 10_000;

interface WithScripts {
  triptychWatchDue(...keysAndArgs: string[]): Promise<number>;
  triptychTakeDue(...keysAndArgs: string[]): Promise<[mark: string, ...members: string[]]>;
  triptychSettleDue(...keysAndArgs: string[]): Promise<number>;
}

const memberOf = ({ facts }: Batch): string => `${facts.batchId}@${facts.openedAt}`;

const luaOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

export class DueIndex {
  private readonly scripts: WithScripts;

  constructor(redis: Redis) {
    redis.defineCommand('triptychWatchDue', { numberOfKeys: 1, lua: luaOf('./watch-due.lua') });
    redis.defineCommand('triptychTakeDue', { numberOfKeys: 1, lua: luaOf('./take-due.lua') });
    redis.defineCommand('triptychSettleDue', { numberOfKeys: 1, lua: luaOf('./settle-due.lua') });
    this.scripts = redis as unknown as WithScripts;
  }

  async watch(batch: Batch, at: number): Promise<void> {
    await storeCall(this.scripts.triptychWatchDue(BUSY_INDEX, memberOf(batch), String(at)));
  }

  async takeDue(limit: number): Promise<readonly Taken[]> {
    const taken = this.scripts.triptychTakeDue(BUSY_INDEX, String(limit), String(TAKEN_MS));
    const [mark, ...members] = await storeCall(taken);
    return members.map((member) => {
      const [batchId = '', openedAt] = member.split('@');
      return { batchId, openedAt: Number(openedAt), mark };
    });
  }

  async settle({ batchId, openedAt, mark }: Taken, again: number | undefined): Promise<void> {
    const at = again === undefined ? '' : String(again);
    await storeCall(this.scripts.triptychSettleDue(BUSY_INDEX, `${batchId}@${openedAt}`, mark, at));
  }
}
