/** Writes that ride on somebody else's atomic step, and what must hold for that step to happen. */

/** One Redis command whose keys carry the thread's hash tag; `PUBLISH` may name any channel. */
export type Rider = readonly [
  command: 'HSET' | 'HDEL' | 'DEL' | 'ZADD' | 'ZREM' | 'XADD' | 'PUBLISH',
  ...args: string[],
];

/** A hash field that must still have this value ('' = absent). */
export interface Guard {
  readonly key: string;
  readonly field: string;
  readonly equals: string;
}
