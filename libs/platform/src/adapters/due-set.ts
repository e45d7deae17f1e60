/** Finds what is to be looked at when its time has come: one sorted set, which many may take from and none twice. */
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { storeCall } from '../core/store-away.js';

/** A member as long as it is ours to look after. */
export interface TakenMember {
  readonly member: string;
  /** By which it is told whether it was watched anew meanwhile. */
  readonly mark: string;
}

export interface DueSetPlan {
  /** Score: when to look (ms). */
  readonly key: string;
  /** Whoever took a member looks at it within this; else it is given to the next. Milliseconds. */
  readonly takenMs: number;
  /** Members are watched before that is written for which they are to be looked at: whoever looks at once may see nothing yet. */
  readonly ahead: boolean;
}

interface WithScripts {
  triptychWatchDue(...keysAndArgs: string[]): Promise<null>;
  triptychTakeDue(...keysAndArgs: string[]): Promise<[mark: string, ...members: string[]]>;
  triptychSettleDue(...keysAndArgs: string[]): Promise<number>;
}

const luaOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const SCRIPTS = {
  triptychWatchDue: luaOf('./watch-due.lua'),
  triptychTakeDue: luaOf('./take-due.lua'),
  triptychSettleDue: luaOf('./settle-due.lua'),
};

export class DueSet {
  private readonly scripts: WithScripts;
  private readonly aheadMs: string;

  constructor(
    redis: Redis,
    private readonly plan: DueSetPlan,
  ) {
    for (const [name, lua] of Object.entries(SCRIPTS)) redis.defineCommand(name, { numberOfKeys: 1, lua });
    this.scripts = redis as unknown as WithScripts;
    this.aheadMs = plan.ahead ? String(plan.takenMs) : '';
  }

  /** An earlier time stands. */
  async watch(member: string, at: number): Promise<void> {
    await storeCall(this.scripts.triptychWatchDue(this.plan.key, member, String(at), this.aheadMs));
  }

  /** Earliest first. */
  async takeDue(limit: number): Promise<readonly TakenMember[]> {
    const { key, takenMs } = this.plan;
    const [mark, ...members] = await storeCall(
      this.scripts.triptychTakeDue(key, String(limit), String(takenMs)),
    );
    return members.map((member) => ({ member, mark }));
  }

  /** It is looked at again then, or never (undefined), unless it was watched anew meanwhile. */
  async settle({ member, mark }: TakenMember, again: number | undefined): Promise<void> {
    const at = again === undefined ? '' : String(again);
    await storeCall(this.scripts.triptychSettleDue(this.plan.key, member, mark, at, this.aheadMs));
  }
}
