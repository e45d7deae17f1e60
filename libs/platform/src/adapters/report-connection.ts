/** Turns the stream of errors of a lost connection into a few log lines. */
import type { Redis } from 'ioredis';
import type { Log } from '../core/log.js';

/** A dead Redis gives up to 100 errors a second; one line in this time tells as much. */
const REPORT_EVERY_MS = 10_000;

export const reportConnection = (redis: Redis, log: Log, now: () => number = Date.now): void => {
  let away = false;
  let silenced = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  redis.on('error', (error: Error) => {
    away = true;
    if (now() - reportedAt < REPORT_EVERY_MS) {
      silenced += 1;
      return;
    }
    log.warn('redis.away', { error, silenced });
    reportedAt = now();
    silenced = 0;
  });
  redis.on('ready', () => {
    if (away) log.info('redis.back', { silenced });
    away = false;
    silenced = 0;
    reportedAt = Number.NEGATIVE_INFINITY;
  });
};
