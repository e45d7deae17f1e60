/** The capabilities as tokens, wired to one another once for all processes. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamicModule, type FactoryProvider, Global, Module } from '@nestjs/common';
import type { Redis } from 'ioredis';
import {
  Approvals,
  bullKnocks,
  redisClaimIndex,
  RedisApprovalStore,
  type BullKnocks,
} from '@triptych/approvals';
import {
  AuditReader,
  CheckpointFiles,
  CheckpointReader,
  RedisSealedTrail,
  RedisTrailStore,
  Sealer,
} from '@triptych/audit';
import { CARDS_PART, PROGRESS_PART, type BridgesFile } from '@triptych/bridges';
import { type RedisEventLog, redisEventLog } from '@triptych/event-log';
import { ensureSecret, threadKey } from '@triptych/platform';
import type { Clock, Log, Settings, Shutdown, SigningKey } from '@triptych/platform';
import { CLOCK, LOG, REDIS, SETTINGS, SHUTDOWN, SUBSCRIBER } from '@triptych/platform/nest';
import { asThreadId } from '@triptych/protocol';
import {
  IdleThreads,
  PushIntake,
  RedisBroughtBook,
  RedisPushStore,
  RedisRunLedger,
  Runs,
  type PushDeps,
  type RunLedger,
} from '@triptych/runs';
import type { ProcessParts } from './boot.js';
import { bridgeParts, BRIDGES } from './bridge-parts.js';
import { agentsFrom, policyFrom, signingKeyFrom } from './from-files.js';
import { KnownRevocations } from './known-revocations.js';
import { newsTo } from './news-level.js';
import type { PolicySource } from './policy-source.js';
import { queueConnection } from './queue-connection.js';
import { RevocationStore } from './revocation-store.js';

export { AgentDirectory } from './agent-directory.js';
export { BRIDGES, CHAT_VALUES } from './bridge-parts.js';
export { KnownRevocations } from './known-revocations.js';
export { PolicySource } from './policy-source.js';
export { RevocationStore } from './revocation-store.js';
export type { LogPage, LogStart, RedisEventLog } from '@triptych/event-log';

export const EVENT_LOG = Symbol('EVENT_LOG');
export const LEDGER = Symbol('LEDGER');
export const RUNS = Symbol('RUNS');
export const IDLE_THREADS = Symbol('IDLE_THREADS');
export const PUSHES = Symbol('PUSHES');
export const APPROVALS = Symbol('APPROVALS');
/** Knocks at the worker's queues, and says how they stand. */
export const KNOCKS = Symbol('KNOCKS');
export const AGENTS = Symbol('AGENTS');
export const POLICY = Symbol('POLICY');
/** What was revoked; whoever must know what is so now reads first. */
export const REVOCATIONS = Symbol('REVOCATIONS');
/** Where Redis is, for those who need a connection of their own. */
export const REDIS_URL = Symbol('REDIS_URL');
/** Seals positions; the same for all hubs on one Redis. */
export const HUB_SECRET = Symbol('HUB_SECRET');
/** Signs decisions and checkpoints, and publishes the keys; the same for all processes of a deployment. */
export const SIGNING_KEY = Symbol('SIGNING_KEY');
export const SEALER = Symbol('SEALER');
/** The sealed trail, for those who read it. */
export const AUDIT = Symbol('AUDIT');
/** The checkpoints that vouch for it. */
export const CHECKPOINTS = Symbol('CHECKPOINTS');
/** Where they are kept. */
const CHECKPOINT_BOOK = Symbol('CHECKPOINT_BOOK');

/** As many hex digits are random at the start of a UUID; Node makes those from a stock, and an append asks every time. */
const EPOCH_DIGITS = 8;

type LogParts = [Redis, Redis, Log, Shutdown, Settings];

const logOn = (...[redis, subscriber, log, shutdown, { logKeep }]: LogParts): RedisEventLog => {
  const newEpoch = (): string => randomUUID().slice(0, EPOCH_DIGITS);
  const eventLog = redisEventLog({ redis, subscriber, log, newEpoch, logKeep });
  shutdown.add('event-log', () => eventLog.close());
  return eventLog;
};

const knocksOn = (redisUrl: string, shutdown: Shutdown): BullKnocks => {
  const knocks = bullKnocks(queueConnection(redisUrl));
  shutdown.add('knocks', () => knocks.close());
  return knocks;
};

type ApprovalParts = [
  ...[Redis, BullKnocks, PolicySource, Log, Settings],
  ...[SigningKey, KnownRevocations, BridgesFile],
];

const approvalsOn = (
  ...[redis, knocks, policy, log, { frontendToolTtlMs }, signer, revoked, file]: ApprovalParts
): Approvals =>
  new Approvals({
    store: new RedisApprovalStore(redis, { noticed: file.bridges.destinations.size > 0 }),
    claims: redisClaimIndex(redis),
    knocks,
    policy: () => policy.current(),
    standing: () => revoked.standing(),
    newId: randomUUID,
    signer,
    frontendTtlMs: frontendToolTtlMs,
    report: newsTo(log),
  });

type RunParts = [Redis, RedisEventLog, RunLedger, Approvals, Clock, Log, Settings];

