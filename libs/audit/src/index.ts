/** Seals what was done, so that nobody can change it unseen, and shows it to those who look. */
export { CheckpointFiles } from './adapters/checkpoint-files.js';
export { RedisSealedTrail } from './adapters/redis-sealed-trail.js';
export { RedisTrailStore } from './adapters/redis-trail-store.js';
export { GENESIS, linkHash } from './core/chain.js';
export type { CheckpointBook } from './core/checkpoint-book.js';
export { checkpointIn, type Checkpoint } from './core/checkpoint.js';
export { exportedIn, exportLine } from './core/export-line.js';
export type { Hole } from './core/hole.js';
export { describeFault, type Fault } from './core/fault.js';
export type { SealedTrail } from './core/sealed-trail.js';
export type { TrailQuery } from './core/trail-query.js';
export type { TrailStore } from './core/trail-store.js';
export type { ChainVerdict } from './core/verify-chain.js';
export { type AuditItem, AuditReader, type ExportFormat, isRecord } from './shell/audit-reader.js';
export { CheckpointReader } from './shell/checkpoint-reader.js';
export { erase } from './shell/erasure.js';
export { Sealer } from './shell/sealer.js';
export { type FoundRecord, verifyTrail } from './shell/verify-trail.js';
