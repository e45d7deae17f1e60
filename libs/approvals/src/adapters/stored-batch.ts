/** Turns a batch into the strings Redis holds. */
import { tenantNewsText } from '@triptych/platform';
import type { Batch, BatchStatus } from '../core/batch.js';
import type { Change, News } from '../core/change.js';
import type { Task } from '../core/task.js';
import { taskField } from './approval-keys.js';

export const stateText = (status: BatchStatus): string => JSON.stringify(status);

const taskPairs = (tasks: readonly Task[]): string[] =>
  tasks.flatMap((task) => [taskField(task.taskId), JSON.stringify(task)]);

export const wholeBatch = (batch: Batch): string[] => [
  'v',
  String(batch.version),
  'state',
  stateText(batch.status),
  'facts',
  JSON.stringify(batch.facts),
  ...taskPairs(batch.tasks),
];

export const changedFields = (batch: Batch, change: Change): string[] => [
  'v',
  String(batch.version + 1),
  ...(change.status ? ['state', stateText(change.status)] : []),
  ...(change.answers ? ['answers', JSON.stringify(change.answers)] : []),
  ...taskPairs(change.tasks),
];

/** Ids and verbs only: what was decided on stays in the task. */
export const outboxLine = (batch: Batch, { action, by, taskId }: News): string =>
  JSON.stringify({
    kind: taskId === undefined ? 'batch' : 'task',
    action,
    by,
    batchId: batch.facts.batchId,
    taskId,
  });

const taskChanged = (taskId: string): string => tenantNewsText({ kind: 'task', taskId });

/** A batch's state shows in each of its tasks, so that all of them changed when it did. */
export const messagesFor = (batch: Batch, change: Pick<Change, 'tasks' | 'status'>): string[] =>
  (change.status ? batch.facts.taskIds : change.tasks.map(({ taskId }) => taskId)).map(taskChanged);
