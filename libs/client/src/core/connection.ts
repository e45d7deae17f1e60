/** Decides what a lost connection leads to: another try, or an end. */
import { CLOSE, type CloseReason, type ReadyData } from '@triptych/protocol';
import { backOffMs } from './back-off.js';

export type LossCause = 'network' | 'restart' | 'slow' | 'rate' | 'store' | 'token';
export type ClosedReason = 'stopped' | 'signed-out' | 'forbidden' | 'misuse';

export type ConnectionState =
  | { readonly state: 'connecting'; readonly attempt: number }
  | { readonly state: 'ready'; readonly session: ReadyData }
  | {
      readonly state: 'waiting';
      readonly retryAt: number;
      readonly attempt: number;
      readonly cause: LossCause;
    }
  | { readonly state: 'closed'; readonly reason: ClosedReason };

/** What went wrong since the connection was last ready. */
export interface Streak {
  readonly attempt: number;
  readonly unauthenticated: number;
}
export const NO_STREAK: Streak = { attempt: 0, unauthenticated: 0 };

export interface Loss {
  readonly code: number;
  /** From the hub's `closing` frame, when one came. */
  readonly retryAfterMs?: number;
}

/** A fresh token that is refused as well means the person is signed out, not the token stale. */
const MAX_REFUSED_TOKENS = 2;

const CAUSES: Readonly<Partial<Record<CloseReason, LossCause>>> = {
  RESTART: 'restart',
  SLOW: 'slow',
  TOO_FAST: 'rate',
  STORE_AWAY: 'store',
  UNAUTHENTICATED: 'token',
};

const reasonOf = (code: number): CloseReason | undefined =>
  (Object.keys(CLOSE) as CloseReason[]).find((name) => CLOSE[name].code === code);

const endOf = (reason: CloseReason | undefined, streak: Streak): ClosedReason | undefined => {
  if (reason === undefined) return undefined;
  if (reason === 'UNAUTHENTICATED')
    return streak.unauthenticated >= MAX_REFUSED_TOKENS ? 'signed-out' : undefined;
  if (CLOSE[reason].next === 'fix') return 'misuse';
  if (CLOSE[reason].next === 'stop') return reason === 'FORBIDDEN' ? 'forbidden' : 'stopped';
  return undefined;
};

export interface AfterLoss {
  readonly state: ConnectionState;
  readonly streak: Streak;
}

/** CLI-1, CLI-2: every loss has one consequence, told by the close code. */
export const afterLoss = (before: Streak, loss: Loss, at: { now: number; chance: number }): AfterLoss => {
  const reason = reasonOf(loss.code);
  const streak = {
    attempt: before.attempt + 1,
    unauthenticated: before.unauthenticated + (reason === 'UNAUTHENTICATED' ? 1 : 0),
  };
  const ended = endOf(reason, streak);
  if (ended !== undefined) return { state: { state: 'closed', reason: ended }, streak };
  const retryAt = at.now + backOffMs(before.attempt, at.chance, loss.retryAfterMs);
  const cause = (reason && CAUSES[reason]) ?? 'network';
  return { state: { state: 'waiting', retryAt, attempt: streak.attempt, cause }, streak };
};

/** A token that was good once may have expired while the machine slept: ask for a new one from the second try on. */
export const wantsFreshToken = (streak: Streak): boolean => streak.attempt > 1 || streak.unauthenticated > 0;
