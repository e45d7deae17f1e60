/** Keeps the clicks that were acknowledged until they are done, so that none is lost with the process that took it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SlackInteraction } from '@triptych/bridges';
import { DueSet, storeCall, type TakenMember } from '@triptych/platform';
import type { Redis } from 'ioredis';

export type Click = Extract<SlackInteraction, { kind: 'click' }>;

export interface TakenClick extends TakenMember {
  readonly click: Click;
  /** When it was pressed; Unix milliseconds. */
  readonly at: number;
}

/** Whoever took a click does it within this; else it is given to the next. */
const TAKEN_MS = 10_000;
/** Slack sends for minutes, whoever captured a request for as long as its signature is good; a day is beyond both. */
const KNOWN_MS = 24 * 60 * 60 * 1000;
/** More than a workspace presses in a minute: then something is wrong, and Slack is told to show it. */
const MAX_WAITING = 10_000;

/** One slot, for one script writes both. */
const WAITING = 'tt:{slack}:clicks';
const knownKey = (dedupeKey: string): string =>
  `tt:{slack}:known:${createHash('sha256').update(dedupeKey).digest('base64url')}`;

interface WithScript {
  triptychTakeClick(...keysAndArgs: string[]): Promise<string>;
}

const LUA = readFileSync(new URL('./take-click.lua', import.meta.url), 'utf8');

const takenFrom = ({ member, mark }: TakenMember): TakenClick => ({
  member,
  mark,
  ...(JSON.parse(member) as { readonly click: Click; readonly at: number }),
});

export class ClickStore {
  private readonly due: DueSet;
  private readonly scripts: WithScript;

  constructor(private readonly redis: Redis) {
    this.due = new DueSet(redis, { key: WAITING, takenMs: TAKEN_MS, ahead: false });
    redis.defineCommand('triptychTakeClick', { numberOfKeys: 2, lua: LUA });
    this.scripts = redis as unknown as WithScript;
  }

  /** Kept when this returns. */
  async take(click: Click, at: number): Promise<TakenClick | 'again' | 'full'> {
    const member = JSON.stringify({ click, at });
    const keys = [knownKey(click.dedupeKey), WAITING];
    const bounds = [TAKEN_MS, KNOWN_MS, MAX_WAITING].map(String);
    const mark = await storeCall(this.scripts.triptychTakeClick(...keys, member, ...bounds));
    return mark === 'again' || mark === 'full' ? mark : takenFrom({ member, mark });
  }

  /** False: it was seen before. */
  async isFirst(dedupeKey: string): Promise<boolean> {
    return (await storeCall(this.redis.set(knownKey(dedupeKey), '1', 'PX', KNOWN_MS, 'NX'))) === 'OK';
  }

  /** Those whose taker has not done them in time. */
  async left(most: number): Promise<readonly TakenClick[]> {
    return (await this.due.takeDue(most)).map(takenFrom);
  }

  done(taken: TakenClick): Promise<void> {
    return this.due.settle(taken, undefined);
  }
}
