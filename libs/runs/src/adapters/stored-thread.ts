/** Reads a thread and its runs from the strings Redis holds. */
import { asThreadId } from '@triptych/protocol';
import type { ThreadStatus } from '@triptych/protocol';
import type { RunRecord, ThreadRecord } from '../core/run-record.js';

type Fields = Readonly<Record<string, string>>;

/** Calls of frontend tools end by themselves when their time is over: then nothing is waited for. */
const statusFrom = ({ status = 'idle' }: Fields, { id, batch }: Fields): ThreadStatus =>
  status === 'waiting' && !id && !batch ? 'idle' : (status as ThreadStatus);

export const threadFrom = (fields: Fields, run: Fields): ThreadRecord | undefined => {
  if (!fields.threadId) return undefined;
  return {
    threadId: asThreadId(fields.threadId),
    tenant: fields.tenant ?? '',
    owner: fields.owner ?? '',
    agentId: fields.agentId ?? '',
    status: statusFrom(fields, run),
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
