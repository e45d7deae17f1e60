/** Keeps what an agent sent and the log refused, for the operator alone. */
import type { Redis } from 'ioredis';
import { threadKey } from '@triptych/platform';
import type { Rider } from '../core/ports.js';

export interface RefusedEvent {
  readonly text: string;
  readonly rule: string;
  readonly message: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Characters kept of a refused event: enough to see the fault, too little to fill the store. */
const MAX_KEPT = 16 * 1024;
const MAX_LISTED = 200;
/** Refused events a thread remembers; a broken agent repeats itself. */
const MAX_REMEMBERED = '1000';

export const refusedKey = (threadId: string): string => threadKey(threadId, 'refused');

export const refusedRider = (threadId: string, refused: RefusedEvent): Rider => {
  const { text, rule, message, at } = refused;
  const fields = ['text', text.slice(0, MAX_KEPT), 'rule', rule, 'message', message, 'at', String(at)];
  return ['XADD', refusedKey(threadId), 'MAXLEN', '~', MAX_REMEMBERED, '*', ...fields];
};

/** Oldest first. */
export const refusedEvents = async (redis: Redis, threadId: string): Promise<RefusedEvent[]> => {
  const rows = await redis.xrange(refusedKey(threadId), '-', '+', 'COUNT', MAX_LISTED);
  return rows.map(([, fields]) => ({
    text: fields[1] ?? '',
    rule: fields[3] ?? '',
    message: fields[5] ?? '',
    at: Number(fields[7]),
  }));
};
