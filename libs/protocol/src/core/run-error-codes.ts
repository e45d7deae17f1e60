/** Codes of the `RUN_ERROR` events that the hub itself writes; any other code came from an agent. */
export const RUN_ERRORS = {
  'hub/upstream-truncated': 'The agent stopped sending before the run was over.',
  'hub/protocol-violation': 'The agent sent something AG-UI does not allow.',
  'hub/agent-unavailable': 'The agent could not be reached.',
  'hub/timeout-first-event': 'The agent did not start in time.',
  'hub/timeout-idle': 'The agent went silent.',
  'hub/timeout-total': 'The run took too long.',
  'hub/runner-lost': 'The process that carried this run was lost.',
  'hub/cancelled': 'The run was cancelled.',
  'hub/too-large': 'The conversation grew beyond what is allowed.',
  'hub/closed-by-operator': 'An operator closed this run.',
  'hub/agent-error': 'The agent reported an error.',
} as const;

export type RunErrorCode = keyof typeof RUN_ERRORS;
