/** Decides what a decision does. */
export {
  RESUME_QUEUE,
  TIMER_QUEUE,
  bullKnocks,
  type BullKnocks,
  type ResumeJob,
  type TimerJob,
} from './adapters/bull-knocks.js';
export { RedisApprovalStore } from './adapters/redis-approval-store.js';
export type { AnswerError } from './core/answer-schema.js';
export type { ApprovalKnocks } from './core/approval-knocks.js';
export type { ApprovalStore } from './core/approval-store.js';
export type { Batch, BatchFacts, BatchStatus } from './core/batch.js';
export { CLAIM_MS, MAX_CLAIM_MS, type TakeoverCommand } from './core/claim.js';
export { MAX_TEXT_LENGTH, parseDecide, parseRev, parseText, type DecideCommand } from './core/command.js';
export { MAX_ATTEMPTS, type ResumeEnd } from './core/dispatch.js';
export { batchIdOf, parseBatchId, parseTaskId, taskIdOf } from './core/ids.js';
export { matchesInbox, MAX_PAGE, type InboxQuery } from './core/inbox-query.js';
export type { InterruptedRun, SeenCall } from './core/open-batch.js';
export type { Guard, Rider } from './core/rider.js';
export type { Task } from './core/task.js';
export { Approvals, type ApprovalsOptions, type BatchSummary } from './shell/approvals.js';
export type { InboxPage } from './shell/inbox.js';
export type { ResumeInput, ResumeRecorded } from './shell/resume-door.js';
export type { DispatchPlan, Opening } from './shell/run-closings.js';
export type { Swept } from './shell/sweep.js';
