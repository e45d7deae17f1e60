/** Starts, configures, observes and stops processes. */
export { bootCheck } from './adapters/boot-check.js';
export { DueSet, type TakenMember } from './adapters/due-set.js';
export { every } from './adapters/every.js';
export { type LogOptions, createLog } from './adapters/logger.js';
export {
  type ConnectOptions,
  type RedisRole,
  closeRedis,
  connectRedis,
} from './adapters/redis-connections.js';
export { noticeSet } from './adapters/notice-set.js';
export { ensureSecret } from './adapters/secrets.js';
export { type Shutdown, type Stop } from './adapters/shutdown.js';
export { type PublicKey, publishedKeys, SigningKey, SigningKeyUnusable } from './adapters/signing-key.js';
export { systemClock } from './adapters/system-clock.js';
export { announceTrail, trailRiders, writeTrail } from './adapters/trail-writer.js';
export type { AuthSettings } from './core/auth-settings.js';
export type { Clock } from './core/clock.js';
export { inBackground } from './core/in-background.js';
export type { Fields, Log, LogLevel } from './core/log.js';
export { type DelayBounds, nextDelay } from './core/next-delay.js';
export { printConfig } from './core/print-config.js';
export {
  type Environment,
  type Limits,
  type Settings,
  type SettingsOutcome,
  parseSettings,
} from './core/settings.js';
export type { Signer } from './core/signer.js';
export { asStoreAway, storeCall } from './core/store-away.js';
export { type Problem, describeProblem } from './core/variables.js';
export {
  TENANT_CHANNELS,
  parseTenantNews,
  tenantChannel,
  tenantNewsText,
  tenantOfChannel,
  type TenantNews,
} from './core/tenant-news.js';
export { taggedKey, threadKey, threadTag } from './core/thread-tag.js';
export { timeToMs } from './core/time-to-ms.js';
export {
  TRAIL_GRACE_MS,
  TRAIL_TENANTS,
  looseTrail,
  pendingTrails,
  policyTrail,
  threadTrail,
} from './core/trail-keys.js';
