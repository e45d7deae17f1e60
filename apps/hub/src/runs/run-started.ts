/** What a run request becomes: a run whose events can be followed, or answers that are recorded. */
import type { Actor } from '@triptych/access';
import type { RunAgentInput, Surface, ThreadId } from '@triptych/protocol';

export interface RunAsked {
  readonly actor: Actor;
  readonly agentId: string;
  readonly input: RunAgentInput;
  /** Where it is asked, if that is a surface. */
  readonly on?: Surface;
}

/** Where a run's events come from. */
export type RunSource =
  /** It was begun by this request; `read` resolves when its agent's stream was read to its end. */
  | { readonly kind: 'begun'; readonly read: Promise<unknown> }
  /** It is older than this request. */
  | { readonly kind: 'attached' }
  /** Another process begins it. */
  | { readonly kind: 'awaited' };

export interface StartedRun {
  readonly kind: 'run';
  readonly threadId: ThreadId;
  readonly runId: string;
  readonly owner: string;
  /** The log's last seq when the run was admitted. */
  readonly after: number;
  readonly source: RunSource;
}

export interface Answered {
  readonly threadId: ThreadId;
  readonly batchId: string;
  readonly tasks: readonly { readonly taskId: string; readonly state: string }[];
  readonly waiting: number;
}

/** The resumed run begins once the batch is whole; its events come after `after`. */
export interface AnswersRecorded extends Omit<StartedRun, 'kind'> {
  readonly kind: 'answered';
  readonly answered: Answered;
}
