/** Gives a thread at most one run at a time, and carries it from its agent into the log. */
export { triedBy } from './core/brought.js';
export { answersTo, type CallAnswers } from './core/call-answers.js';
export { composeInput } from './core/compose-input.js';
export { fingerprintOf } from './core/fingerprint.js';
export type { ImageLimits } from './core/image-limits.js';
export { takeInput, type Intake, type IntakeRules } from './core/intake.js';
export { judgeAdmission, type ThreadNow } from './core/judge-admission.js';
export type {
  Admission,
  AdmitRequest,
  LeaseWrites,
  LostRun,
  Renewal,
  RunLedger,
  ThreadPage,
  ThreadQuery,
} from './core/ledger.js';
export type {
  AgentItem,
  AgentOpened,
  AskingRun,
  CalledAgent,
  CallsToAnswer,
  Clock,
  Closings,
  LogToWrite,
  PushAgent,
  ResumeEnd,
  ResumeOrder,
  RunAgent,
} from './core/ports.js';
export { comesByItself } from './core/ports.js';
export { endingOf, type RunEnding } from './core/run-end.js';
export type { AdmittedRun, Lease, RunRecord, ThreadRecord } from './core/run-record.js';
export { RedisBroughtBook } from './adapters/brought-book.js';
export { IdleThreads, type LogToForget } from './adapters/idle-threads.js';
export { RedisRunLedger, LEASE_MS } from './adapters/redis-run-ledger.js';
export { findingsOf, keepFinding, type FindingsPage, type ListedFinding } from './adapters/findings.js';
export { refusedEvents, type RefusedEvent } from './adapters/refused-events.js';
export { RedisPushStore } from './adapters/redis-push-store.js';
export type { PushAnswer, PushItem, PushProducer, PushRequest } from './core/push-batch.js';
export type { PushDeps } from './shell/push-desk.js';
export { PushIntake } from './shell/push-intake.js';
export type { PushOffers, Taking } from './shell/push-offers.js';
export { foldThread } from './shell/fold-thread.js';
export type { Carried } from './shell/carry-run.js';
export type { CarryDeps } from './shell/run-order.js';
export type { Begun, RecordForeign, RunRequest, RunTerms } from './shell/begin-run.js';
export { Runs, type ResumeRequest } from './shell/runs.js';
