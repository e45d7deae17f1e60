/** Provides the one who keeps destinations in step with their tasks. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FactoryProvider } from '@nestjs/common';
import type { Approvals } from '@triptych/approvals';
import { queueConnection, unmetIn } from '@triptych/assembly';
import { APPROVALS, BRIDGES, CHAT_VALUES, REDIS_URL } from '@triptych/assembly/nest';
import {
  bullNotify,
  linksTo,
  Notifier,
  RedisPostingStore,
  Teller,
  unmetLines,
  type BridgesFile,
  type ChatValues,
  type Unmet,
} from '@triptych/bridges';
import type { Clock, Log, Settings, Shutdown } from '@triptych/platform';
import { CLOCK, LOG, REDIS, SETTINGS, SHUTDOWN } from '@triptych/platform/nest';
import type { Redis } from 'ioredis';
import { spokenBridges } from './spoken-bridges.js';

/** Said once, at start; whoever sets what is missing starts anew. */
const unmetOf = (settings: Settings, file: BridgesFile, log: Log): Unmet => {
  const unmet = unmetIn(settings, file, 'shown');
  for (const line of unmetLines(unmet)) log.warn('bridge.not-shown', line);
  return unmet;
};

type Parts = [Redis, string, Approvals, BridgesFile, ChatValues, Settings, Clock, Log, Shutdown, Teller];

const notifierOn = (
  ...[redis, redisUrl, approvals, file, values, settings, clock, log, shutdown, progress]: Parts
): Notifier => {
  const knocks = bullNotify(queueConnection(redisUrl));
  shutdown.add('notify-knocks', () => knocks.close());
  const notifier = new Notifier({
    store: new RedisPostingStore(redis),
    tasks: { batch: (batchId) => approvals.noticed(batchId) },
    bridges: file.bridges,
    people: file.people,
    speak: spokenBridges({ settings, file, values, clock, redis, log }),
    knocks,
    progress,
    unmet: unmetOf(settings, file, log),
    linkTo: linksTo(settings.publicUrl),
    chance: Math.random,
    sleep: (ms, signal) => sleep(ms, undefined, { ...(signal ? { signal } : {}) }),
    worker: randomUUID(),
    report: (event, fields) => log.warn(event, fields),
  });
  shutdown.add('notifier', () => notifier.stop());
  return notifier;
};

export const notifyProvider: FactoryProvider<Notifier> = {
  provide: Notifier,
  inject: [REDIS, REDIS_URL, APPROVALS, BRIDGES, CHAT_VALUES, SETTINGS, CLOCK, LOG, SHUTDOWN, Teller],
  useFactory: notifierOn,
};
