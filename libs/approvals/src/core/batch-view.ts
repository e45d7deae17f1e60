/** Shows a batch to the operator who is to mend it. */
import type { BatchView } from '@triptych/protocol';
import { openTasks, runIdOf, type Batch } from './batch.js';

export const batchView = (batch: Batch): BatchView => {
  const { facts, status } = batch;
  const resumeRunId = runIdOf(status);
  return {
    batchId: facts.batchId,
    state: status.state,
    threadId: facts.threadId,
    runId: facts.runId,
    agentId: facts.agentId,
    openedAt: facts.openedAt,
    taskIds: facts.taskIds,
    open: openTasks(batch).length,
    total: batch.tasks.length,
    ...('attempt' in status ? { attempts: status.attempt } : {}),
    ...(resumeRunId === undefined ? {} : { resumeRunId }),
    ...('code' in status ? { code: status.code } : {}),
  };
};
