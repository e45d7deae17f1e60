/** Provides the one who has runs told under their cards. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FactoryProvider } from '@nestjs/common';
import type { Approvals } from '@triptych/approvals';
import {
  APPROVALS,
  BRIDGES,
  EVENT_LOG,
  LEDGER,
  POLICY,
  type PolicySource,
  type RedisEventLog,
} from '@triptych/assembly/nest';
import {
  RedisPostingStore,
  RedisProgressStore,
  RedisTeamsBook,
  SlackVoice,
  slackClient,
  TeamsVoice,
  Teller,
  type BridgeKind,
  type BridgesFile,
  type Voice,
} from '@triptych/bridges';
import type { Clock, Log, Settings, Shutdown } from '@triptych/platform';
import { CLOCK, LOG, REDIS, SETTINGS, SHUTDOWN } from '@triptych/platform/nest';
import type { RunLedger } from '@triptych/runs';
import type { Redis } from 'ioredis';
import { SeenRuns } from './seen-runs.js';
import { botOf, type BridgeParts } from './spoken-bridges.js';

type Parts = [
  ...[Redis, Approvals, RedisEventLog, RunLedger, PolicySource],
  ...[BridgesFile, Settings, Clock, Log, Shutdown],
];

type VoiceParts = Pick<BridgeParts, 'settings' | 'file' | 'clock' | 'redis'>;

/** Chats in which runs can be told, each where its settings are there. */
const voicesOf = (parts: VoiceParts): ReadonlyMap<BridgeKind, Voice> => {
  const { slackBotToken: token, slackApiUrl: apiUrl } = parts.settings.bridges;
  const bot = botOf(parts);
  const voices: readonly Voice[] = [
    ...(token === undefined ? [] : [new SlackVoice(slackClient({ token, apiUrl }))]),
    ...(bot ? [new TeamsVoice({ bot, book: new RedisTeamsBook(parts.redis) })] : []),
  ];
  return new Map(voices.map((voice) => [voice.kind, voice]));
};

const tellerOn = (...parts: Parts): Teller => {
  const [redis, approvals, eventLog, ledger, policy, file, settings, clock, log, shutdown] = parts;
  const teller = new Teller({
    store: new RedisProgressStore(redis),
    cards: new RedisPostingStore(redis),
    tasks: { batch: (batchId) => approvals.noticed(batchId) },
    runs: new SeenRuns({ log: eventLog, ledger, policy }),
    bridges: file.bridges,
    people: file.people,
    voices: voicesOf({ settings, file, clock, redis }),
    now: () => clock.now(),
    sleep: (ms, signal) => sleep(ms, undefined, { ...(signal ? { signal } : {}) }),
    worker: randomUUID(),
    report: (event, fields) => log.warn(event, fields),
  });
  shutdown.add('teller', () => teller.stop());
  return teller;
};

export const tellerProvider: FactoryProvider<Teller> = {
  provide: Teller,
  inject: [REDIS, APPROVALS, EVENT_LOG, LEDGER, POLICY, BRIDGES, SETTINGS, CLOCK, LOG, SHUTDOWN],
  useFactory: tellerOn,
};
