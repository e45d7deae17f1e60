/** Reads a thread and its runs from the strings Redis holds. */
import { asThreadId } from '@triptych/protocol';
import type { ThreadStatus } from '@triptych/protocol';
import type { RunRecord, ThreadRecord } from '../core/run-record.js';

type Fields = Readonly<Record<string, string>>;

export const threadFrom = (fields: Fields, run: Fields): ThreadRecord | undefined => {
  if (!fields.threadId) return undefined;
  return {
    threadId: asThreadId(fields.threadId),
    tenant: fields.tenant ?? '',
    owner: fields.owner ?? '',
    agentId: fields.agentId ?? '',
    status: (fields.status ?? 'idle') as ThreadStatus,
    ...(run.id ? { activeRunId: run.id } : {}),
    ...(run.batch ? { openBatch: run.batch } : {}),
    createdAt: Number(fields.createdAt),
    updatedAt: Number(fields.updatedAt),
  };
};

const STORED = ['threadId', 'tenant', 'owner', 'agentId', 'status', 'createdAt', 'updatedAt'] as const;

export const threadFields = (thread: ThreadRecord): string[] =>
  STORED.flatMap((field) => [field, String(thread[field])]);

export const recordFrom = (json: string | null | undefined): RunRecord | undefined =>
  json ? (JSON.parse(json) as RunRecord) : undefined;
