/** Reads from a terminal event how a run ended. */
import type { AguiEvent, Interrupt, RunStatus } from '@triptych/protocol';

export type RunEnding =
  | { readonly status: 'cancelled' }
  /** `pending`: calls of the client's own tools that the agent waits for, where it names them. */
  | { readonly status: 'success'; readonly pending?: readonly string[] }
  | { readonly status: 'interrupt'; readonly interrupts: readonly Interrupt[] }
  | { readonly status: 'failed'; readonly code?: string; readonly said?: Said };

/** An agent's own words about its failure. */
export interface Said {
  readonly message?: string;
  /** Interrupts it names. */
  readonly named?: readonly string[];
}

/** Codes that begin with `hub/` are the hub's own words; an agent that borrows one has said nothing. */
const codeIn = ({ code }: AguiEvent) =>
  typeof code === 'string' && !code.startsWith('hub/') ? { code } : {};

type Json = Readonly<Record<string, unknown>>;
const objectIn = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};

/** Names beyond this many are not looked at. */
const MAX_NAMED = 200;

/** There is no one place for them: agents put them beside the code, into details, or into the metadata. */
const namedIn = (event: AguiEvent): readonly string[] =>
  [event, objectIn(event['details']), objectIn(event['metadata'])]
    .flatMap(({ interruptId, interruptIds }: Json) => [interruptId, interruptIds].flat())
    .filter((id) => typeof id === 'string')
    .slice(0, MAX_NAMED);

const saidIn = (event: AguiEvent): Said => {
  const named = namedIn(event);
  return {
    ...(typeof event['message'] === 'string' ? { message: event['message'] } : {}),
    ...(named.length > 0 ? { named } : {}),
  };
};

interface Outcome {
  readonly type?: unknown;
  readonly interrupts?: unknown;
  readonly pendingToolCallIds?: unknown;
}

/** undefined: the event ends no run. An unknown outcome reads as success, as AG-UI says, but opens nothing. */
export const endingOf = (event: AguiEvent): RunEnding | undefined => {
  if (event.type === 'RUN_ERROR') return { status: 'failed', ...codeIn(event), said: saidIn(event) };
  if (event.type !== 'RUN_FINISHED') return undefined;
  const outcome = (event.outcome ?? {}) as Outcome;
  if (outcome.type === 'interrupt')
    return { status: 'interrupt', interrupts: outcome.interrupts as Interrupt[] };
  if (outcome.type === 'cancelled') return { status: 'cancelled' };
  const { pendingToolCallIds: pending } = outcome;
  return Array.isArray(pending) ? { status: 'success', pending: pending as string[] } : { status: 'success' };
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

/** A run that was stopped on request has not failed, though AG-UI has no better word for it than an error. */
export const statusOf = (ending: RunEnding): RunStatus =>
  ending.status === 'failed' && ending.code === 'hub/cancelled' ? 'cancelled' : ending.status;

/** The end as whoever waits for a resume is told of it. */
export const endToldBy = (
  ending: RunEnding,
): Said & { readonly outcome: ReturnType<typeof resumeOutcome>; readonly code?: string } => {
  const { code, said = {} } = ending.status === 'failed' ? ending : {};
  return { outcome: resumeOutcome(ending), ...said, ...(code === undefined ? {} : { code }) };
};
