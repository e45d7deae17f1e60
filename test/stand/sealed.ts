/** The sealed trail of the tenant that tests have by default, link by link. */
import type { TrailRecord } from '@triptych/protocol';
import type { Redis } from 'ioredis';

export interface SealedLink {
  readonly text: string;
  readonly hash: string;
  readonly record: Pick<TrailRecord, 'action' | 'subject'>;
}

export const sealedIn = async (redis: Redis): Promise<readonly SealedLink[]> => {
  const entries = await redis.xrange('tt:trail:{default}:chain', '-', '+');
  return entries.map(([, fields]) => {
    const [text = '', hash = ''] = ['r', 'h'].map((name) => fields[fields.indexOf(name) + 1] ?? '');
    return { text, hash, record: JSON.parse(text) as SealedLink['record'] };
  });
};
