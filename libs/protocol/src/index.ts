/** Says what can be said. */
export { contentToText, PROTOCOL_VERSION } from './core/agui.js';
export type {
  AguiEvent,
  Context,
  Interrupt,
  JsonPatch,
  JsonPatchOperation,
  Message,
  ResumeEntry,
  RunAgentInput,
  Tool,
  ToolCall,
  ToolMessage,
} from './core/agui.js';
export { CLOSE, type CloseReason } from './core/close-codes.js';
export {
  AGENT_FRAMES,
  CLIENT_FRAMES,
  PLAIN_SUBPROTOCOL,
  SUBPROTOCOL,
  type AgentFrameName,
  type AguiData,
  type ClientFrame,
  type ClientFrameName,
  type ReadyData,
  type ServerFrame,
  type ServerFrameName,
  type ServerFrames,
  type SnapshotData,
  type SnapshotReason,
  type TaskCounts,
} from './core/frames.js';
export { asPosition, asThreadId, isPrintableId, type Position, type ThreadId } from './core/ids.js';
export {
  SURFACES,
  type LogEntry,
  type Seen,
  type SeenBy,
  type Source,
  type Surface,
} from './core/log-entry.js';
export { currencyIn, isSumName, moneyIn, type Money } from './core/money.js';
export { REFUSALS, httpStatusOf, type RefusalCode } from './core/refusals.js';
export {
  ok,
  refusal,
  refuse,
  type NextStep,
  type Refusal,
  type RefusalExtras,
  type Result,
} from './core/result.js';
export { RUN_ERRORS, type RunErrorCode } from './core/run-error-codes.js';
export {
  DECISION_KINDS,
  OPEN_TASK_STATES,
  TASK_STATES,
  type BatchState,
  type BatchView,
  type DecisionKind,
  type DecisionVerb,
  type MayNotReason,
  type Proposal,
  type RuleMatch,
  type TaskAction,
  type TaskEvent,
  type TaskState,
  type BulkReply,
  type BulkResult,
  type TaskView,
} from './core/task.js';
export type { RunStatus, RunSummary, ThreadStatus, ThreadSummary } from './core/thread.js';
export { VIOLATIONS } from './core/judge/violations.js';
export { StoreAway, isStoreAway } from './core/store-away.js';
export { isTerminal } from './core/event-types.js';
export { abridge } from './core/abridge/abridge.js';
export type { ToldEntry } from './core/abridge/told-entry.js';
export { applyPatch, type Patched } from './core/json/apply-patch.js';
export { diffJson } from './core/json/diff-json.js';
export {
  escapeToken,
  memberOf,
  reachesPrototype,
  readPointer,
  resolvePath,
  writePointer,
} from './core/json/json-pointer.js';
export { isDeeperThan } from './core/json/json-size.js';
export { sameJson } from './core/json/same-json.js';
export {
  beginJudge,
  judge,
  judgeEnd,
  type Expected,
  type Judged,
  type JudgedEvent,
  type JudgeState,
} from './core/judge/judge.js';
export { judgeFromModel, judgeResidue, type JudgeResidue } from './core/judge/judge-from-model.js';
export {
  MAX_DEPTH,
  MAX_EVENT_BYTES,
  MAX_INTERRUPTS,
  MAX_PATCH_OPS,
  MAX_SNAPSHOT_BYTES,
} from './core/limits.js';
export { missedPatch } from './core/model/fold-state.js';
export { customAgain } from './core/model/kept-custom.js';
export {
  emptyModel,
  type Model,
  type ModelRun,
  type ModelStep,
  type ModelSubagent,
  type OpenItem,
  type PendingRun,
} from './core/model/model.js';
export { modelStep } from './core/model/model-step.js';
export { openersOf, prelude } from './core/model/prelude.js';
export {
  modelBytes,
  hasOpenCalls,
  pendingInterruptsOf,
  runStatusOf,
  stepsOf,
  type StepStanding,
} from './core/model/read-model.js';
export { messagesIn59, PROFILE_59, speaks59, textsIn59 } from './core/profile/profile-59.js';
export { knownOnly } from './core/known-material.js';
export { parseRunAgentInput } from './core/parse-run-agent-input.js';
export {
  TRAIL_VIAS,
  trailRecordIn,
  trailText,
  type TrailActor,
  type TrailNote,
  type TrailRecord,
  type TrailSubject,
  type TrailVia,
} from './core/trail.js';
