/** Shows a batch to the operator who is to mend it. */
import type { BatchView } from '@triptych/protocol';
import { openTasks, runIdOf, type Batch, type BatchFacts } from './batch.js';

const factsView = ({ batchId, threadId, runId, agentId, openedAt, taskIds }: BatchFacts) => ({
  batchId,
  threadId,
  runId,
  agentId,
  openedAt,
  taskIds,
  total: taskIds.length,
});

/** Nothing more is known of it; it waits for somebody to mend what is stored. */
export const unreadableView = (facts: BatchFacts): BatchView => ({
  ...factsView(facts),
  state: 'blocked',
  open: 0,
  code: 'hub/batch-unreadable',
});

export const batchView = (batch: Batch): BatchView => {
  const { facts, status } = batch;
  const resumeRunId = runIdOf(status);
  return {
    ...factsView(facts),
    state: status.state,
    open: openTasks(batch).length,
    ...('attempt' in status ? { attempts: status.attempt } : {}),
    ...(resumeRunId === undefined ? {} : { resumeRunId }),
    ...('why' in status ? { why: status.why } : {}),
    ...('code' in status ? { code: status.code } : {}),
    ...('message' in status ? { message: status.message } : {}),
    ...(batch.failedLate === undefined ? {} : { failedLate: batch.failedLate }),
  };
};
