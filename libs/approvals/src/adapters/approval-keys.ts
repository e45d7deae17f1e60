/** Names the Redis keys of approvals. */
import { taggedKey, threadKey, threadTrail } from '@triptych/platform';
import { parseBatchId } from '../core/ids.js';

/** Score: createdAt (ms); member: taskId. Written ahead of the task, so a member may dangle. */
export const openIndex = (tenant: string): string => `tt:inbox:${tenant}`;
/** The same for tasks that are open no longer. */
export const pastIndex = (tenant: string): string => `tt:inbox:${tenant}:past`;
/** Score: openedAt (ms); member: batchId. Batches that wait for a person; written ahead, and left when the batch is done. */
export const flaggedIndex = (tenant: string): string => `tt:flagged:${tenant}`;
/** Score: when it was claimed (ms); member: taskId. Written ahead of the claim, so a member may dangle. */
export const claimIndex = (tenant: string, subject: string): string =>
  `tt:claims:${JSON.stringify([tenant, subject])}`;
/** Score: when to look at it again (ms); member: `<batchId>@<openedAt>`. Written ahead of the batch, so a member may dangle. */
export const BUSY_INDEX = 'tt:busy';

/** Fields: v · state · facts · late · one for each task, named by the last part of its id. */
export const batchKey = (batchId: string): string => {
  const name = parseBatchId(batchId);
  if (!name) throw new Error(`${batchId} is no batch id.`);
  return taggedKey(name.tag, `batch:${name.run}`);
};

export const keysOf = (threadId: string) => ({
  outbox: threadKey(threadId, 'outbox'),
  /** Score: openedAt (ms); member: batchId. */
  batches: threadKey(threadId, 'batches'),
  /** The runs' hash; its field `batch` is ours: the batch that holds the thread. */
  run: threadKey(threadId, 'run'),
  /** Records that are not sealed yet. */
  trail: threadTrail(threadId),
});

export const taskField = (taskId: string): string => `t:${taskId.slice(taskId.lastIndexOf('.') + 1)}`;
