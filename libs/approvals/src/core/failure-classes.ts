/** Says what became of a resume that failed: one table of what agents say, and what is left when they say nothing. */
import type { RunErrorCode } from '@triptych/protocol';

/** How a resumed run ended. */
export interface ResumeEnd {
  readonly outcome: 'success' | 'interrupt' | 'cancelled' | 'error' | 'lost';
  /** The resume may have reached the agent. */
  readonly sent: boolean;
  /** The agent takes the same resume twice without harm. */
  readonly idempotent: boolean;
  readonly code?: string;
  /** What the conversation tells of a call's result. */
  readonly resultOf?: (toolCallId: string) => string | undefined;
  /** The agent said nothing before it failed. */
  readonly atStart?: boolean;
  /** The agent's own words, or what came of asking it; operators only. */
  readonly message?: string;
  /** Interrupts that the agent names in its failure. */
  readonly named?: readonly string[];
  /** The agent asks for patience, milliseconds. */
  readonly retryAfterMs?: number;
}

export type FailureClass =
  /** Nobody took the answers: they are sent again. */
  | 'not-taken'
  /** An answer is of no use to the agent: its question is put once more. */
  | 'payload-refused'
  /** Agent and hub disagree on what was asked. */
  | 'sets-differ'
  /** The agent knows no such question any more. */
  | 'orphaned'
  /** The agent's deadline is over, and it takes not even a cancellation. */
  | 'agent-expired'
  /** The agent says that it failed, and not what is to be done about it. */
  | 'said-failed'
  /** Cut off before the agent had its say, and it bears to be asked again. */
  | 'repeatable'
  /** What was approved may have happened. */
  | 'unclear';

type Said = 'busy' | Exclude<FailureClass, 'not-taken' | 'said-failed' | 'repeatable' | 'unclear'>;

const SAID: Readonly<Record<Said, readonly string[]>> = {
  busy: [
    ...['THREAD_BUSY', 'BUSY', '429', 'HTTP_429', 'TOO_MANY_REQUESTS', 'RATE_LIMIT', 'RATE_LIMITED'],
    ...['RATE_LIMIT_EXCEEDED', '503', 'HTTP_503', 'SERVICE_UNAVAILABLE', 'OVERLOADED'],
  ],
  'payload-refused': ['INVALID_PAYLOAD', 'INVALID_RESUME_PAYLOAD', 'RESUME_PAYLOAD_INVALID'],
  'sets-differ': [
    ...['INCOMPLETE_RESUME', 'PARTIAL_RESUME', 'MISSING_RESUME', 'RESUME_REQUIRED', 'DUPLICATE_INTERRUPT'],
  ],
  orphaned: [
    ...['UNKNOWN_INTERRUPT_ID', 'UNKNOWN_INTERRUPT', 'INTERRUPT_NOT_FOUND', 'APPROVAL_RESUME_NOT_FOUND'],
  ],
  'agent-expired': ['INTERRUPT_EXPIRED'],
};

const MEANING: ReadonlyMap<string, Said> = new Map(
  Object.entries(SAID).flatMap(([said, codes]) => codes.map((code) => [code, said as Said] as const)),
);

/** `RUN_ERROR.code` has no vocabulary: houses write one word as `thread-busy`, `threadBusy` or `THREAD_BUSY`. */
const spelled = (code: string): string =>
  code
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1_$2')
    .toUpperCase()
    .replaceAll(/[^A-Z\d]+/gu, '_');

/** Ends before the agent had its say: the line broke, or it fell silent. */
const CUT_SHORT: ReadonlySet<string> = new Set<RunErrorCode>([
  'hub/upstream-truncated',
  'hub/runner-lost',
  'hub/agent-unavailable',
  'hub/timeout-first-event',
  'hub/timeout-idle',
  'hub/timeout-total',
]);

/** What an agent answered once it would answer again, so that only silence is worth a repeat. */
const unsaid = ({ outcome, idempotent, code = '' }: ResumeEnd): FailureClass =>
  idempotent && (outcome === 'lost' || CUT_SHORT.has(code)) ? 'repeatable' : 'unclear';

export const failureClassOf = (end: ResumeEnd): FailureClass => {
  const { outcome, sent, code = '', atStart = false } = end;
  if (!sent) return 'not-taken';
  if (outcome === 'lost' || code.startsWith('hub/')) return unsaid(end);
  const said = MEANING.get(spelled(code)) ?? 'said-failed';
  if (said === 'busy') return atStart ? 'not-taken' : 'said-failed';
  return said;
};
