/** Keeps in Redis the pushed events of a thread that wait for those before them. */
import type { Redis } from 'ioredis';
import { storeCall } from '@triptych/platform';
import type { ThreadId } from '@triptych/protocol';
import type { Rider } from '../core/ports.js';
import type { PushItem } from '../core/push-batch.js';
import { NOTHING_PASSED, type Order, type Passed, type Waiting } from '../core/push-positions.js';
import type { OrderMark } from '../core/push-store.js';
import { findingRiders } from './findings.js';
import { keysOf } from './run-keys.js';

const memberOf = ({ position, chars }: Pick<Waiting, 'position' | 'chars'>): string => `${position} ${chars}`;

const waitingFrom = (rows: readonly string[]): Waiting[] =>
  Array.from({ length: rows.length / 2 }, (_, nth) => {
    const [position, chars] = (rows[2 * nth] ?? '').split(' ').map(Number);
    return { position: position ?? 0, chars: chars ?? 0, at: Number(rows[2 * nth + 1]) };
  });

export const readWaiting = async (redis: Redis, thread: ThreadId): Promise<Omit<Order, 'next'>> => {
  const { push, waiting } = keysOf(thread);
  const [passed, rows] = await Promise.all([
    storeCall(redis.hget(push, 'passed')),
    storeCall(redis.zrangebyscore(waiting, '-inf', '+inf', 'WITHSCORES')),
  ]);
  const known = passed ? (JSON.parse(passed) as Passed) : NOTHING_PASSED;
  return { ...known, waiting: waitingFrom(rows) };
};

export const readHeld = async (
  redis: Redis,
  thread: ThreadId,
  positions: readonly number[],
): Promise<readonly (PushItem | undefined)[]> => {
  if (positions.length === 0) return [];
  const held = await storeCall(redis.hmget(keysOf(thread).held, ...positions.map(String)));
  return held.map((json) => (json ? (JSON.parse(json) as PushItem) : undefined));
};

const takenRiders = (thread: ThreadId, taken: readonly Waiting[]): Rider[] => {
  const { waiting, held } = keysOf(thread);
  if (taken.length === 0) return [];
  return [
    ['ZREM', waiting, ...taken.map(memberOf)],
    ['HDEL', held, ...taken.map(({ position }) => String(position))],
  ];
};

const heldRiders = (thread: ThreadId, items: readonly PushItem[], since: number): Rider[] => {
  const { waiting, held } = keysOf(thread);
  if (items.length === 0) return [];
  const scores = items.flatMap(({ position = 0, text }) => [
    String(since),
    memberOf({ position, chars: text.length }),
  ]);
  return [
    ['ZADD', waiting, ...scores],
    ['HSET', held, ...items.flatMap((item) => [String(item.position), JSON.stringify(item)])],
  ];
};

export const orderRiders = (
  thread: ThreadId,
  { passed, taken = [], held = [], since = 0, findings = [] }: OrderMark,
): readonly Rider[] => [
  ...(passed ? [['HSET', keysOf(thread).push, 'passed', JSON.stringify(passed)] as const] : []),
  ...takenRiders(thread, taken),
  ...heldRiders(thread, held, since),
  ...findingRiders(thread, findings),
];
