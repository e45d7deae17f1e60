/** The open questions of one run, or its client's calls: they are asked together and answered by one run. */
import type { ToolMessage } from '@triptych/protocol';
import type { HeldTask, OpenTask, Task } from './task.js';

/** One call that a run left unanswered. */
export interface FrontendCall {
  readonly toolCallId: string;
  /** Whoever else is to answer it, where a rule says so; absent: its client. */
  readonly taskId?: string;
}

export interface FrontendCalls {
  /** In the order the agent made them. */
  readonly calls: readonly FrontendCall[];
  /** Until then their client may answer; Unix milliseconds. */
  readonly until: number;
}

/** What a batch is about; it never changes. */
export interface BatchFacts {
  readonly batchId: string;
  readonly threadId: string;
  readonly tenant: string;
  readonly agentId: string;
  readonly owner: string;
  readonly runId: string;
  /** Whoever gave the input that began the chain of runs comes first. */
  readonly requesters: readonly string[];
  /** In the order the agent asked. */
  readonly taskIds: readonly string[];
  readonly openedAt: number;
  /** Absent: the run ended in interrupts. */
  readonly frontend?: FrontendCalls;
}

/** What the last resume left behind. */
export interface Failed {
  /** Resumes begun so far. */
  readonly attempt: number;
  readonly runId?: string;
  readonly code?: string;
  /** In the agent's own words; operators only. */
  readonly message?: string;
}

/** Why nothing happens any more, though no answer is missing. */
export type BlockedWhy = 'all-expired' | 'orphaned' | 'agent-expired' | 'undeliverable';

export type BatchStatus =
  | { readonly state: 'open' }
  /** `runId`: under which the resume shall run, where somebody waits for it by that name. */
  | { readonly state: 'ready'; readonly attempt: number; readonly notBefore: number; readonly runId?: string }
  | { readonly state: 'dispatching' | 'running'; readonly attempt: number; readonly runId: string }
  | {
      readonly state: 'done';
      readonly at: number;
      /** The run that took the answers last; absent in what older versions stored, and where calls lapsed. */
      readonly runId?: string;
      /** The operator who declared it done. */
      readonly by?: string;
      /** The agent knew its questions no more. */
      readonly orphaned?: true;
    }
  /** `reopens`: tasks that are about to be put to people once more. */
  | ({ readonly state: 'retry_wait'; readonly reopens?: readonly string[] } & Failed)
  | ({ readonly state: 'unknown' } & Failed)
  | ({ readonly state: 'blocked'; readonly why: BlockedWhy } & Partial<Failed>);

export interface Batch {
  readonly facts: BatchFacts;
  readonly status: BatchStatus;
  /** In the order of `facts.taskIds`. */
  readonly tasks: readonly Task[];
  /** Tool messages of the client, or the hub in its place, kept while people answer the batch's other calls. */
  readonly answers?: readonly ToolMessage[];
  /** When its run failed after all, having asked; Unix milliseconds. */
  readonly failedLate?: number;
  /** Moves with every change of a task; the status is compared beside it. */
  readonly version: number;
}

/** Under which the answers will run, run, or ran last. */
export const runIdOf = (status: BatchStatus): string | undefined =>
  'runId' in status ? status.runId : undefined;

/** Who gave the input that began the chain of runs. */
export const requesterOf = ({ requesters, owner }: BatchFacts): string => requesters[0] ?? owner;

export const taskIn = (batch: Batch, taskId: string): Task | undefined =>
  batch.tasks.find((task) => task.taskId === taskId);

/** Those that keep their batch open: unanswered, or with an answer that can still be taken back. */
export const openTasks = (batch: Batch): readonly (OpenTask | HeldTask)[] =>
  batch.tasks.filter((task) => task.status !== 'settled');

/** The calls that are their client's to answer, while they wait for it. */
export const callsWaiting = ({ facts, status, answers = [] }: Batch): readonly string[] =>
  (status.state === 'open' ? (facts.frontend?.calls ?? []) : [])
    .filter(({ taskId }) => taskId === undefined)
    .map(({ toolCallId }) => toolCallId)
    .filter((call) => !answers.some(({ toolCallId }) => toolCallId === call));

/** Somebody is yet to answer. */
export const isWaiting = (batch: Batch): boolean => openTasks(batch).length + callsWaiting(batch).length > 0;
