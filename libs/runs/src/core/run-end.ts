/** Reads from a terminal event how a run ended. */
import type { AguiEvent, Interrupt, RunStatus } from '@triptych/protocol';

export type RunEnding =
  | { readonly status: 'success' | 'cancelled' }
  | { readonly status: 'interrupt'; readonly interrupts: readonly Interrupt[] }
  | { readonly status: 'failed'; readonly code?: string };

interface Outcome {
  readonly type?: unknown;
  readonly interrupts?: unknown;
}

/** undefined: the event ends no run. An unknown outcome reads as success, as AG-UI says, but opens nothing. */
export const endingOf = (event: AguiEvent): RunEnding | undefined => {
  if (event.type === 'RUN_ERROR')
    return { status: 'failed', ...(typeof event.code === 'string' ? { code: event.code } : {}) };
  if (event.type !== 'RUN_FINISHED') return undefined;
  const outcome = (event.outcome ?? {}) as Outcome;
  if (outcome.type === 'interrupt')
    return { status: 'interrupt', interrupts: outcome.interrupts as Interrupt[] };
  return { status: outcome.type === 'cancelled' ? 'cancelled' : 'success' };
};

export const resumeOutcome = (
  ending: RunEnding,
): 'success' | 'interrupt' | 'cancelled' | 'error' | 'lost' => {
  switch (ending.status) {
    case 'failed':
      if (ending.code === 'hub/cancelled') return 'cancelled';
      return ending.code === 'hub/upstream-truncated' || ending.code === 'hub/runner-lost' ? 'lost' : 'error';
    case 'success':
    case 'interrupt':
    case 'cancelled':
      return ending.status;
  }
};

export const statusOf = (ending: RunEnding): RunStatus => ending.status;
