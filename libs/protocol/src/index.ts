/** Says what can be said. */
export { PROTOCOL_VERSION } from './core/agui.js';
export type {
  AgentCapabilities,
  AguiEvent,
  Context,
  Interrupt,
  JsonPatch,
  JsonPatchOperation,
  KnownEvent,
  Message,
  ResumeEntry,
  RunAgentInput,
  RunFinishedOutcome,
  Tool,
  ToolCall,
} from './core/agui.js';
export { CLOSE, type CloseReason } from './core/close-codes.js';
export {
  CLIENT_FRAMES,
  SUBPROTOCOL,
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
export { SURFACES, type LogEntry, type Seen, type SeenBy, type Source, type Surface } from './core/log-entry.js';
export { REFUSALS, httpStatusOf, type RefusalCode } from './core/refusals.js';
export { ok, refusal, refuse, type NextStep, type Refusal, type RefusalExtras, type Result } from './core/result.js';
export { RUN_ERRORS, type RunErrorCode } from './core/run-error-codes.js';
export {
  OPEN_TASK_STATES,
  TASK_STATES,
  type BatchState,
  type DecisionKind,
  type DecisionVerb,
  type MayNotReason,
  type Proposal,
  type RuleMatch,
  type TaskAction,
  type TaskEvent,
  type TaskState,
  type TaskView,
} from './core/task.js';
export type { RunStatus, RunSummary, ThreadStatus, ThreadSummary } from './core/thread.js';
export { StoreAway, isStoreAway } from './core/store-away.js';
