/** The shapes of what a client asks for over its socket. */
import type { Context, DecisionVerb, Message, ResumeEntry, TaskState, Tool } from '@triptych/protocol';

export interface RunRequest {
  readonly agentId: string;
  readonly threadId?: string;
  readonly runId?: string;
  readonly messages: readonly Message[];
  readonly state?: unknown;
  readonly tools?: readonly Tool[];
  readonly context?: readonly Context[];
  readonly forwardedProps?: unknown;
  readonly resume?: readonly ResumeEntry[];
}

/** A run was admitted, or answers were recorded and others are still awaited. */
export type RunReply =
  | { readonly threadId: string; readonly runId: string }
  | {
      readonly threadId: string;
      readonly batchId: string;
      readonly tasks: readonly { readonly taskId: string; readonly state: TaskState }[];
      readonly waiting: number;
    };

export type CancelReply =
  { readonly state: 'cancelling' } | { readonly state: 'ended'; readonly status: string };

export interface Decision {
  readonly verb: DecisionVerb;
  readonly proposalHash: string;
  readonly payload?: unknown;
  readonly editedArgs?: unknown;
  readonly reason?: string;
}

/** One of many decisions. */
export interface BulkItem extends Decision {
  readonly taskId: string;
  readonly rev: number;
}

interface TaskCalls {
  claim: object;
  release: object;
  heartbeat: object;
  takeover: { readonly reason: string };
  /** `null`: to nobody. */
  assign: { readonly to: string | null };
  comment: { readonly text: string };
  extend: { readonly dueAt: number };
  decide: Decision;
  undo: object;
}
export type TaskCallName = keyof TaskCalls;
export type TaskCall<N extends TaskCallName> = {
  readonly taskId: string;
  readonly rev?: number;
} & TaskCalls[N];
