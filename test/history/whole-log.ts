/** The checker's own way to the log, past every hub. */
import { randomBytes } from 'node:crypto';
import { redisEventLog, type RedisEventLog } from '@triptych/event-log';
import { closeRedis, connectRedis, createLog } from '@triptych/platform';
import { asThreadId, type AguiEvent } from '@triptych/protocol';
import type { FinalLog, StoredEvent } from './history.js';

const PAGE = 1_000;
const quiet = createLog({ level: 'silent' });

export interface OwnLog {
  readonly log: RedisEventLog;
  readonly close: () => Promise<void>;
}

export const openLog = async (url: string): Promise<OwnLog> => {
  const redis = await connectRedis(url, 'commands', { log: quiet });
  const subscriber = await connectRedis(url, 'subscriber', { log: quiet });
  const newEpoch = (): string => randomBytes(4).toString('hex');
  const log = redisEventLog({ redis, subscriber, newEpoch, log: quiet });
  const close = async (): Promise<void> => {
    log.close();
    await Promise.all([closeRedis(subscriber), closeRedis(redis)]);
  };
  return { log, close };
};

export const wholeLog = async (log: RedisEventLog, threadId: string): Promise<FinalLog> => {
  const entries: StoredEvent[] = [];
  for (let after = 0; ;) {
    const page = await log.read(asThreadId(threadId), after, PAGE);
    for (const { seq, source, event, raw } of page.entries)
      entries.push({ seq, source, event, ...(raw !== undefined && { raw: JSON.parse(raw) as AguiEvent }) });
    after = page.entries.at(-1)?.seq ?? page.head;
    if (after >= page.head) return { threadId, epoch: page.epoch, head: page.head, entries };
  }
};
