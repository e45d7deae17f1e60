/** Tells an agent that did not take its input from one that may have. */
import type { AgentOpened, ResumeEnd } from './ports.js';

export type NotOpened = Extract<AgentOpened, { readonly ok: false }>;

/** What came of asking an agent that did not take its input. */
export type Untaken = Pick<ResumeEnd, 'message' | 'retryAfterMs'>;

export type Settled = Untaken & Pick<ResumeEnd, 'sent'>;

/** No connection was made, or the way led in circles: the input reached nobody. */
const NEVER_SENT: ReadonlySet<string> = new Set(['unavailable', 'timeout-connect']);
/** Of gateways, which do not know what became of the request behind them. */
const GATEWAYS: ReadonlySet<number> = new Set([502, 504]);
/** From here on every house means something of its own. */
const FIRST_PRIVATE = 520;

/** RUN-53: an answer of failure that came instead of events says that nothing was begun; one of success does not. */
export const wasNotTaken = ({ failure, status }: NotOpened): boolean => {
  if (NEVER_SENT.has(failure) || status === undefined) return true;
  return status >= 300 && status < FIRST_PRIVATE && !GATEWAYS.has(status);
};
