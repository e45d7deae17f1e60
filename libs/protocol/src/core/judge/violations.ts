/** The one table of what a stream may do wrong; the code is what the producer and the operator are told. */
export const VIOLATIONS = {
  'not-json': 'The event is not JSON.',
  'not-an-object': 'An event is one JSON object.',
  'no-type': 'An event has a type, a string.',
  'too-large': 'The event is larger than allowed.',
  'too-deep': 'The event is nested deeper than allowed.',
  malformed: 'A member of the event has a value that the protocol does not allow.',
  'too-many-operations': 'The patch has more operations than allowed.',
  'too-many-interrupts': 'The run asks more questions at once than allowed.',
  'first-event': 'A stream begins with RUN_STARTED or RUN_ERROR.',
  'run-over': 'The run is over; only another run, or a late error of a finished one, may follow.',
  'run-active': 'A run begins only after the one before it has ended.',
  'wrong-thread': 'The event belongs to another thread.',
  'wrong-run': 'The event belongs to another run.',
  'run-id-reused': 'A run id is used once on a thread.',
  'thread-taken': 'Another run, or an open question, holds the thread.',
  'open-at-end': 'A run finishes only when everything it opened is closed.',
  'duplicate-interrupt': 'Two interrupts of a run carry one id.',
  'duplicate-message': 'Two messages of a snapshot carry one id.',
  'already-open': 'This is open already.',
  'not-open': 'This is not open.',
  'wrong-owner': 'This belongs to another agent or subagent.',
  'id-clash': 'The id names something of another kind.',
  'subagent-reused': 'A subagent id names one invocation and is used once in a run.',
  'unknown-parent': 'The parent subagent was not started in this run.',
  'chunk-without-id': 'The first chunk of a stream names what it opens.',
  'chunk-ambiguous': 'The chunk may belong to more than one open stream.',
  'chunk-conflict': 'The chunk contradicts the chunk that opened its stream.',
} as const;

export type ViolationRule = keyof typeof VIOLATIONS;

export interface Violation {
  readonly rule: ViolationRule;
  readonly message: string;
  /** JSON Pointer into the event. */
  readonly pointer?: string;
}

export const violation = (rule: ViolationRule, message: string, pointer?: string): Violation => ({
  rule,
  message,
  ...(pointer === undefined ? {} : { pointer }),
});

export const isViolation = (outcome: object): outcome is Violation => 'rule' in outcome;
