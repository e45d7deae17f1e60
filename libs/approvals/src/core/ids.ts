/** Derives the ids of batches and tasks from what they are about, and takes them apart again. */
import { createHash } from 'node:crypto';

/** 96 bits: runs and interrupts are told apart within one thread, so a collision is out of reach. */
const PART_LENGTH = 16;

const partOf = (id: string): string =>
  createHash('sha256').update(id).digest('base64url').slice(0, PART_LENGTH);

/** `tag`: the hash tag of the thread's keys, so that an id leads to its keys without the thread's name. */
export const batchIdOf = (tag: string, runId: string): string => `${tag}.${partOf(runId)}`;
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
