/** Keeps, for the operator alone, what was worth a look in a thread. */
import type { Redis } from 'ioredis';
import { storeCall, threadKey } from '@triptych/platform';
import type { ThreadId } from '@triptych/protocol';
import type { Finding } from '../core/findings.js';
import type { Rider } from '../core/ports.js';

export interface ListedFinding extends Finding {
  /** Unix milliseconds. */
  readonly at: number;
}

export interface FindingsPage {
  readonly items: readonly ListedFinding[];
  /** Absent on the last page. */
  readonly next?: string;
}

/** Findings a thread remembers, about; the oldest go first. */
const MAX_REMEMBERED = '1000';

export const findingsKey = (threadId: string): string => threadKey(threadId, 'findings');

export const findingRiders = (threadId: string, findings: readonly Finding[]): readonly Rider[] =>
  findings.map((finding) => [
    ...(['XADD', findingsKey(threadId), 'MAXLEN', '~', MAX_REMEMBERED, '*'] as const),
    ...['finding', JSON.stringify(finding)],
  ]);

/** Kept when this returns. */
export const keepFinding = async (redis: Redis, thread: ThreadId, finding: Finding): Promise<void> => {
  for (const [command, ...args] of findingRiders(thread, [finding]))
    await storeCall(redis.call(command, ...args));
};

/** As a page before gave it. */
const isPlace = (cursor: string): boolean => /^\d{1,16}-\d{1,16}$/u.test(cursor);

/** Newest first. */
export const findingsOf = async (
  redis: Redis,
  thread: ThreadId,
  { cursor, limit }: { readonly cursor?: string; readonly limit: number },
): Promise<FindingsPage> => {
  const from = cursor !== undefined && isPlace(cursor) ? `(${cursor}` : '+';
  const rows = await storeCall(redis.xrevrange(findingsKey(thread), from, '-', 'COUNT', limit + 1));
  const items = rows.slice(0, limit).map(([id, [, json = '{}']]) => ({
    at: Number(id.split('-', 1)[0]),
    ...(JSON.parse(json) as Finding),
  }));
  const last = rows[limit - 1];
  return rows.length > limit && last ? { items, next: last[0] } : { items };
};
