/** Says how the open conversation stands by what is on the screen, so that its row never says another thing. */
import {
  pendingInterruptsOf,
  runStatusOf,
  type Interrupt,
  type Model,
  type ThreadStatus,
  type ThreadSummary,
} from '@triptych/protocol';

export type Standing = Pick<ThreadSummary, 'threadId' | 'status' | 'openInterrupts'>;

/** The same nothing each time: whoever compares sees no news in it. */
const NONE: readonly Interrupt[] = [];

const statusIn = (model: Model, open: number): ThreadStatus => {
  const run = runStatusOf(model);
  if (run === 'running') return 'running';
  if (open > 0) return 'waiting';
  return run === 'failed' && model.run?.error?.code !== 'hub/cancelled' ? 'failed' : 'idle';
};

/** Nothing before the first run is known. */
export const standingOf = (threadId: string, model: Model): Standing | undefined => {
  if (model.run === undefined) return undefined;
  const openInterrupts = pendingInterruptsOf(model);
  const open = openInterrupts.length;
  return { threadId, status: statusIn(model, open), openInterrupts: open === 0 ? NONE : openInterrupts };
};

export const withStanding = (
  threads: readonly ThreadSummary[],
  standing: Standing | undefined,
): readonly ThreadSummary[] =>
  standing === undefined
    ? threads
    : threads.map((thread) => (thread.threadId === standing.threadId ? { ...thread, ...standing } : thread));
