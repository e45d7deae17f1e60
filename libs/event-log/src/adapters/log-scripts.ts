/** Runs the scripts of the log on one connection. */
import { readFileSync } from 'node:fs';
import { storeCall } from '@triptych/platform';
import type { ThreadId } from '@triptych/protocol';
import type { Redis } from 'ioredis';
import type { ForgetRequest } from '../core/event-log.js';
import type { LogPosition } from '../core/feed.js';
import { type Page, type PageReply, pageOf } from '../core/page.js';
import { channelOf, keeperKey, metaKey, snapshotsKey, streamKey } from './log-keys.js';

/** Keeps one reply small beside what it is read into; a single batch may be larger. */
const PAGE_BYTES = 4 * 1024 * 1024;

export interface LogScripts {
  append(thread: ThreadId, args: readonly string[]): Promise<string[]>;
  /** At most about `events` entries after a seq. */
  page(thread: ThreadId, after: number, events: number): Promise<Page>;
  position(thread: ThreadId): Promise<LogPosition>;
  forget(request: ForgetRequest): Promise<boolean>;
}

interface WithScripts {
  triptychAppend(...keysAndArgs: string[]): Promise<string[]>;
  triptychRead(...keysAndArgs: string[]): Promise<PageReply>;
  triptychForget(...keysAndArgs: string[]): Promise<number>;
  triptychBegin(
    ...keysAndArgs: string[]
  ): Promise<readonly [string, string, string, string, string, string[]]>;
  triptychKeep(...keysAndArgs: string[]): Promise<'kept' | 'stale'>;
}

export const source = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

export const logScripts = (redis: Redis): LogScripts => {
  redis.defineCommand('triptychAppend', { numberOfKeys: 4, lua: source('./append.lua') });
  redis.defineCommand('triptychRead', { numberOfKeys: 2, lua: source('./read.lua') });
  redis.defineCommand('triptychForget', { numberOfKeys: 5, lua: source('./forget.lua') });
  const scripts = redis as unknown as WithScripts;
  return {
    append: (thread, args) =>
      storeCall(
        scripts.triptychAppend(
          metaKey(thread),
          streamKey(thread),
          channelOf(thread),
          snapshotsKey(thread),
          ...args,
        ),
      ),
    page: async (thread, after, events) => {
      const bounds = [after, events, PAGE_BYTES].map(String);
      return pageOf(
        await storeCall(scripts.triptychRead(metaKey(thread), streamKey(thread), ...bounds)),
        after,
      );
    },
    position: async (thread) => {
      const [epoch, head] = await storeCall(redis.hmget(metaKey(thread), 'e', 's'));
      return { epoch: epoch ?? '', head: Number(head ?? 0) };
    },
    forget: async ({ thread, guards, keys }) => {
      const own = [metaKey, streamKey, channelOf, snapshotsKey, keeperKey].map((of) => of(thread));
      const held = guards.flatMap(({ key, field, equals }) => [key, field, equals]);
      return (await storeCall(scripts.triptychForget(...own, String(guards.length), ...held, ...keys))) === 1;
    },
  };
};
