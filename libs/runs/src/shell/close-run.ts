/** Stores a run of the hub's own, begun and ended in one step, by which a thread is told that its questions are closed. */
import type { ThreadId } from '@triptych/protocol';
import type { Guard, Rider } from '../core/ports.js';
import { foldThread } from './fold-thread.js';
import { LeaseLost } from './grace.js';
import { RunWriter, type WriterDeps } from './run-writer.js';

export interface ClosingRun {
  readonly thread: ThreadId;
  readonly runId: string;
  /** It holds the thread, and lets go of it in this step. */
  readonly batchId: string;
  readonly requester: string;
  readonly guards: readonly Guard[];
  readonly riders: readonly Rider[];
}

/** RUN-55: false: thread or batch are not what they were, and nothing is stored. */
export const closeRun = async (deps: WriterDeps, closing: ClosingRun): Promise<boolean> => {
  const { thread: threadId, runId, batchId, requester, guards, riders } = closing;
  const thread = await deps.ledger.thread(threadId);
  if (!thread) return false;
  const { tenant, owner, agentId } = thread;
  const record = { runId, fingerprint: `close:${batchId}:${runId}`, requester, messages: [] };
  const asked = { thread: threadId, tenant, owner, mustOwn: false, agentId, record };
  const prepared = await deps.ledger.prepare({ ...asked, resumes: batchId, guards, riders });
  if (prepared.status !== 'free') return false;
  const { model } = await foldThread(deps.log, threadId);
  const run = { ...prepared.admitted, admission: prepared, idempotent: false, statePatch: [] };
  try {
    await new RunWriter(deps, run, model).fail('hub/closed-by-operator');
    return true;
  } catch (error) {
    if (error instanceof LeaseLost) return false;
    throw error;
  }
};
