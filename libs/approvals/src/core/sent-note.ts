/** Writes down that a batch's answers are sent: to which run, and of each what it answers and by which decision. */
import type { ToolMessage, TrailNote } from '@triptych/protocol';
import { runIdOf, type Batch } from './batch.js';
import { hashOf } from './canonical.js';
import type { Task } from './task.js';
import { BY_ITSELF, subjectOf } from './trail.js';

const decided = ({ interruptId, decision }: Task) => ({
  interruptId,
  status: decision?.payload === undefined ? 'cancelled' : 'resolved',
  ...(decision
    ? {
        decisionId: decision.id,
        proposalHash: decision.proposalHash,
        payloadHash: decision.payloadHash,
      }
    : {}),
});

const told = ({ toolCallId, content }: ToolMessage) => ({ toolCallId, contentHash: hashOf(content) });

/** AUD-28: ids and hashes; what was said is in the records of the decisions. */
export const sentNote = (batch: Batch): TrailNote => {
  const { facts, status, tasks, answers = [] } = batch;
  const runId = runIdOf(status);
  return {
    tenant: facts.tenant,
    actor: BY_ITSELF,
    action: 'resume.sent',
    subject: subjectOf(batch),
    after: {
      ...(runId === undefined ? {} : { runId }),
      ...('attempt' in status ? { attempt: status.attempt } : {}),
      entries: [...tasks.map(decided), ...answers.map(told)],
    },
  };
};
