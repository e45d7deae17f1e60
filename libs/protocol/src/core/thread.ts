/** What anyone with access may know of a thread and its runs. */
import type { Position } from './ids.js';
import type { Interrupt } from './agui.js';

export type ThreadStatus = 'idle' | 'running' | 'waiting' | 'failed';
export type RunStatus = 'running' | 'success' | 'interrupt' | 'cancelled' | 'failed';

export interface ThreadSummary {
  readonly threadId: string;
  readonly agentId: string;
  readonly owner: string;
  readonly status: ThreadStatus;
  readonly activeRunId?: string;
  readonly pos: Position;
  readonly openInterrupts: readonly Interrupt[];
  /** The surface's step labels in the policy's order. */
  readonly steps?: readonly string[];
  /** Unix milliseconds. */
  readonly updatedAt: number;
}

export interface RunSummary {
  readonly runId: string;
  readonly status: RunStatus;
  readonly code?: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly parentRunId?: string;
}
