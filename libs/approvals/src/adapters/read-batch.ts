/** Reads a batch from the strings Redis holds. */
import type { ToolMessage } from '@triptych/protocol';
import { UnreadableBatch } from '../core/approval-store.js';
import type { Batch, BatchFacts, BatchStatus } from '../core/batch.js';
import type { Task } from '../core/task.js';
import { taskField } from './approval-keys.js';

export type Fields = Readonly<Record<string, string>>;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** undefined: the text is missing, or no JSON object. */
const recordIn = (text: string | null | undefined): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** undefined: these are no facts of the batch. */
export const factsFrom = (batchId: string, text: string | null | undefined): BatchFacts | undefined => {
  const facts = recordIn(text);
  const isWhole =
    facts?.['batchId'] === batchId && typeof facts['tenant'] === 'string' && Array.isArray(facts['taskIds']);
  return isWhole ? (facts as unknown as BatchFacts) : undefined;
};

/** What every task has had since the first version; the rest is what that version wrote. */
const taskFrom = (taskId: string, text: string | undefined): Task | undefined => {
  const task = recordIn(text);
  const isWhole =
    task?.['taskId'] === taskId &&
    (task['status'] === 'open' || isRecord(task['decision'])) &&
    isRecord(task['ruling']) &&
    isRecord(task['proposal']) &&
    Array.isArray(task['votes']) &&
    Array.isArray(task['history']);
  return isWhole ? (task as unknown as Task) : undefined;
};

const statusFrom = (text: string | undefined): BatchStatus | undefined => {
  const status = recordIn(text);
  return typeof status?.['state'] === 'string' ? (status as unknown as BatchStatus) : undefined;
};

/** undefined: they cannot be read. */
const answersFrom = (text: string | undefined): readonly ToolMessage[] | undefined => {
  if (text === undefined) return [];
  const whole = recordIn(`{"answers":${text}}`)?.['answers'];
  return Array.isArray(whole) ? (whole as ToolMessage[]) : undefined;
};

/** undefined: there is no batch. */
export const batchFrom = (batchId: string, fields: Fields): Batch | undefined => {
  if (fields['facts'] === undefined && fields['state'] === undefined) return undefined;
  const facts = factsFrom(batchId, fields['facts']);
  const status = statusFrom(fields['state']);
  const tasks = facts?.taskIds.flatMap((taskId) => taskFrom(taskId, fields[taskField(taskId)]) ?? []);
  const answers = answersFrom(fields['answers']);
  if (!facts || !status || !answers || tasks?.length !== facts.taskIds.length)
    throw new UnreadableBatch(batchId);
  const kept = answers.length > 0 ? { answers } : {};
  const late = fields['late'] === undefined ? {} : { failedLate: Number(fields['late']) };
  return { facts, status, tasks, ...kept, version: Number(fields['v']), ...late };
};