const carrying = (...[redis, eventLog, ledger, closings, clock, log, settings]: RunParts): PushDeps => ({
  log: eventLog,
  ledger,
  closings,
  clock,
  sleep: (ms) => sleep(ms),
  storeGraceMs: settings.storeGraceMs,
  lingerMs: settings.lingerMs,
  maxModelBytes: settings.limits.modelBytes,
  eventLimits: {
    maxEventBytes: settings.limits.eventBytes,
    maxSnapshotBytes: settings.limits.snapshotEventBytes,
    maxDepth: settings.limits.depth,
    maxPatchOps: settings.limits.patchOps,
    maxInterrupts: settings.limits.interrupts,
  },
  report: newsTo(log),
  pushes: new RedisPushStore(redis),
  newVersion: randomUUID,
  reorderWindowMs: settings.reorderWindowMs,
});

const runsOn = (...parts: RunParts): Runs => {
  const [redis, log] = parts;
  return new Runs({ ...carrying(...parts), brought: new RedisBroughtBook({ redis, log }) });
};

type SealParts = [Redis, CheckpointFiles, SigningKey, RunLedger, Log];

const sealerOn = (...[redis, book, signer, ledger, log]: SealParts): Sealer =>
  new Sealer({
    store: new RedisTrailStore(redis),
    book,
    signer,
    threadOf: (threadId) => ledger.thread(asThreadId(threadId)),
    report: newsTo(log),
    writer: randomUUID(),
  });

/** What of a thread others keep, in its slot. */
const keptBeside =
  (approvals: Approvals) =>
  async (thread: string): Promise<readonly string[]> => [
    ...(await approvals.keysOf(thread)),
    threadKey(thread, CARDS_PART),
    threadKey(thread, PROGRESS_PART),
  ];

const RUN_PARTS = [REDIS, EVENT_LOG, LEDGER, APPROVALS, CLOCK, LOG, SETTINGS];

const capabilities: (FactoryProvider & { readonly provide: symbol })[] = [
  { provide: POLICY, inject: [SETTINGS, LOG, SHUTDOWN], useFactory: policyFrom },
  { provide: AGENTS, inject: [SETTINGS], useFactory: agentsFrom },
  {
    provide: REVOCATIONS,
    inject: [REDIS, CLOCK, LOG],
    useFactory: (redis: Redis, clock: Clock, log: Log) =>
      new KnownRevocations({ store: new RevocationStore(redis), clock, log }),
  },
  { provide: EVENT_LOG, inject: [REDIS, SUBSCRIBER, LOG, SHUTDOWN, SETTINGS], useFactory: logOn },
  {
    provide: LEDGER,
    inject: [REDIS, EVENT_LOG],
    useFactory: (redis: Redis, log: RedisEventLog) => new RedisRunLedger({ redis, log }),
  },
  { provide: KNOCKS, inject: [REDIS_URL, SHUTDOWN], useFactory: knocksOn },
  {
    provide: APPROVALS,
    inject: [REDIS, KNOCKS, POLICY, LOG, SETTINGS, SIGNING_KEY, REVOCATIONS, BRIDGES],
    useFactory: approvalsOn,
  },
  { provide: RUNS, inject: RUN_PARTS, useFactory: runsOn },
  {
    provide: PUSHES,
    inject: RUN_PARTS,
    useFactory: (...parts: RunParts) => new PushIntake(carrying(...parts)),
  },
  {
    provide: IDLE_THREADS,
    inject: [REDIS, EVENT_LOG, APPROVALS],
    useFactory: (redis: Redis, log: RedisEventLog, approvals: Approvals) =>
      new IdleThreads({ redis, log, othersKeys: keptBeside(approvals) }),
  },
  {
    provide: HUB_SECRET,
    inject: [SETTINGS, REDIS],
    useFactory: async ({ hubSecret }: Settings, redis: Redis) =>
      Buffer.from(hubSecret ?? (await ensureSecret(redis, 'hub-secret'))),
  },
  {
    provide: CHECKPOINT_BOOK,
    inject: [SETTINGS],
    useFactory: ({ dataDir }: Settings) => new CheckpointFiles(join(dataDir, 'audit')),
  },
  { provide: SEALER, inject: [REDIS, CHECKPOINT_BOOK, SIGNING_KEY, LEDGER, LOG], useFactory: sealerOn },
  {
    provide: CHECKPOINTS,
    inject: [CHECKPOINT_BOOK],
    useFactory: (book: CheckpointFiles) => new CheckpointReader(book),
  },
  {
    provide: AUDIT,
    inject: [REDIS],
    useFactory: (redis: Redis) => new AuditReader(new RedisSealedTrail(redis)),
  },
  { provide: SIGNING_KEY, inject: [SETTINGS, REDIS, LOG], useFactory: signingKeyFrom },
  ...bridgeParts(HUB_SECRET),
];

@Global()
@Module({})
export class AssemblyModule {
  static forRoot({ redisUrl }: Pick<ProcessParts, 'redisUrl'>): DynamicModule {
    const providers = [{ provide: REDIS_URL, useValue: redisUrl }, ...capabilities];
    return { module: AssemblyModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
