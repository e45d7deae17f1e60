/** The one table of refusal codes: HTTP status, the caller's next step, and what the code means. */
export const REFUSALS = {
  INVALID_INPUT: { http: 400, next: 'fix', means: 'The body, frame, header, id or event is malformed.' },
  UNAUTHENTICATED: { http: 401, next: 'reauth', means: 'No token, a bad token, or an expired token.' },
  FORBIDDEN: { http: 403, next: 'stop', means: 'You may not do this.' },
  NOT_FOUND: { http: 404, next: 'stop', means: 'There is nothing here, or it is not for you to see.' },
  THREAD_BUSY: { http: 409, next: 'retry', means: 'A run or a dispatching batch holds the thread.' },
  THREAD_BINDING_CONFLICT: { http: 409, next: 'fix', means: 'The thread belongs to another agent.' },
  RUN_ID_CONFLICT: { http: 409, next: 'fix', means: 'The run id was used for another request.' },
  RESUME_REQUIRED: { http: 409, next: 'fix', means: 'Open questions on this thread must be answered first.' },
  INCOMPLETE_RESUME: {
    http: 409,
    next: 'fix',
    means: 'Not every open interrupt you may answer is answered.',
  },
  UNKNOWN_INTERRUPT: { http: 409, next: 'fix', means: 'The interrupt is not open on this thread.' },
  DUPLICATE_INTERRUPT: { http: 422, next: 'fix', means: 'One interrupt is answered twice.' },
  RESUME_PAYLOAD_INVALID: { http: 422, next: 'fix', means: 'The answer does not fit what was asked.' },
  ALREADY_DECIDED: { http: 409, next: 'stop', means: 'Someone decided otherwise before.' },
  CLAIM_LOST: { http: 409, next: 'resync', means: 'Someone else has claimed this.' },
  STALE_REVISION: { http: 412, next: 'resync', means: 'The task changed since you read it.' },
  EXPIRED: { http: 410, next: 'stop', means: 'The time for this has passed.' },
  PRODUCER_FENCED: { http: 409, next: 'stop', means: 'A newer producer has taken over.' },
  PRODUCER_GAP: { http: 409, next: 'fix', means: 'Events are missing before these.' },
  IDEMPOTENCY_KEY_REUSED: { http: 422, next: 'fix', means: 'The idempotency key was used for another body.' },
  PAYLOAD_TOO_LARGE: { http: 413, next: 'fix', means: 'This is larger than allowed.' },
  UNSUPPORTED_MEDIA_TYPE: { http: 415, next: 'fix', means: 'The media type is not supported.' },
  RATE_LIMITED: { http: 429, next: 'retry', means: 'Too much at once.' },
  INTERNAL: { http: 500, next: 'retry', means: 'Something failed on our side.' },
  AGENT_UNAVAILABLE: {
    http: 502,
    next: 'retry',
    means: 'The agent cannot be reached; nothing was recorded.',
  },
  STORE_UNAVAILABLE: {
    http: 503,
    next: 'retry',
    means: 'The store is away. Repeat with the same id: it is not known whether this was accepted.',
  },
  DRAINING: { http: 503, next: 'retry', means: 'This instance is leaving; connect to another.' },
} as const satisfies Record<
  string,
  { http: number; next: 'fix' | 'reauth' | 'retry' | 'resync' | 'stop'; means: string }
>;

export type RefusalCode = keyof typeof REFUSALS;

export const httpStatusOf = (code: RefusalCode): number => REFUSALS[code].http;
