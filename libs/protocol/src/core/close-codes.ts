/** The one table of WebSocket close codes; they occur on opened sockets only, after a `closing` frame where possible. */
export const CLOSE = {
  DONE: { code: 1000, next: 'stop', means: 'Done.' },
  FRAME_TOO_BIG: { code: 1009, next: 'fix', means: 'A frame exceeded the limit.' },
  RESTART: { code: 1012, next: 'retry', means: 'This instance restarts; reconnect elsewhere.' },
  MISUSE: { code: 4400, next: 'fix', means: 'Protocol misuse.' },
  UNAUTHENTICATED: { code: 4401, next: 'reauth', means: 'No longer authenticated.' },
  FORBIDDEN: { code: 4403, next: 'stop', means: 'The role was withdrawn.' },
  SLOW: { code: 4408, next: 'resync', means: 'Too slow; reconnect from your position.' },
  TOO_FAST: { code: 4429, next: 'retry', means: 'Too fast.' },
  STORE_AWAY: {
    code: 4503,
    next: 'retry',
    means: 'The store has been away too long; reconnect with back-off.',
  },
} as const;

export type CloseReason = keyof typeof CLOSE;
