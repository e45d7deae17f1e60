/** Decides what a lost connection leads to: another try, or an end. */
import {
  CLOSE,
  refusal,
  type CloseReason,
  type ReadyData,
  type Refusal,
  type RefusalCode,
} from '@triptych/protocol';
import { backOffMs } from './back-off.js';

/**
 * Why a connection was lost or could not be made: the close code's meaning, that there was no token, or that the hub
 * answers and this page may not read it, as when its origin is not allowed.
 */
export type LossCause = 'network' | 'restart' | 'slow' | 'rate' | 'store' | 'token' | 'origin';
/** `stopped`: by the caller or the hub. The others need the caller: sign in, ask for the role, mend the code. */
export type ClosedReason = 'stopped' | 'signed-out' | 'forbidden' | 'misuse';

export type ConnectionState =
  | { readonly state: 'connecting'; readonly attempt: number }
  | { readonly state: 'ready'; readonly session: ReadyData }
  | {
      readonly state: 'waiting';
      /** Unix milliseconds. */
      readonly retryAt: number;
      /** Tries in a row that failed. */
      readonly attempt: number;
      readonly cause: LossCause;
    }
  | { readonly state: 'closed'; readonly reason: ClosedReason };

/** What went wrong since the connection was last good. */
export interface Streak {
  readonly attempt: number;
  readonly unauthenticated: number;
}
export const NO_STREAK: Streak = { attempt: 0, unauthenticated: 0 };

export interface Loss {
  readonly code: number;
  /** Known without the code: there was no token to connect with. */
  readonly cause?: LossCause;
  /** From the hub's `closing` frame, when one came. */
  readonly retryAfterMs?: number;
}

/** A connection that lasted this long was a good one: what went wrong before it is over, ms. */
const STEADY_MS = 5_000;
/** CLI-19: a hub that takes connections and drops them is not asked again at full speed. */
export const isSteady = (readySince: number | undefined, now: number): boolean =>
  readySince !== undefined && now - readySince >= STEADY_MS;

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
  const cause = loss.cause ?? (reason && CAUSES[reason]) ?? 'network';
  return { state: { state: 'waiting', retryAt, attempt: streak.attempt, cause }, streak };
};

/** What was found out about connections that do not open. */
export type Told = { readonly by: 'origin' } | { readonly by: 'refusal'; readonly refusal: Refusal };

const TOLD_CAUSES: Readonly<Partial<Record<RefusalCode, LossCause>>> = {
  RATE_LIMITED: 'rate',
  STORE_UNAVAILABLE: 'store',
  DRAINING: 'restart',
};

/** CLI-41: a wait that nothing can come of ends; any other says what it waits for. */
export const afterTold = (
  waiting: Extract<ConnectionState, { state: 'waiting' }>,
  told: Told,
): ConnectionState => {
  if (told.by === 'origin') return { ...waiting, cause: 'origin' };
  const { code } = told.refusal;
  if (code === 'UNAUTHENTICATED') return { state: 'closed', reason: 'signed-out' };
  if (code === 'FORBIDDEN') return { state: 'closed', reason: 'forbidden' };
  return { ...waiting, cause: TOLD_CAUSES[code] ?? waiting.cause };
};

/** One that did not open may be a packet lost; two in a row are worth a question. */
export const isWorthAsking = ({ attempt }: Streak): boolean => attempt > 1;

/** CLI-26: what a request is answered on a connection that is closed. */
export const closedRefusal = (reason: ClosedReason): Refusal => {
  if (reason === 'signed-out') return refusal('UNAUTHENTICATED');
  if (reason === 'forbidden') return refusal('FORBIDDEN');
  return refusal('STORE_UNAVAILABLE', { message: 'The client is closed: start it first.' });
};

/** A token that was good once may have expired while the machine slept: ask for a new one from the second try on. */
export const wantsFreshToken = (streak: Streak): boolean => streak.attempt > 1 || streak.unauthenticated > 0;
