/** Decides whether a run may begin on a thread as it stands. */
import type { AdmitRequest, Admission } from './ledger.js';
import type { RunRecord, ThreadRecord } from './run-record.js';

/** What is stored of a thread at one moment. */
export interface ThreadNow {
  readonly thread?: ThreadRecord;
  /** The record of the asked runId, if it was used before. */
  readonly record?: RunRecord;
  readonly activeRunId: string;
  readonly openBatch: string;
}

type Verdict = Exclude<Admission, { status: 'admitted' }> | { readonly status: 'free' };

const isElsewhere = (thread: ThreadRecord, request: AdmitRequest): boolean =>
  thread.tenant !== request.tenant || (request.mustOwn && thread.owner !== request.owner);

const judgeHolder = (now: ThreadNow, resumes = ''): Verdict => {
  if (now.activeRunId !== '') return { status: 'busy', runId: now.activeRunId };
  if (now.openBatch === resumes) return { status: 'free' };
  return now.openBatch === '' ? { status: 'guarded' } : { status: 'waiting', batchId: now.openBatch };
};

/** Order matters: existence is a secret first, then binding, then the caller's own repeat, then who holds the thread. */
export const judgeAdmission = (now: ThreadNow, request: AdmitRequest): Verdict => {
  const { thread, record } = now;
  if (!thread) return { status: 'free' };
  if (isElsewhere(thread, request)) return { status: 'elsewhere' };
  if (thread.agentId !== request.agentId) return { status: 'bound', agentId: thread.agentId };
  if (!record || request.again) return judgeHolder(now, request.resumes);
  return record.fingerprint === request.record.fingerprint
    ? { status: 'attached', record, thread }
    : { status: 'conflict' };
};
