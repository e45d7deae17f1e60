/** Decides what a decision does. */
export { RESUME_QUEUE, TIMER_QUEUE, bullKnocks, type BullKnocks } from './adapters/bull-knocks.js';
export { redisClaimIndex } from './adapters/redis-claim-index.js';
export { RedisApprovalStore } from './adapters/redis-approval-store.js';
export type { ApprovalKnocks } from './core/approval-knocks.js';
export type { ApprovalStore } from './core/approval-store.js';
export type { Batch, BatchStatus } from './core/batch.js';
export type { TakeoverCommand } from './core/claim.js';
export {
  MAX_TEXT_LENGTH,
  parseAssign,
  parseDecide,
  parseExtend,
  parseRev,
  parseText,
  type DecideCommand,
} from './core/command.js';
export type { ResumeEnd } from './core/failure-classes.js';
export {
  INBOX_SORTS,
  matchesInbox,
  MAX_PAGE,
  MAX_SHOWN,
  wantsPast,
  type InboxFilter,
  type InboxQuery,
  type InboxSort,
} from './core/inbox-query.js';
export type { InboxFacets } from './core/inbox-facets.js';
export type { EndedRun } from './core/open-batch.js';
export type { Guard, Rider } from './core/rider.js';
export type { Receipt } from './core/signed-decision.js';
export { Approvals, type BatchSummary } from './shell/approvals.js';
export type { BatchClosing, BatchPage, BatchQuery, Mending, MendVerb } from './shell/batch-desk.js';
export type { Desk } from './shell/desk.js';
export type { DispatchPlan } from './shell/dispatches.js';
export type { CaughtUp } from './shell/card-shelves.js';
export type { CountsFor, InboxPage } from './shell/inbox.js';
export type { ResumeInput, ResumeRecorded } from './shell/resume-door.js';
export type { Opening } from './shell/run-closings.js';
export type { Swept } from './shell/sweep.js';
export type { ViewFor } from './shell/told-tasks.js';
