/** Derives the ids of batches and tasks from what they are about, and takes them apart again. */
import { createHash } from 'node:crypto';

/** Contract §1: the hash tag of a thread's keys. */
const TAG_LENGTH = 22;
/** 96 bits: runs and interrupts are told apart within one thread, so a collision is out of reach. */
const PART_LENGTH = 16;

const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, length);

export const tagOf = (threadId: string): string => digest(threadId, TAG_LENGTH);
const partOf = (id: string): string => digest(id, PART_LENGTH);

export const batchIdOf = (threadId: string, runId: string): string => `${tagOf(threadId)}.${partOf(runId)}`;
export const taskIdOf = (batchId: string, interruptId: string): string => `${batchId}.${partOf(interruptId)}`;

export interface BatchName {
  readonly tag: string;
  readonly run: string;
}
export interface TaskName extends BatchName {
  readonly batchId: string;
  readonly interrupt: string;
}

const BATCH = /^([\w-]{22})\.([\w-]{16})$/;
const TASK = /^(([\w-]{22})\.([\w-]{16}))\.([\w-]{16})$/;

/** undefined: this names no batch. */
export const parseBatchId = (id: string): BatchName | undefined => {
  const [, tag, run] = BATCH.exec(id) ?? [];
  return tag === undefined || run === undefined ? undefined : { tag, run };
};

/** undefined: this names no task. */
export const parseTaskId = (id: string): TaskName | undefined => {
  const [, batchId, tag, run, interrupt] = TASK.exec(id) ?? [];
  if (batchId === undefined || tag === undefined || run === undefined || interrupt === undefined)
    return undefined;
  return { batchId, tag, run, interrupt };
};
