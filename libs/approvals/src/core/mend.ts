/** Sets a batch going again that waited for a person. */
import { ok, refuse, type BatchState, type Result } from '@triptych/protocol';
import { openTasks, type Batch } from './batch.js';
import { NO_CHANGE, type Change } from './change.js';
import { remember } from './task.js';

/** Nothing more happens to such a batch by itself. */
export const STUCK_STATES: readonly BatchState[] = ['retry_wait', 'unknown', 'blocked'];

export const isStuck = ({ state }: { readonly state: BatchState }): boolean => STUCK_STATES.includes(state);

/** APR-29: the answers stay what they were; whoever sends them again answers for it by name. */
const goingAgain = (batch: Batch, attempt: number, { by, now }: Mender): Change => {
  const line = { at: now, by, action: 'retry' };
  return {
    tasks: batch.tasks.map((task) => ({ ...task, history: remember(task, line) })),
    status: { state: 'ready', attempt, notBefore: now },
    news: [{ action: 'retry', by }],
  };
};

export interface Mender {
  readonly by: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Asking again for what is under way, or over, is a success and changes nothing. */
export const retry = (batch: Batch, mender: Mender): Result<Change> => {
  const { status } = batch;
  switch (status.state) {
    case 'retry_wait':
    case 'unknown':
      return ok(goingAgain(batch, status.attempt, mender));
    case 'blocked':
      return ok(goingAgain(batch, 0, mender));
    case 'open':
      return refuse('RESUME_REQUIRED', {
        details: { open: openTasks(batch).map(({ interruptId }) => interruptId) },
      });
    case 'ready':
    case 'dispatching':
    case 'running':
    case 'done':
      return ok(NO_CHANGE);
  }
};
