/** What is remembered of one run and of the thread it runs on. */
import type { Message, RunStatus, ThreadId, ThreadStatus } from '@triptych/protocol';

export interface RunRecord {
  readonly runId: string;
  /** SHA-256 of the request; an equal request attaches, another one conflicts. */
  readonly fingerprint: string;
  /** Who gave the input that began the chain of runs. */
  readonly requester: string;
  /** The batch this run answers, if it is a resume. */
  readonly resumes?: string;
  readonly status: RunStatus;
  readonly code?: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** The log's last seq when the run was admitted: everything the run becomes comes after it. */
  readonly after: number;
  /** The user's messages this run added. */
  readonly messages: readonly Message[];
  /** Names of the frontend tools this run brought. */
  readonly tools?: readonly string[];
}

export interface ThreadRecord {
  readonly threadId: ThreadId;
  readonly tenant: string;
  readonly owner: string;
  readonly agentId: string;
  readonly status: ThreadStatus;
  readonly activeRunId?: string;
  /** The batch that holds the thread, until it is done. */
  readonly openBatch?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The right to write a run's events; void once another process has taken the run over. */
export interface Lease {
  readonly thread: ThreadId;
  readonly runId: string;
  /** Grows with every holding of the thread's lease; also the epoch under which events are counted. */
  readonly term: number;
}

export interface AdmittedRun {
  readonly lease: Lease;
  readonly thread: ThreadRecord;
  readonly record: RunRecord;
}

export const threadStatusAfter = (status: RunStatus): ThreadStatus =>
  status === 'running'
    ? 'running'
    : status === 'interrupt'
      ? 'waiting'
      : status === 'failed'
        ? 'failed'
        : 'idle';
