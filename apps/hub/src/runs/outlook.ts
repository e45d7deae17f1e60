/** Says of a response that shows what there is whether what it is open for may still come. */
import type { ThreadRecord } from '@triptych/runs';
import type { RunSource } from './run-started.js';

export interface Expecting {
  readonly source: RunSource['kind'];
  readonly runId: string;
  /** Stays open over a question. */
  readonly holds: boolean;
  /** The run it shows now or showed last; absent: nothing has begun. */
  readonly shown?: string | undefined;
  readonly waitedMs: number;
}

/** A run that has not begun after this is not waited for any longer, ms; who wants to wait longer holds. */
export const PATIENCE_MS = 60_000;

export const mayCome = (
  { source, runId, holds, shown, waitedMs }: Expecting,
  thread: Pick<ThreadRecord, 'activeRunId' | 'openBatch'> | undefined,
): boolean => {
  const { activeRunId, openBatch } = thread ?? {};
  if (activeRunId !== undefined && (activeRunId === runId || activeRunId === shown)) return true;
  if (openBatch === undefined) return false;
  return holds || (source === 'awaited' && shown === undefined && waitedMs < PATIENCE_MS);
};
