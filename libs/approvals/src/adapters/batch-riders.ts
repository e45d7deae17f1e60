/** Writes a batch's changes as riders, for steps that somebody else makes atomic. */
import { tenantChannel } from '@triptych/platform';
import { trailText, type TrailNote } from '@triptych/protocol';
import type { Batch, BatchStatus } from '../core/batch.js';
import type { Cause } from '../core/cause.js';
import type { Change, News } from '../core/change.js';
import type { Guard, Rider } from '../core/rider.js';
import { HUB } from '../core/task.js';
import { failedLateNotes, notesOf, openingNotes, statusNotes } from '../core/trail.js';
import { batchKey, keysOf } from './approval-keys.js';
import { changedFields, messagesFor, outboxLine, stateText, wholeBatch } from './stored-batch.js';

/** Whoever follows the outbox further behind than this reads the tasks again. */
const OUTBOX_KEPT = '1000';

const noted = (batch: Batch, news: readonly News[]): Rider[] =>
  news.map((line) => [
    'XADD',
    keysOf(batch.facts.threadId).outbox,
    'MAXLEN',
    '~',
    OUTBOX_KEPT,
    '*',
    'line',
    outboxLine(batch, line),
  ]);

const told = (batch: Batch, change: Pick<Change, 'tasks' | 'status'>): Rider[] =>
  messagesFor(batch, change).map((message) => ['PUBLISH', tenantChannel(batch.facts.tenant), message]);

export const recordRiders = (batch: Batch, notes: readonly TrailNote[]): Rider[] => {
  const { trail } = keysOf(batch.facts.threadId);
  return notes.map((note) => ['XADD', trail, '*', 'record', trailText(note)]);
};

/** APR-1: the tasks open in the step that stores the run's end, and the thread is held by them from then on. */
export const openingRiders = (batch: Batch): Rider[] => {
  const { batchId, threadId, openedAt, taskIds } = batch.facts;
  const keys = keysOf(threadId);
  return [
    ['HSET', batchKey(batchId), ...wholeBatch(batch)],
    ['HSET', keys.run, 'batch', batchId],
    ['ZADD', keys.batches, String(openedAt), batchId],
    ...noted(
      batch,
      taskIds.map((taskId) => ({ action: 'opened', by: HUB, taskId })),
    ),
    ...recordRiders(batch, openingNotes(batch)),
    ...told(batch, { tasks: batch.tasks }),
  ];
};

export const changeRiders = (
  batch: Batch,
  change: Change,
  cause: Cause,
): { guards: Guard[]; riders: Rider[] } => {
  const key = batchKey(batch.facts.batchId);
  const state = { key, field: 'state', equals: stateText(batch.status) };
  const after = [
    ...noted(batch, change.news),
    ...recordRiders(batch, notesOf(batch, change, cause)),
    ...told(batch, change),
  ];
  // What is settled stays as it is: a word that is said beside it must not keep the answer from its agent.
  if (change.status && change.tasks.length === 0 && !change.answers)
    return { guards: [state], riders: [['HSET', key, 'state', stateText(change.status)], ...after] };
  return {
    guards: [{ key, field: 'v', equals: String(batch.version) }, state],
    riders: [['HSET', key, ...changedFields(batch, change)], ...after],
  };
};

/** Leaves `v` alone: a comment may come between the reading and this step, and must not be mistaken for it. */
export const statusRiders = (batch: Batch, status: BatchStatus, cause: Cause): Rider[] => {
  const { batchId } = batch.facts;
  return [
    ['HSET', batchKey(batchId), 'state', stateText(status)],
    ...noted(batch, [{ action: status.state, by: HUB }]),
    ...recordRiders(batch, statusNotes(batch, status, cause)),
    ...told(batch, { tasks: [], status }),
  ];
};

/** The thread is free again. */
export const releasedRider = (batch: Batch): Rider => ['HDEL', keysOf(batch.facts.threadId).run, 'batch'];

/** A field of its own: whoever works on the tasks meanwhile is not disturbed. */
export const failedLateRiders = (batch: Batch, at: number): Rider[] => [
  ['HSET', batchKey(batch.facts.batchId), 'late', String(at)],
  ...noted(batch, [{ action: 'run-failed-late', by: HUB }]),
  ...recordRiders(batch, failedLateNotes(batch, at)),
  ...told(batch, { tasks: batch.tasks }),
];
