/** Decides, once a second, what a session's age asks for: a heartbeat, a warning, an end. */
import type { CloseReason } from '@triptych/protocol';
import { isStalled, progressStep, type Progress } from './send-window.js';

/** Below the 30 s after which proxies and phones give up on a silent line. */
export const HEARTBEAT_MS = 25_000;
/** Time enough to fetch a new token. */
export const EXPIRY_WARNING_MS = 60_000;

export interface Liveness {
  readonly nextBeat: number;
  /** Something came from the other side since the last heartbeat. */
  readonly heard: boolean;
  readonly progress: Progress;
  readonly expiresAt: number;
  readonly warned: boolean;
}

export interface Look {
  readonly now: number;
  readonly unsent: number;
  readonly taken: number;
}

export type Act =
  | { readonly do: 'beat' }
  | { readonly do: 'warn'; readonly at: number }
  | { readonly do: 'close'; readonly reason: CloseReason }
  /** Nobody is there to be told. */
  | { readonly do: 'terminate' };

export const born = (now: number, expiresAt: number): Liveness => ({
  nextBeat: now + HEARTBEAT_MS,
  heard: true,
  progress: { taken: 0, at: now },
  expiresAt,
  warned: false,
});

export const heard = (life: Liveness): Liveness => (life.heard ? life : { ...life, heard: true });

/** A new token: warned again before it ends. */
export const renewed = (life: Liveness, expiresAt: number): Liveness => ({
  ...life,
  expiresAt,
  warned: false,
});

interface Looked {
  readonly life: Liveness;
  readonly acts: readonly Act[];
}

const ends = (life: Liveness, now: number): Act | undefined => {
  if (now >= life.expiresAt) return { do: 'close', reason: 'UNAUTHENTICATED' };
  if (isStalled(life.progress, now)) return { do: 'close', reason: 'SLOW' };
  return undefined;
};

/** A whole heartbeat without an answer is the end; whoever takes bytes is alive, even if a pong waits behind them. */
const beat = (life: Liveness, moving: boolean, now: number): Looked =>
  life.heard || moving
    ? { life: { ...life, nextBeat: now + HEARTBEAT_MS, heard: false }, acts: [{ do: 'beat' }] }
    : { life, acts: [{ do: 'terminate' }] };

export const lookAt = (before: Liveness, { now, unsent, taken }: Look): Looked => {
  const progress = progressStep(before.progress, { taken, unsent, at: now });
  const life = { ...before, progress };
  const end = ends(life, now);
  if (end !== undefined) return { life, acts: [end] };
  const warn: readonly Act[] =
    !life.warned && now >= life.expiresAt - EXPIRY_WARNING_MS ? [{ do: 'warn', at: life.expiresAt }] : [];
  const awake = warn.length === 0 ? life : { ...life, warned: true };
  if (now < life.nextBeat) return { life: awake, acts: warn };
  const beaten = beat(awake, unsent > 0 && now - progress.at < HEARTBEAT_MS, now);
  return { life: beaten.life, acts: [...warn, ...beaten.acts] };
};
