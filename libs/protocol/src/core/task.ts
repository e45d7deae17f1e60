/** The public shape of an approval task, as HTTP answers and `task` frames carry it. Times are Unix milliseconds. */
import type { Refusal } from './result.js';

export const TASK_STATES = [
  'pending',
  'claimed',
  'voting',
  'held',
  'decided',
  'dispatched',
  'closed',
  'expired',
  'superseded',
] as const;
export type TaskState = (typeof TASK_STATES)[number];
export const OPEN_TASK_STATES: readonly TaskState[] = ['pending', 'claimed', 'voting', 'held'];

export type BatchState =
  'open' | 'ready' | 'dispatching' | 'running' | 'done' | 'retry_wait' | 'unknown' | 'blocked';

export type DecisionVerb = 'approve' | 'reject' | 'respond' | 'cancel';
export const DECISION_KINDS = ['approved', 'rejected', 'responded', 'cancelled', 'expired'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];
export type TaskAction =
  | 'claim'
  | 'release'
  | 'takeover'
  | 'assign'
  | 'comment'
  | 'extend'
  | 'approve'
  | 'reject'
  | 'respond'
  | 'edit'
  | 'cancel'
  | 'undo'
  | 'reveal';
export type MayNotReason = 'requester' | 'editor' | 'limit' | 'group' | 'claimed';

export interface Proposal {
  readonly toolName?: string;
  /** Parsed arguments; absent when they are not JSON. */
  readonly args?: unknown;
  /** The arguments' text, only when they are not JSON (or not exactly representable). */
  readonly argsText?: string;
}

export interface RuleMatch {
  readonly pointer: string;
  readonly op: string;
  readonly want: unknown;
  readonly got: unknown;
}

export interface TaskView {
  readonly taskId: string;
  readonly rev: number;
  readonly state: TaskState;
  readonly threadId: string;
  readonly runId: string;
  readonly agentId: string;
  readonly interruptId: string;
  readonly source: 'interrupt' | 'frontend_tool';
  readonly subagentPath?: readonly string[];
  readonly reason: string;
  readonly message?: string;
  readonly toolCallId?: string;
  readonly proposal: Proposal;
  readonly edit?: { readonly by: string; readonly at: number; readonly args: unknown };
  readonly proposalHash: string;
  readonly responseSchema?: Readonly<Record<string, unknown>>;
  /** For operators: the schema's text, where it is not used because it could do harm. */
  readonly responseSchemaText?: string;
  readonly audience: 'reviewer' | 'customer';
  readonly groups: readonly string[];
  readonly priority: number;
  readonly requester: string;
  readonly assignee?: string;
  readonly createdAt: number;
  readonly dueAt?: number;
  readonly expiresAt: number;
  readonly claim?: { readonly by: string; readonly until: number; readonly maxUntil: number };
  readonly votes: readonly { readonly by: string; readonly verb: DecisionVerb; readonly at: number }[];
  readonly quorum: { readonly needed: number; readonly have: number };
  readonly decision?: {
    readonly kind: DecisionKind;
    readonly by: readonly string[];
    readonly at: number;
    readonly payload?: unknown;
    readonly editedArgs?: unknown;
    readonly reason?: string;
  };
  readonly batch: {
    readonly batchId: string;
    readonly state: BatchState;
    readonly open: number;
    readonly total: number;
  };
  readonly policy: {
    readonly rule: string;
    readonly version: string;
    readonly matched: readonly RuleMatch[];
  };
  readonly heldUntil?: number;
  readonly may: readonly TaskAction[];
  readonly mayNot?: Readonly<Partial<Record<TaskAction, MayNotReason>>>;
  readonly history?: readonly TaskEvent[];
}

/** What became of one of many decisions: `status` is that of HTTP. */
export type BulkResult =
  | { readonly taskId: string; readonly status: 200; readonly task: TaskView }
  | { readonly taskId: string; readonly status: number; readonly error: Refusal };

export interface BulkReply {
  /** In the order asked. */
  readonly results: readonly BulkResult[];
}

/** A batch as the operator sees it who is to mend it. */
export interface BatchView {
  readonly batchId: string;
  readonly state: BatchState;
  readonly threadId: string;
  /** The run that asked. */
  readonly runId: string;
  readonly agentId: string;
  readonly openedAt: number;
  readonly taskIds: readonly string[];
  readonly open: number;
  readonly total: number;
  /** Resumes begun so far. */
  readonly attempts?: number;
  /** The run that took the answers last. */
  readonly resumeRunId?: string;
  /** Why nothing happens any more though no answer is missing. */
  readonly why?: 'all-expired' | 'orphaned' | 'agent-expired' | 'undeliverable';
  /** How that run failed. */
  readonly code?: string;
  /** The agent's own words about it, or what kept the hub from sending. */
  readonly message?: string;
  /** When the run that asked failed after all. */
  readonly failedLate?: number;
}

/** One line of a task's history. */
export interface TaskEvent {
  readonly at: number;
  readonly by: string;
  readonly action: string;
  readonly text?: string;
  /** An agent's own words, for operators. */
  readonly said?: string;
  /** What of the proposal was revealed. */
  readonly pointer?: string;
}
