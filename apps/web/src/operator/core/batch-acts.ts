/** What a batch that waits for a person is about, and what may be done with it. */
import type { BatchView } from '@triptych/protocol';

export type BatchAct = 'mark-done' | 'retry' | 'reopen' | 'cancel';

export type Trouble =
  /** What was approved may have happened. */
  | 'unknown'
  /** Nobody took the answers, however often they were sent. */
  | 'untaken'
  /** The agent says that it failed. */
  | 'failed'
  | 'all-expired'
  | 'orphaned'
  | 'agent-expired'
  /** The hub could not make or begin the run that brings the answers. */
  | 'undeliverable'
  /** What is stored of it cannot be read. */
  | 'unreadable';

const UNREADABLE = 'hub/batch-unreadable';
/** Codes of the hub's own; all others are the agent's words. */
const OURS = 'hub/';

export const troubleOf = ({ state, code = '', why }: BatchView): Trouble => {
  if (state === 'unknown') return 'unknown';
  if (state === 'retry_wait') return code.startsWith(OURS) ? 'untaken' : 'failed';
  return why ?? (code === UNREADABLE ? 'unreadable' : 'failed');
};

/** Most likely first. */
const ACTS: Readonly<Record<Trouble, readonly BatchAct[]>> = {
  unknown: ['mark-done', 'retry', 'reopen', 'cancel'],
  untaken: ['retry', 'reopen', 'mark-done', 'cancel'],
  failed: ['retry', 'reopen', 'mark-done', 'cancel'],
  'all-expired': ['reopen', 'cancel', 'mark-done'],
  orphaned: ['retry', 'mark-done', 'cancel'],
  'agent-expired': ['mark-done', 'cancel'],
  undeliverable: ['retry', 'reopen', 'mark-done', 'cancel'],
  unreadable: [],
};

export const actsFor = (batch: BatchView): readonly BatchAct[] => ACTS[troubleOf(batch)];

/** Sending again is harmless only where nobody had the answers: elsewhere it is a claim to have checked. */
export const isRepeat = (batch: BatchView): boolean => troubleOf(batch) !== 'untaken';
