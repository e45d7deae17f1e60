/** Keeps in Redis what is told of runs: records and leads in their thread's slot, beside the cards. */
import { readFileSync } from 'node:fs';
import { DueSet, storeCall, taggedKey, timeToMs } from '@triptych/platform';
import type { Redis } from 'ioredis';
import { cardField, cardsKey } from '../../adapters/bridge-keys.js';
import type { PostingName, TakenEntry } from '../../core/posting-store.js';
import type { ProgressStore } from '../core/ports.js';
import type { ProgressRecord } from '../core/progress-record.js';

/** Sorted set: `<task>/<destination>` by when it is to be told (ms). */
const DUE = 'tt:progress';
/** Hash, in the slot of the thread: `<task>/<destination>` → record. */
export const PROGRESS_PART = 'progress';
/** Whoever took one begins within this. Milliseconds. */
const TAKEN_MS = 10_000;
/** A worker that does not come back for so long is gone; no act takes as long. Milliseconds. */
const LEAD_MS = 30_000;

interface WithScripts {
  triptychProgressLead(...keysAndArgs: string[]): Promise<number>;
  triptychProgressKeep(...keysAndArgs: string[]): Promise<number>;
  triptychProgressLeave(...keysAndArgs: string[]): Promise<number>;
}

const luaOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const tagOf = ({ taskId }: PostingName): string => taskId.slice(0, taskId.indexOf('.'));
const fieldOf = ({ taskId, destination }: PostingName): string => cardField(taskId, destination);
const recordsKey = (name: PostingName): string => taggedKey(tagOf(name), PROGRESS_PART);
const leadKey = (name: PostingName): string => taggedKey(tagOf(name), `progress-lead:${fieldOf(name)}`);

const memberOf = ({ taskId, destination }: PostingName): string => `${taskId}/${destination}`;
const nameOf = (member: string): PostingName => {
  const at = member.indexOf('/');
  return { taskId: member.slice(0, at), destination: member.slice(at + 1) };
};

export class RedisProgressStore implements ProgressStore {
  private readonly scripts: WithScripts;
  private readonly due: DueSet;

  constructor(private readonly redis: Redis) {
    redis.defineCommand('triptychProgressLead', { numberOfKeys: 1, lua: luaOf('./progress-lead.lua') });
    redis.defineCommand('triptychProgressKeep', { numberOfKeys: 3, lua: luaOf('./progress-keep.lua') });
    redis.defineCommand('triptychProgressLeave', { numberOfKeys: 1, lua: luaOf('./progress-leave.lua') });
    this.scripts = redis as unknown as WithScripts;
    this.due = new DueSet(redis, { key: DUE, takenMs: TAKEN_MS, ahead: false });
  }

  async now(): Promise<number> {
    return timeToMs(await storeCall(this.redis.time()));
  }

  enter(name: PostingName, at: number): Promise<void> {
    return this.due.watch(memberOf(name), at);
  }

  async takeDue(limit: number): ReturnType<ProgressStore['takeDue']> {
    return (await this.due.takeDue(limit)).map((taken) => ({ ...taken, name: nameOf(taken.member) }));
  }

  settle(taken: TakenEntry, again: number | undefined): Promise<void> {
    return this.due.settle(taken, again);
  }

  async lead(name: PostingName, worker: string): Promise<boolean> {
    const asked = this.scripts.triptychProgressLead(leadKey(name), worker, String(LEAD_MS));
    return (await storeCall(asked)) === 1;
  }

  async leave(name: PostingName, worker: string): Promise<void> {
    await storeCall(this.scripts.triptychProgressLeave(leadKey(name), worker));
  }

  async load(name: PostingName): Promise<ProgressRecord | undefined> {
    const text = await storeCall(this.redis.hget(recordsKey(name), fieldOf(name)));
    return text === null ? undefined : (JSON.parse(text) as ProgressRecord);
  }

  async keep(name: PostingName, worker: string, record: ProgressRecord): Promise<boolean> {
    const keys = [leadKey(name), recordsKey(name), cardsKey(name.taskId)];
    const args = [worker, fieldOf(name), JSON.stringify(record)];
    return (await storeCall(this.scripts.triptychProgressKeep(...keys, ...args))) === 1;
  }
}
