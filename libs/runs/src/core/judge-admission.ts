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

/** Order matters: existence is a secret first, then binding, then the caller's own repeat, then who holds the thread. */
export const judgeAdmission = (now: ThreadNow, request: AdmitRequest): Verdict => {
  const { thread, record } = now;
  if (thread && thread.tenant !== request.tenant) return { status: 'elsewhere' };
  if (thread && request.mustOwn && thread.owner !== request.owner) return { status: 'elsewhere' };
  if (thread && thread.agentId !== request.agentId) return { status: 'bound', agentId: thread.agentId };
  if (thread && record)
    return record.fingerprint === request.record.fingerprint
      ? { status: 'attached', record, thread }
      : { status: 'conflict' };
  if (now.activeRunId !== '') return { status: 'busy', runId: now.activeRunId };
  if (now.openBatch !== (request.resumes ?? ''))
    return now.openBatch === '' ? { status: 'guarded' } : { status: 'waiting', batchId: now.openBatch };
  return { status: 'free' };
};
