/** The port of the run ledger: who holds a thread, and what became of each run. */
import type { ThreadId } from '@triptych/protocol';
import type { Guard, Rider } from './ports.js';
import type { AdmittedRun, Lease, RunRecord, ThreadRecord } from './run-record.js';

export interface AdmitRequest {
  readonly thread: ThreadId;
  readonly tenant: string;
  /** Owner if the thread is new. */
  readonly owner: string;
  /** True: an existing thread of another owner answers 'elsewhere'. */
  readonly mustOwn: boolean;
  readonly agentId: string;
  readonly record: Omit<RunRecord, 'status' | 'startedAt' | 'after'>;
  /** The carrier's own run once more: its agent failed before it began the run, and then began it. */
  readonly again?: true;
  /** The batch this run answers; the thread must be held by exactly this one. */
  readonly resumes?: string;
  /** Written together with the admission. */
  readonly guards?: readonly Guard[];
  readonly riders?: readonly Rider[];
}

export type Admission =
  | {
      readonly status: 'admitted';
      readonly lease: Lease;
      readonly thread: ThreadRecord;
      readonly record: RunRecord;
    }
  /** The same request was admitted before. */
  | { readonly status: 'attached'; readonly record: RunRecord; readonly thread: ThreadRecord }
  | { readonly status: 'conflict' }
  | { readonly status: 'busy'; readonly runId: string }
  | { readonly status: 'waiting'; readonly batchId: string }
  /** The thread exists and belongs to somebody the caller may not know of. */
  | { readonly status: 'elsewhere' }
  | { readonly status: 'bound'; readonly agentId: string }
  /** A guard of the caller failed, or the thread kept changing. */
  | { readonly status: 'guarded' };

/** An admission that is yet to be written: it takes effect, or does not, with the write that its parts go into. */
export interface Prepared {
  readonly status: 'free';
  readonly admitted: AdmittedRun;
  readonly guards: readonly Guard[];
  readonly riders: readonly Rider[];
}

export type Renewal =
  /** `extraMs`: what the run was given beyond its agent's limit, all in all. */
  { readonly is: 'kept' | 'cancel'; readonly extraMs: number } | { readonly is: 'lost' };

export interface LostRun {
  readonly lease: Lease;
  readonly thread: ThreadRecord;
  readonly record: RunRecord;
  /** RUN_STARTED is in the log. */
  readonly started: boolean;
  /** The input may have reached the agent. */
  readonly sent: boolean;
}

/** The writes that ride on the append of a run's events. */
export interface LeaseWrites {
  /** The lease is still ours. */
  readonly guards: readonly Guard[];
  readonly started: readonly Rider[];
  /** So many findings the run has now. */
  warned(findings: number): readonly Rider[];
  /** `asks`: the thread waits for answers from now on. */
  ended(record: RunRecord, asks: boolean): readonly Rider[];
  /** For an error that comes after the end: stored while it is the last run that began, else only marked. */
  failedLate(record: RunRecord): {
    readonly whileFree: { readonly guards: readonly Guard[]; readonly riders: readonly Rider[] };
    readonly marking: readonly Rider[];
  };
  /** As if the run had never been admitted. */
  forgotten(): readonly Rider[];
}

export interface ThreadQuery {
  readonly tenant: string;
  /** Only this subject's threads. */
  readonly owner?: string;
  /** Where the page before this one ended. */
  readonly cursor?: string;
  readonly limit: number;
}

export interface ThreadPage {
  readonly items: readonly ThreadRecord[];
  /** Absent on the last page. */
  readonly next?: string;
}

/** Lists answer newest first. */
export interface RunLedger {
  admit(request: AdmitRequest): Promise<Admission>;
  /** The same without the write, for whoever admits a run in the step that stores its first events. */
  prepare(request: AdmitRequest): Promise<Exclude<Admission, { status: 'admitted' }> | Prepared>;
  /** Keeps the lease for another term; says when a cancel was asked for or the lease is gone. */
  renew(lease: Lease): Promise<Renewal>;
  /** Records that the input may reach the agent from now on, and what goes with that. False: the lease is gone. */
  markSent(lease: Lease, riders?: readonly Rider[]): Promise<boolean>;
  requestCancel(thread: ThreadId, runId: string): Promise<boolean>;
  /** Gives the run more time as a whole. False: no such run is active. */
  extend(thread: ThreadId, runId: string, ms: number): Promise<boolean>;
  /** Takes over at most `limit` runs whose carrier has gone silent. */
  takeLost(limit: number): Promise<readonly LostRun[]>;
  thread(thread: ThreadId): Promise<ThreadRecord | undefined>;
  run(thread: ThreadId, runId: string): Promise<RunRecord | undefined>;
  /** Creates a thread without a run; an existing one is answered as it is. */
  createThread(thread: Omit<ThreadRecord, 'status' | 'createdAt' | 'updatedAt'>): Promise<ThreadRecord>;
  threads(query: ThreadQuery): Promise<ThreadPage>;
  writes(lease: Lease, thread: ThreadRecord, now: number): LeaseWrites;
}
